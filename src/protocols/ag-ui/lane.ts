import { toJson } from "../../base/util/to-json.ts";
import type { AssistantMessage, ToolCall, ToolResult } from "../../message/messages.ts";
import type { HostedCall } from "../../model/hosted-call.ts";
import { publicHostedCall } from "../../run/public/public-hosted-call.ts";
import type { AgentRunEvent } from "../../run/types.ts";
import type { SourceEvent } from "../kit/source.ts";
import { finalText, isAccepted, isAnswerTool } from "./answer-tool.ts";
import { textOfParts } from "./content.ts";
import { type LaneCall, ownerField } from "./lane-call.ts";
import { LaneCalls } from "./lane-calls.ts";
import { LaneText } from "./lane-text.ts";
import type { Wire } from "./wire.ts";

/** An event of a run, or of an agent within one. */
export type LaneEvent = SourceEvent | AgentRunEvent;

type Of<Type extends LaneEvent["type"]> = Extract<LaneEvent, { readonly type: Type }>;

/**
 * What one agent, or those it hands off to, writes and calls. Each answer of a model is one message of the client: its text and its calls.
 * Text ends before a call begins, and goes on in the same message after that.
 */
export class Lane {
  readonly calls: LaneCalls;
  readonly text: LaneText;
  /** Set for an agent within the run. */
  readonly subagentRunId: string | undefined;
  readonly #wire: Wire;
  /** The calls of the current answer that were streamed. */
  #streamed: LaneCall[] = [];
  /** The last piece of text: an `output-delta` right behind it has the same once more. */
  #piece: { readonly text: string; readonly index: number } | undefined;
  /** Whether a turn has begun in this stream. What comes before is of an earlier one. */
  #hasTurn = false;

  constructor(wire: Wire, subagentRunId: string | undefined) {
    this.#wire = wire;
    this.subagentRunId = subagentRunId;
    this.calls = new LaneCalls(wire, subagentRunId);
    this.text = new LaneText(wire, subagentRunId);
  }

  /** Whether a turn has begun in this stream. */
  get hasTurn(): boolean {
    return this.#hasTurn;
  }

  read(event: LaneEvent): void {
    switch (event.type) {
      case "turn-start":
        return this.#startTurn();
      case "text-delta":
        this.#piece = event;
        return this.text.write("text", event.text, event.agent);
      case "reasoning-delta":
        return this.text.reason(event.text);
      case "output-delta":
        return this.#addOutput(event);
      case "tool-input-delta":
        return this.#addInput(event);
      case "model-end":
        return this.#endAnswer();
      case "tool-start":
        return this.#startTool(event);
      case "tool-progress":
        return this.#addProgress(event);
      case "tool-end":
        return this.answer(event.result);
      case "turn-end":
        return this.#endTurn(event);
      case "hosted-call":
        return this.#showHosted(event.call);
      case "agent-event":
      case "approval-request":
      case "compaction":
      case "events-dropped":
      case "handoff":
      case "model-start":
      case "retry":
      case "run-end":
      case "turn-restart":
      case "user-message":
      case "warning":
        return undefined;
    }
  }

  /** Closes everything. Returns the calls of an answer that was cut: they will never be executed. */
  close(): readonly LaneCall[] {
    const cut = this.#streamed.filter((call) => !call.isAnswered);
    this.#endAnswer();
    this.#nextAnswer();
    return cut;
  }

  /** Forgets the current answer: another takes its place. */
  restart(): void {
    this.close();
    this.calls.forget();
    this.text.forget();
  }

  /** Sends the result of a call, which begins with that if the client has not seen it. */
  answer(result: ToolResult): void {
    const call = this.calls.get(result.toolCallId);
    if (call && !call.isAnswered) return this.calls.answer(call, result);
    const { toolCallId, toolName } = result;
    this.calls.answer(this.#findOrBegin({ toolCallId, toolName, arguments: "" }), result);
  }

  /** Begins a call that waits, of which this stream has had no event. */
  beginPending(toolCall: ToolCall): LaneCall {
    const place = { subagentRunId: this.subagentRunId, messageId: undefined };
    if (this.calls.earlier(toolCall.toolCallId) !== null) return this.calls.resume(toolCall, place);
    return this.calls.beginWhole(toolCall, place);
  }

  #startTurn(): void {
    this.#nextAnswer();
    this.#hasTurn = true;
  }

  #nextAnswer(): void {
    this.text.endAnswer();
    this.#piece = undefined;
    this.#streamed = [];
  }

  /** A model that answers in the schema itself has each piece as text already; another one writes the output as a call. */
  #addOutput({ text, agent, index }: Of<"output-delta">): void {
    const piece = this.#piece;
    if (piece?.index !== index - 1 || piece.text !== text) this.text.write("output", text, agent);
  }

  #addInput({ toolCallId, toolName, text }: Of<"tool-input-delta">): void {
    // It gets its id later.
    if (toolCallId === "") return;
    let call = this.calls.get(toolCallId);
    if (!call || !this.#streamed.includes(call)) {
      this.text.close();
      call = this.calls.begin({ toolCallId, toolName }, this.#place());
      this.#streamed.push(call);
    }
    this.calls.addArguments(call, text);
  }

  #place(): { readonly subagentRunId: string | undefined; readonly messageId: string } {
    return { subagentRunId: this.subagentRunId, messageId: this.text.beginAnswer() };
  }

  #endAnswer(): void {
    this.text.close();
    for (const call of this.#streamed) this.calls.end(call);
  }

  #startTool({ toolCall, parentToolCallId }: Of<"tool-start">): void {
    this.text.close();
    const call = this.calls.get(toolCall.toolCallId);
    if (call && !call.isAnswered) {
      call.isExecuting = true;
      return this.calls.end(call);
    }
    const parent = parentToolCallId === undefined ? undefined : this.calls.get(parentToolCallId);
    if (parent) this.#startNested(parent, toolCall);
    else this.#findOrBegin(toolCall).isExecuting = true;
  }

  /** A call that a tool makes is in no message of the agent: it is attributed to the call whose tool made it. */
  #startNested(parent: LaneCall, toolCall: ToolCall): void {
    parent.hasWork = true;
    const place = { subagentRunId: `${parent.wireId}/calls`, messageId: undefined };
    const earlier = parent.isEarlier ? this.calls.earlier(toolCall.toolCallId) : null;
    if (earlier === null) return void this.calls.beginWhole(toolCall, place);
    const call = this.calls.resume(toolCall, place);
    // Nobody knows whether the client has it, and arguments would be added to those that it has.
    if (earlier === undefined && this.#wire.show.toolCalls) this.calls.repeat(call);
  }

  /** No call of a message: clients would send it, and its result, in their next request, and neither is theirs. */
  #showHosted(call: HostedCall): void {
    const { show } = this.#wire;
    if (!show.toolCalls) return;
    const { value } = toJson(publicHostedCall(call, show));
    this.#wire.send({ type: "CUSTOM", name: "hosted-call", value, ...ownerField(this) });
  }

  #addProgress({ toolCallId, value }: Of<"tool-progress">): void {
    const call = this.calls.get(toolCallId);
    if (call) this.calls.addProgress(call, value);
  }

  /** A call that comes before any turn is one of an earlier stream, unless the client is known not to have it. */
  #findOrBegin(toolCall: ToolCall): LaneCall {
    const isEarlier = !this.#hasTurn && this.calls.earlier(toolCall.toolCallId) !== null;
    if (!isEarlier) return this.calls.beginWhole(toolCall, this.#place());
    return this.calls.resume(toolCall, { subagentRunId: this.subagentRunId, messageId: undefined });
  }

  #endTurn({ message, results, agent }: Of<"turn-end">): void {
    if (this.#hasTurn) this.#complete(message, results, agent);
    this.#endAnswer();
    for (const result of results) {
      const call = this.calls.get(result.toolCallId);
      if (call) this.calls.answer(call, result);
    }
    const ids = new Set(message.toolCalls.map(({ toolCallId }) => toolCallId));
    for (const call of this.#streamed) if (!ids.has(call.toolCallId)) this.calls.discard(call);
    this.#nextAnswer();
    const final = finalText(message, new Map(results.map((result) => [result.toolCallId, result])));
    if (final !== undefined) this.text.write("text", final, agent);
    this.#nextAnswer();
  }

  /** Sends what of an answer was not streamed: that of a middleware or a journal may come at once. */
  #complete(message: AssistantMessage, results: readonly ToolResult[], agent: string): void {
    const text = textOfParts(message.content);
    const { texts, answerId } = this.text;
    const before = texts.text;
    if (text.startsWith(before)) this.text.write("text", text.slice(before.length), agent);
    // A middleware has another answer than the one that it has let through.
    else if (answerId !== undefined) this.#wire.correctText(answerId, text);
    for (const call of message.toolCalls) {
      const earlier = this.calls.get(call.toolCallId);
      if (earlier && earlier.messageId === this.text.answerId) {
        this.calls.correct(earlier, call.arguments);
        continue;
      }
      const result = results.find(({ toolCallId }) => toolCallId === call.toolCallId);
      if (isAnswerTool(call.toolName) && (texts.output !== "" || isAccepted(result))) continue;
      this.text.close();
      this.calls.beginWhole(call, this.#place());
    }
  }
}
