import { sameJson } from "../../base/util/same-json.ts";
import { toJson } from "../../base/util/to-json.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { inputOf, isOutputCall, outputOf, partIdOf, readInput } from "./call-input.ts";
import { type CallPlace, CallsWithin } from "./calls-within.ts";
import type { ToolChunk } from "./chunks.ts";
import type { CallPart, MessageWriter } from "./message-writer.ts";
import type { EncoderOptions } from "./options.ts";

/**
 * The parts of calls: those that a model makes, and of those that are made within others the ones that wait. What a tool does by other
 * tools is its own affair.
 */
export class ToolParts {
  readonly #writer: MessageWriter;
  readonly #options: EncoderOptions;
  /** By the ids of the parts; a later call takes the place of an earlier one with its id. */
  readonly #calls = new Map<string, CallPart>();
  readonly #within = new CallsWithin();
  /** Whether the stream goes on with a step that the client has: what comes of calls is what comes of those in it. */
  #isInEarlierStep: boolean;

  constructor(writer: MessageWriter, options: EncoderOptions) {
    this.#writer = writer;
    this.#options = options;
    this.#isInEarlierStep = options.isContinuation;
    if (!options.isContinuation) return;
    for (const call of options.pending ?? []) this.#carry(call, waitsFor(call));
  }

  /** A turn begins: every call has its result, and is not needed any more. */
  startTurn(): void {
    this.#isInEarlierStep = false;
    for (const [id, call] of this.#calls) {
      if (call.state !== "done" && call.carried !== "result") this.#fail(call, missingResult(call));
      this.#calls.delete(id);
    }
    this.#within.clear();
  }

  /** The current step is void, and the calls in it. */
  reset(): void {
    for (const entry of this.#writer.entries) if (entry.kind === "call") this.#calls.delete(entry.id);
  }

  inputDelta(toolCallId: string, toolName: string, text: string): void {
    if (!this.#options.show.toolCalls) return;
    const current = this.#calls.get(toolCallId);
    const call = current?.state === "input" ? current : this.#add(toolCallId, toolName);
    if (call !== current) this.#writer.writeCall(call, { type: "tool-input-start", toolCallId, toolName });
    call.inputText += text;
    this.#writer.write({ type: "tool-input-delta", toolCallId, inputTextDelta: text });
  }

  /** A call of the model's is executed, or one that waited is taken up again. */
  start(toolCall: ToolCall): void {
    const { toolCallId, toolName, arguments: text } = toolCall;
    const current = this.#calls.get(toolCallId);
    if (current?.state === "open" || !this.#options.show.toolCalls) return;
    if (this.#isInEarlierStep) return this.#carry(toolCall, "decision");
    const call = current?.state === "input" ? current : this.#add(toolCallId, toolName);
    const { input, isJson } = readInput(text);
    call.inputText = text;
    // What is not JSON has an error soon.
    if (isJson) this.#open(call, input);
  }

  progress(toolCallId: string, value: unknown): void {
    const call = this.#calls.get(toolCallId);
    if (call?.state !== "open" || !this.#options.show.toolResults) return;
    const output = toJson(value).value;
    this.#writer.write({ type: "tool-output-available", toolCallId, output, preliminary: true });
  }

  /** A call has its result. */
  end(result: ToolResult): void {
    const call = this.#calls.get(result.toolCallId);
    if (call && call.state !== "done") this.#finish(call, result);
  }

  /** A call within another is executed. */
  startWithin(toolCall: ToolCall, place: CallPlace): void {
    this.#within.start(toolCall, place);
  }

  /** A call within another has its result. */
  endWithin(result: ToolResult, place: CallPlace): void {
    const call = this.#within.end(result.toolCallId, place);
    if (call && call.state !== "done" && this.#calls.get(call.id) === call) this.#finish(call, result);
  }

  /** A turn has ended: calls that were not executed have their results here alone, and may have come without pieces. */
  endTurn(toolCalls: readonly ToolCall[], results: readonly ToolResult[]): void {
    for (const result of results) {
      const call = toolCalls.find(({ toolCallId }) => toolCallId === result.toolCallId);
      const isNew = !this.#calls.has(result.toolCallId) && this.#options.show.toolCalls;
      if (call && isNew && !isOutputCall(call, result))
        this.#add(call.toolCallId, call.toolName).inputText = call.arguments;
      this.end(result);
    }
  }

  /**
   * Calls wait. If some of them were made within others, all that wait are in a step of their own: a page goes on once the last step has
   * nothing open, and the calls around those that wait would be.
   * @param stepName - Names that step.
   */
  pause(pending: readonly PendingCall[], stepName: string): void {
    if (!this.#isInEarlierStep && pending.some(({ parentToolCallId }) => parentToolCallId !== undefined)) {
      const waiting = new Set(pending.flatMap((call) => this.#calls.get(partIdOf(call)) ?? []));
      const moved = this.#writer.entries.flatMap((entry) =>
        entry.kind === "call" && waiting.has(entry) ? [entry] : [],
      );
      if (moved.length > 0) this.#writer.rewriteStep(new Set(moved));
      for (const { id } of moved) this.#calls.delete(id);
      this.#writer.startStep(stepName);
    }
    for (const call of pending) this.#wait(call);
  }

  /** The run has ended: what is open stays without a result. */
  close(): void {
    for (const call of this.#calls.values()) {
      // The client has the results of its own tools.
      if (call.state === "done" || call.carried === "result") continue;
      this.#fail(call, `${call.toolName} has no result: the run ended before.`);
    }
  }

  #wait(pending: PendingCall): void {
    const id = partIdOf(pending);
    const { toolName, approvalId, parentToolCallId } = pending;
    const current = this.#calls.get(id);
    const isOfClient =
      this.#isInEarlierStep && (parentToolCallId === undefined || current?.carried === "result");
    if (!isOfClient) {
      const input = inputOf(pending);
      const isOpen = current?.state === "open" && !current.carried;
      if (!isOpen) this.#open(current?.state === "input" ? current : this.#add(id, toolName), input);
      else if (!sameJson(current.input, input)) this.#open(current, input);
    } else if (!current) this.#carry(pending, waitsFor(pending));
    if (approvalId === undefined) return;
    const call = this.#calls.get(id);
    if (call) call.approvalId = approvalId;
    if (call && parentToolCallId !== undefined) this.#within.add(pending, call);
    this.#writer.write({ type: "tool-approval-request", approvalId, toolCallId: id });
  }

  #open(call: CallPart, input: unknown): void {
    const { id: toolCallId, toolName } = call;
    call.state = "open";
    call.input = input;
    this.#writer.writeCall(call, { type: "tool-input-available", toolCallId, toolName, input });
  }

  #finish(call: CallPart, result: ToolResult): void {
    const { isError, text, value } = outputOf(result, this.#options.show);
    const { id: toolCallId, approvalId } = call;
    const isDenied = result.outcome === "denied";
    if (approvalId !== undefined)
      this.#writer.write({ type: "tool-approval-response", approvalId, approved: !isDenied });
    if (isDenied && (approvalId !== undefined || call.carried))
      return this.#end(call, { type: "tool-output-denied", toolCallId });
    if (isError) return this.#fail(call, text);
    if (call.state === "input") this.#open(call, readInput(call.inputText).input);
    this.#end(call, { type: "tool-output-available", toolCallId, output: value });
  }

  #fail(call: CallPart, errorText: string): void {
    const { id: toolCallId, toolName, inputText } = call;
    if (call.state === "open") return this.#end(call, { type: "tool-output-error", toolCallId, errorText });
    const { input } = readInput(inputText);
    this.#end(call, { type: "tool-input-error", toolCallId, toolName, input, errorText });
  }

  #end(call: CallPart, chunk: ToolChunk): void {
    call.state = "done";
    call.last = chunk;
    this.#writer.writeCall(call, chunk);
  }

  /** Notes a call whose part the client has. */
  #carry(call: PendingCall, carried: "decision" | "result"): void {
    const { toolName } = call;
    const id = partIdOf(call);
    const input = inputOf(call);
    const part: CallPart = {
      kind: "call",
      id,
      toolName,
      state: "open",
      inputText: "",
      input,
      carried,
      isPlaced: true,
    };
    this.#calls.set(id, part);
    if (call.parentToolCallId !== undefined && call.approvalId !== undefined) this.#within.add(call, part);
  }

  #add(id: string, toolName: string): CallPart {
    const call: CallPart = {
      kind: "call",
      id,
      toolName,
      state: "input",
      inputText: "",
      input: undefined,
      // Before the first turn, it belongs to the client's last step.
      ...(this.#isInEarlierStep && { carried: "decision" }),
      isPlaced: this.#isInEarlierStep,
    };
    this.#calls.set(id, call);
    return call;
  }
}

/** Why a call has no result in the stream although the run goes on. */
function missingResult({ toolName, approvalId, carried }: CallPart): string {
  if (approvalId !== undefined || carried) return `${toolName} has no result: the call around it has ended.`;
  // A stream over a pause does not have what a client has sent: the history does.
  return `The result of ${toolName} came from a client. Load the conversation again to see it.`;
}

function waitsFor({ approvalId }: PendingCall): "decision" | "result" {
  return approvalId === undefined ? "result" : "decision";
}
