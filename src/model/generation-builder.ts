import type { AssistantMessage, FinishReason, ToolCall, Usage } from "../message/messages.ts";
import type { AssistantPart, ProviderData } from "../message/parts.ts";
import { longestText } from "../message/longest-text.ts";
import { type AnswerSource, answerTooDeep, answerTooLong, callWeight } from "./answer-limit.ts";
import type { Generation, ModelEvent, RateLimit, TokenLogprob } from "./types.ts";

/** What a stream's end says, beside what the builder has collected. */
export interface GenerationEnd {
  /** The content, where the provider states its order and data at the end only; else what was collected. */
  readonly content?: readonly AssistantPart[] | undefined;
  readonly finishReason: FinishReason;
  readonly rawFinishReason?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly logprobs?: readonly TokenLogprob[] | undefined;
  readonly refusal?: string | undefined;
  readonly shouldContinue?: boolean | undefined;
  readonly response: Generation["response"];
  readonly warnings?: readonly string[] | undefined;
}

/** A call whose arguments are coming in, or have come. */
interface PartialCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly originalId: string | undefined;
  arguments: string;
  hasEnded: boolean;
}

const unknownUsage: Usage = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };

/**
 * Collects a model's answer while it streams in, and makes its events.
 * Every adapter uses it, so that all assemble messages, order and timing in one way.
 * Content parts keep the order in which they were begun.
 * Each method that adds something throws a MalformedResponseError once the answer has more than 33,554,432 characters, whatever
 * these are: text, arguments, images, or data of the provider's.
 */
export class GenerationBuilder {
  readonly #startedAt = performance.now();
  #firstTokenAt: number | undefined;
  readonly #content: AssistantPart[] = [];
  readonly #toolCalls: ToolCall[] = [];
  /** How many of them stand in the content, and those that are to come by their ids if they ended in another order. */
  #placed = 0;
  #outOfOrder: Map<string, ToolCall[]> | undefined;
  readonly #partialCalls = new Map<string | number, PartialCall>();
  /** The text or reasoning part that the next piece of its type goes to. */
  #openPart: { type: "text" | "reasoning"; text: string; providerData?: ProviderData } | undefined;
  #text = "";
  readonly #source: AnswerSource;
  /** How many more characters the answer may have. */
  #room = longestText;

  /** @param source - The model that answers, for errors. */
  constructor(source: AnswerSource = { provider: "unknown", modelId: "unknown" }) {
    this.#source = source;
  }

  /** Counts something that the answer holds beside its parts, such as log probabilities, and returns it. */
  count<T extends object>(value: T): T {
    this.#reserve(this.#lengthOf(value));
    return value;
  }

  /** How much of the answer has come: it grows with everything that is counted. */
  get size(): number {
    return longestText - this.#room;
  }

  /** Counts a part that is put together at the end. */
  countPart(): void {
    this.#reserve(1);
  }

  /** Adds a piece of the answer's text. */
  text(piece: string): ModelEvent {
    this.#text += piece;
    this.#append("text", piece);
    return { type: "text-delta", text: piece };
  }

  /** Adds a piece of reasoning. */
  reasoning(piece: string): ModelEvent {
    this.#append("reasoning", piece);
    return { type: "reasoning-delta", text: piece };
  }

  /** Whether any text has come. */
  get hasText(): boolean {
    return this.#text !== "";
  }

  /** Ends the current text or reasoning part, so that the next piece begins a new one. */
  endPart(providerData?: ProviderData): void {
    this.#reserve(this.#lengthOf(providerData));
    if (this.#openPart && providerData) this.#openPart.providerData = providerData;
    this.#openPart = undefined;
  }

  /** Adds a whole part, such as encrypted reasoning or something that only its provider understands. */
  part(part: AssistantPart): void {
    this.#openPart = undefined;
    this.#reserve(this.#lengthOfPart(part));
    this.#content.push(part);
  }

  /**
   * Begins a call. `key` is what the provider identifies its fragments by.
   * @param originalId - The provider's id of the call, where another call has that.
   */
  startToolCall(
    key: string | number,
    toolCallId: string,
    toolName: string,
    providerData?: ProviderData,
    originalId?: string,
  ): void {
    this.#markFirstToken();
    this.#openPart = undefined;
    this.#reserve(callWeight + toolName.length + this.#lengthOf(providerData));
    this.#partialCalls.set(key, { toolCallId, toolName, originalId, arguments: "", hasEnded: false });
    this.#content.push({ type: "tool-call", toolCallId, ...(providerData && { providerData }) });
  }

  /** Whether a call of that key has begun and not ended. */
  hasOpenToolCall(key: string | number): boolean {
    return this.#partialCalls.get(key)?.hasEnded === false;
  }

  /** The keys of the calls that have begun and not ended, in order. */
  get openToolCalls(): readonly (string | number)[] {
    return [...this.#partialCalls].filter(([, call]) => !call.hasEnded).map(([key]) => key);
  }

  /** Adds a piece of a call's arguments. The call must have begun. */
  toolInput(key: string | number, piece: string): ModelEvent {
    const call = this.#openCall(key);
    this.#reserve(piece.length);
    call.arguments += piece;
    return { type: "tool-input-delta", toolCallId: call.toolCallId, toolName: call.toolName, text: piece };
  }

  /** The pieces of a call's arguments, put together. The call must have begun. */
  toolInputSoFar(key: string | number): string {
    return this.#openCall(key).arguments;
  }

  /** Ends a call. Give `finalArguments` where the provider states them whole at the end. */
  endToolCall(key: string | number, finalArguments?: string): ModelEvent {
    const call = this.#openCall(key);
    const { toolCallId, toolName, originalId } = call;
    // Left in its place: a map that loses its last entry is made again.
    call.hasEnded = true;
    const toolCall: ToolCall = {
      toolCallId,
      toolName,
      arguments: finalArguments ?? call.arguments,
      ...(originalId !== undefined && { originalId }),
    };
    this.#toolCalls.push(toolCall);
    return { type: "tool-call", toolCall };
  }

  /** Takes back a call that has begun, be it over or not: it is not part of the answer. */
  dropToolCall(key: string | number): void {
    const call = this.#partialCalls.get(key);
    if (!call) return;
    call.hasEnded = true;
    const place = this.#toolCalls.findLastIndex(({ toolCallId }) => toolCallId === call.toolCallId);
    if (place >= 0) this.#toolCalls.splice(place, 1);
  }

  /** Makes the last event. Calls still open are dropped: a caller that cut them short must say so in `finishReason`. */
  finish(end: GenerationEnd): ModelEvent {
    const content: AssistantPart[] = [];
    const toolCalls: ToolCall[] = [];
    this.#placed = 0;
    this.#outOfOrder = undefined;
    for (const part of end.content ?? this.#content) {
      if (end.content) this.#reserve(this.#lengthOf(part.providerData));
      const call = part.type === "tool-call" ? this.#takeEnded(part.toolCallId) : undefined;
      if (call) toolCalls.push(call);
      if (call || part.type !== "tool-call") content.push(part);
    }
    const message: AssistantMessage = { role: "assistant", content, toolCalls };
    const usage = end.usage ?? unknownUsage;
    const generation: Generation = {
      text: this.#text,
      message,
      toolCalls,
      finishReason: end.finishReason,
      rawFinishReason: end.rawFinishReason,
      usage,
      ...(end.rateLimit && { rateLimit: end.rateLimit }),
      ...(end.logprobs && { logprobs: end.logprobs }),
      ...(end.refusal !== undefined && { refusal: end.refusal }),
      ...(end.shouldContinue && { shouldContinue: true }),
      response: end.response,
      timing: this.#timing(usage.outputTokens),
      warnings: end.warnings ?? [],
    };
    return { type: "finish", generation };
  }

  /** The first call of that id which has ended and was not taken: a model may give one id to several. */
  #takeEnded(toolCallId: string): ToolCall | undefined {
    // Nearly always calls end in the order in which they begin.
    if (!this.#outOfOrder && this.#toolCalls[this.#placed]?.toolCallId === toolCallId)
      return this.#toolCalls[this.#placed++];
    this.#outOfOrder ??= Map.groupBy(this.#toolCalls.slice(this.#placed), (call) => call.toolCallId);
    return this.#outOfOrder.get(toolCallId)?.shift();
  }

  #append(type: "text" | "reasoning", piece: string): void {
    this.#markFirstToken();
    this.#reserve(piece.length);
    if (this.#openPart?.type === type) {
      this.#openPart.text += piece;
      return;
    }
    this.#openPart = { type, text: piece };
    this.#content.push(this.#openPart);
  }

  #reserve(length: number): void {
    this.#room -= length;
    if (this.#room < 0) throw answerTooLong(this.#source);
  }

  #lengthOfPart(part: AssistantPart): number {
    const data = this.#lengthOf(part.providerData);
    if ("url" in part) return part.url.length + data;
    return "text" in part ? part.text.length + data : data;
  }

  #lengthOf(value: object | undefined): number {
    if (!value) return 0;
    try {
      return JSON.stringify(value).length;
    } catch (cause) {
      throw answerTooDeep(this.#source, cause);
    }
  }

  #openCall(key: string | number): PartialCall {
    const call = this.#partialCalls.get(key);
    if (!call || call.hasEnded) throw new TypeError(`no tool call with the key ${String(key)} has begun`);
    return call;
  }

  #markFirstToken(): void {
    this.#firstTokenAt ??= performance.now();
  }

  #timing(outputTokens: number | undefined): Generation["timing"] {
    const now = performance.now();
    const first = this.#firstTokenAt;
    const seconds = first === undefined ? 0 : (now - first) / 1000;
    return {
      firstTokenMs: first === undefined ? undefined : first - this.#startedAt,
      totalMs: now - this.#startedAt,
      tokensPerSecond: outputTokens === undefined || seconds === 0 ? undefined : outputTokens / seconds,
    };
  }
}
