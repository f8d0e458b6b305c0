import { toJson } from "../../base/util/to-json.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import { resultContent, resultMetadata } from "./content.ts";
import { type CallPlace, isAnotherObject, type LaneCall, newCall, ownerField } from "./lane-call.ts";
import type { Wire } from "./wire.ts";

/** The calls that one agent makes, and those that its tools make. */
export class LaneCalls {
  readonly #wire: Wire;
  readonly #prefix: string;
  /** The last call of each id. */
  readonly #calls = new Map<string, LaneCall>();
  /** All calls that began in this stream, in their order. */
  readonly #beginnings: LaneCall[] = [];

  /** @param subagentRunId - The agent within the run whose calls they are: models of two agents may use the same ids. */
  constructor(wire: Wire, subagentRunId: string | undefined) {
    this.#wire = wire;
    this.#prefix = subagentRunId === undefined ? "" : `${subagentRunId}/`;
  }

  /** The id that the client had for a call before; `null` if it did not have the call, `undefined` if nobody knows. */
  earlier(toolCallId: string): string | null | undefined {
    return this.#wire.callIds.earlier(this.#prefix + toolCallId);
  }

  get(toolCallId: string): LaneCall | undefined {
    return this.#calls.get(toolCallId);
  }

  values(): Iterable<LaneCall> {
    return this.#calls.values();
  }

  /** Calls that the client has of this stream and that have no result. */
  get unanswered(): readonly LaneCall[] {
    return this.#beginnings.filter(({ isVisible, isAnswered }) => isVisible && !isAnswered);
  }

  /** Begins a call whose arguments come piece by piece. */
  begin({ toolCallId, toolName }: Pick<ToolCall, "toolCallId" | "toolName">, place: CallPlace): LaneCall {
    const wireId = this.#wire.callIds.claim(this.#prefix + toolCallId);
    const call = newCall({ toolCallId, toolName, wireId, ...place, isEarlier: false });
    this.#calls.set(toolCallId, call);
    this.#beginnings.push(call);
    if (this.#wire.show.toolCalls) this.#start(call);
    return call;
  }

  /** Begins a call whose arguments are there. */
  beginWhole(toolCall: ToolCall, place: CallPlace): LaneCall {
    const call = this.begin(toolCall, place);
    this.addArguments(call, toolCall.arguments);
    this.end(call);
    return call;
  }

  /** Notes a call of an earlier stream. */
  resume({ toolCallId, toolName }: Pick<ToolCall, "toolCallId" | "toolName">, place: CallPlace): LaneCall {
    const wireId = this.#wire.callIds.assume(this.#prefix + toolCallId);
    const call = newCall({ toolCallId, toolName, wireId, ...place, isEarlier: true });
    this.#calls.set(toolCallId, call);
    call.isVisible = true;
    return call;
  }

  /** Sends the name of a call again, which a client that has the call passes over. */
  repeat(call: LaneCall): void {
    this.#start(call);
    this.end(call);
  }

  addArguments(call: LaneCall, text: string): void {
    if (call.isDoubled) return;
    if (isAnotherObject(call.arguments, text)) {
      call.isDoubled = true;
      return;
    }
    call.arguments += text;
    const { wireId: toolCallId } = call;
    if (call.isOpen && text !== "")
      this.#wire.send({ type: "TOOL_CALL_ARGS", toolCallId, delta: text, ...ownerField(call) });
  }

  /** Gives a call of the current answer the arguments that it has in the end, where that can be done. */
  correct(call: LaneCall, text: string): void {
    if (call.arguments === text) return;
    call.arguments = text;
    if (call.isVisible) this.#wire.correctCall(call.wireId, text);
  }

  end(call: LaneCall): void {
    if (!call.isOpen) return;
    call.isOpen = false;
    this.#wire.send({ type: "TOOL_CALL_END", toolCallId: call.wireId, ...ownerField(call) });
  }

  /** Sends a call that was not to be seen: the client is to decide on it, or to execute it. */
  reveal(call: LaneCall, toolCall: ToolCall): void {
    if (call.isVisible) return;
    const text = call.arguments === "" ? toolCall.arguments : call.arguments;
    call.arguments = "";
    this.#start(call);
    this.addArguments(call, text);
    this.end(call);
  }

  /** Sends the result of a call that the client has. */
  answer(call: LaneCall, result: ToolResult): void {
    if (call.isAnswered) return;
    const metadata = resultMetadata(result);
    this.#answer(call, resultContent(result, this.#wire.show), metadata && { metadata });
  }

  /** Takes a call back that is in no history: its answer was cut, or says another thing. Where that cannot be done, it gets an end. */
  discard(call: LaneCall): void {
    if (call.isVisible && !call.isAnswered && this.#wire.takeBackCall(call.wireId)) call.isAnswered = true;
    else this.giveUp(call);
  }

  /** Ends a call that has no result. */
  giveUp(call: LaneCall): void {
    if (call.isAnswered) return;
    const { toolName, isExecuting } = call;
    const end = isExecuting ? "did not finish. It may or may not have taken effect." : "was not executed.";
    const outcome = isExecuting ? "cancelled" : "not-executed";
    this.#answer(call, `${toolName} ${end}`, { metadata: { skein: { isError: true, outcome } } });
  }

  addProgress(call: LaneCall, progress: unknown): void {
    if (!call.isVisible || !this.#wire.show.toolResults) return;
    const { wireId: toolCallId, toolName } = call;
    const { value } = toJson(progress);
    this.#wire.send({
      type: "ACTIVITY_SNAPSHOT",
      messageId: `${toolCallId}/progress`,
      activityType: "tool-progress",
      content: { toolCallId, toolName, value },
      ...ownerField(call),
    });
  }

  /** Forgets the calls that have no result. */
  forget(): void {
    for (const [id, call] of this.#calls) if (!call.isAnswered) this.#calls.delete(id);
    for (const call of this.#beginnings) call.isAnswered = true;
  }

  #answer(
    call: LaneCall,
    content: ReturnType<typeof resultContent>,
    more: { readonly metadata?: NonNullable<ReturnType<typeof resultMetadata>> } = {},
  ): void {
    call.isAnswered = true;
    if (!call.isVisible || this.#isHidden(call)) return;
    this.end(call);
    const messageId = this.#wire.messageId();
    const { wireId: toolCallId } = call;
    this.#wire.send({
      type: "TOOL_CALL_RESULT",
      messageId,
      toolCallId,
      content,
      role: "tool",
      ...more,
      ...ownerField(call),
    });
  }

  /** Where calls are hidden, and nobody knows what the client has, a call that runs agents was hardly one that it was asked about. */
  #isHidden({ toolCallId, isEarlier, hasWork }: LaneCall): boolean {
    return isEarlier && hasWork && !this.#wire.show.toolCalls && this.earlier(toolCallId) === undefined;
  }

  #start(call: LaneCall): void {
    call.isVisible = true;
    call.isOpen = true;
    const { wireId: toolCallId, toolName: toolCallName, messageId: parentMessageId } = call;
    if (parentMessageId === undefined) this.#wire.note(toolCallId);
    this.#wire.send({
      type: "TOOL_CALL_START",
      toolCallId,
      toolCallName,
      ...(parentMessageId !== undefined && { parentMessageId }),
      ...ownerField(call),
    });
  }
}
