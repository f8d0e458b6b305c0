import type { FinishReason, Usage } from "../../../message/messages.ts";
import type { AssistantPart } from "../../../message/parts.ts";
import type { AnswerDecoder } from "../../../model/answer-stream.ts";
import type { GenerationBuilder } from "../../../model/generation-builder.ts";
import type { ModelEvent, TokenLogprob } from "../../../model/types.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { rateLimitOf } from "../rate-limit.ts";
import { type AnswerContext, parseChunk } from "../protocol.ts";
import {
  asCount,
  asIndex,
  argumentsPiece,
  asObject,
  asObjects,
  asText,
  isFailure,
  isJsonObject,
  requireObject,
  wholeArguments,
  textPiece,
} from "../../kit/json-values.ts";
import { readOpenAICall } from "../../kit/hosted-calls/openai.ts";
import { hostedEvents, type OpenCalls } from "../../kit/hosted-calls/shape.ts";
import { secondAnswer } from "../../kit/answer-ids.ts";
import { cutReasonOf, endWarnings } from "../../kit/finish-reasons.ts";
import { logprobOf } from "../wire-values.ts";
import { ItemSlots } from "./item-slots.ts";
import {
  type AnsweredCall,
  compareInput,
  isSameCalls,
  isSameText,
  type ItemSlot,
  statedText,
  textIn,
  partsOf,
  reasoningOf,
  requestWarnings,
  statedInput,
  textOf,
} from "./items.ts";

/** The fields of a response that are read at its end. */
const responseFields = ["id", "model", "status", "usage", "incomplete_details"] as const;

/** The states of a call that is whole. */
const wholeCalls: ReadonlySet<unknown> = new Set(["completed", undefined, null, ""]);

/** Reads the events of the Responses API, or a whole response. */
export class ResponsesDecoder implements AnswerDecoder {
  readonly #context: AnswerContext;
  readonly #builder: GenerationBuilder;
  readonly #slots = new ItemSlots((slot) => this.#inputOf(slot));
  readonly #logprobs: TokenLogprob[] = [];
  readonly #openCalls: OpenCalls = { running: new Map() };
  #refusal = "";
  /** The newest state of the response as a whole. */
  #response: JsonObject = {};
  /** The id that the response began with: a gateway may rename it later. */
  #firstId = "";
  #isComplete = false;

  /** Whether a `[DONE]` has come, which some servers add. */
  isComplete = false;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#builder = context.builder;
  }

  push(data: string, events: ModelEvent[]): void {
    const event = parseChunk(data, this.#context.answer);
    if (!event) this.isComplete = true;
    // What follows the end is not part of the answer, but may say that it failed.
    else if (!this.#isComplete || isFailure(event) || event["type"] === "response.failed")
      this.#event(event, events);
  }

  pushWhole(value: unknown, events: ModelEvent[]): void {
    this.#event(requireObject(value, this.#context.answer), events);
  }

  end(events: ModelEvent[]): void {
    const { answer, provider, modelId, warnings } = this.#context;
    if (!this.#isComplete) {
      throw answer.malformed("ended its stream before the answer was complete.", {
        isRetryable: this.#slots.size === 0,
      });
    }
    const calls = this.#slots.inOrder.filter((slot) => slot.toolCallId !== undefined);
    if (new Set(calls.map(({ isDone }) => isDone)).size > 1)
      throw answer.malformed("ended some of its calls, and others not.");
    this.#assertTexts();
    const content: AssistantPart[] = [];
    for (const slot of this.#slots.inOrder) {
      content.push(...partsOf(slot, provider));
      if (slot.early !== "") throw answer.malformed("sent a piece of a call that it did not name.");
      if (slot.toolCallId === undefined) continue;
      events.push(
        ...this.#context.calls.end(slot.key, wholeArguments(slot.item["arguments"], answer) || undefined),
      );
    }
    const end = this.#finishReason();
    const usage = this.#response["usage"];
    events.push(
      this.#builder.finish({
        content,
        ...end,
        usage: isJsonObject(usage) ? usageOf(usage) : undefined,
        rateLimit: rateLimitOf(answer.headers),
        logprobs: this.#logprobs.length > 0 ? this.#logprobs : undefined,
        refusal: this.#refusal || undefined,
        response: {
          id: asText(this.#response["id"]) || undefined,
          modelId: asText(this.#response["model"]) || modelId,
          headers: answer.headers,
        },
        warnings: [
          ...warnings,
          ...requestWarnings(this.#slots.inOrder, provider),
          ...endWarnings(end.finishReason, end.rawFinishReason),
        ],
      }),
    );
  }

  /** @throws MalformedResponseError if text has come for an item that is not a message, or never ended, beside one that did: it may be the same text. */
  #assertTexts(): void {
    const texts = this.#slots.inOrder.filter(({ texts }) => texts.size > 0);
    const whole = texts.filter(({ item, isDone }) => isDone && item["type"] === "message");
    if (whole.length > 0 && whole.length < texts.length)
      throw this.#context.answer.malformed("sent text without saying of which message.");
  }

  #event(event: JsonObject, events: ModelEvent[]): void {
    const type = asText(event["type"]);
    if (type === "response.output_text.delta") this.#text(event, events);
    else if (type === "response.function_call_arguments.delta") this.#arguments(event, events);
    else if (/^response\.reasoning(?:_summary)?_text\.delta$/.test(type)) this.#reasoning(event, events);
    else if (type === "response.refusal.delta") this.#refuse(event, events);
    else if (type === "response.reasoning_summary_part.added") this.#separate(event, events);
    else if (type === "response.function_call_arguments.done") this.#argumentsDone(event, events);
    else if (type === "response.output_item.added") this.#added(event, events);
    else if (type === "response.output_item.done") this.#done(event, asObject(event["item"]), events);
    else if (isJsonObject(event["response"])) this.#whole(event["response"], type, events);
    else if (event["object"] === "response") this.#whole(event, "response.completed", events);
    else if (isFailure(event)) throw this.#context.answer.failure(event);
  }

  /** @throws MalformedResponseError if a piece may belong to several items. */
  #certain(slot: ItemSlot | undefined): ItemSlot {
    if (slot) return slot;
    throw this.#context.answer.malformed("sent a piece without saying of which item.");
  }

  #slot(event: JsonObject, type: string): ItemSlot {
    return this.#certain(this.#slots.ofPiece(event, type));
  }

  #added(event: JsonObject, events: ModelEvent[]): void {
    const item = asObject(event["item"]);
    const slot = this.#certain(this.#slots.ofStart(event, item));
    slot.item = item;
    this.#builder.countPart();
    this.#startCall(slot, events);
    for (const { type, call } of hostedEvents(readOpenAICall, { item }, this.#openCalls))
      events.push({ type, call: { ...call, status: "running" } });
  }

  #done(event: JsonObject, item: JsonObject, events: ModelEvent[]): void {
    this.#settle(this.#certain(this.#slots.ofEnd(event, item)), item, events);
  }

  /** The arguments that have come for an item. */
  #inputOf(slot: ItemSlot): string {
    const stated = slot.isDone ? statedInput(slot.item) : "";
    if (stated !== "") return stated;
    return slot.toolCallId === undefined ? slot.early : this.#builder.toolInputSoFar(slot.key);
  }

  /** @throws MalformedResponseError if a call ends with other arguments than have come for it. */
  #assertInput(slot: ItemSlot, item: JsonObject): void {
    if (compareInput(this.#inputOf(slot), item) === "other")
      throw this.#context.answer.malformed("ended a call with other arguments than it sent before.");
  }

  /** @throws MalformedResponseError if a message ends with another text than has come for it: a piece was lost, repeated or moved. */
  #assertText(slot: ItemSlot, item: JsonObject): void {
    if (item["type"] !== "message" || isSameText(slot, asObjects(item["content"]).map(textOf))) return;
    throw this.#context.answer.malformed("ended a text otherwise than it sent it before.");
  }

  /** Stores a complete item, and emits the content that no delta had. */
  #settle(slot: ItemSlot, item: JsonObject, events: ModelEvent[]): void {
    this.#assertInput(slot, item);
    this.#assertText(slot, item);
    if (slot.isDone) return;
    slot.item = item;
    slot.isDone = true;
    this.#builder.countPart();
    this.#startCall(slot, events);
    events.push(...hostedEvents(readOpenAICall, { item }, this.#openCalls));
    if (item["type"] === "function_call")
      this.#emitArguments(slot, wholeArguments(item["arguments"], this.#context.answer), events);
    if (item["type"] === "reasoning" && slot.reasoning === "")
      this.#addReasoning(slot, reasoningOf(item), events);
    if (item["type"] !== "message") return;
    for (const [index, content] of asObjects(item["content"]).entries()) {
      if (slot.texts.has(index)) continue;
      const text = textOf(content);
      this.#addText(slot, index, text, events);
      if (content["type"] === "refusal") this.#refusal += text;
      this.#addLogprobs(content["logprobs"]);
    }
  }

  #text(event: JsonObject, events: ModelEvent[]): void {
    const text = textPiece(event["delta"], this.#context.answer);
    this.#addText(this.#slot(event, "message"), asIndex(event["content_index"]) ?? 0, text, events);
    if (event["logprobs"] !== undefined) this.#addLogprobs(event["logprobs"]);
  }

  #addLogprobs(values: unknown): void {
    const logprobs = asObjects(values).map(logprobOf);
    for (const logprob of this.#builder.count(logprobs)) this.#logprobs.push(logprob);
  }

  #refuse(event: JsonObject, events: ModelEvent[]): void {
    const text = textPiece(event["delta"], this.#context.answer);
    this.#refusal += text;
    this.#addText(this.#slot(event, "message"), asIndex(event["content_index"]) ?? 0, text, events);
  }

  #addText(slot: ItemSlot, index: number, text: string, events: ModelEvent[]): void {
    if (text === "") return;
    slot.texts.set(index, (slot.texts.get(index) ?? "") + text);
    events.push(this.#builder.text(text));
  }

  #reasoning(event: JsonObject, events: ModelEvent[]): void {
    this.#addReasoning(this.#slot(event, "reasoning"), asText(event["delta"]), events);
  }

  /** The parts of a summary are paragraphs. */
  #separate(event: JsonObject, events: ModelEvent[]): void {
    const slot = this.#slot(event, "reasoning");
    if (slot.reasoning !== "") this.#addReasoning(slot, "\n\n", events);
  }

  #addReasoning(slot: ItemSlot, text: string, events: ModelEvent[]): void {
    if (text === "") return;
    slot.reasoning += text;
    events.push(this.#builder.reasoning(text));
  }

  #startCall(slot: ItemSlot, events: ModelEvent[]): void {
    const { item } = slot;
    if (item["type"] !== "function_call" || slot.toolCallId !== undefined) return;
    const name = asText(item["name"]);
    if (name === "" && !slot.isDone) return;
    const { calls, names } = this.#context;
    slot.toolCallId = calls.start(
      slot.key,
      asText(item["call_id"]) || asText(item["id"]),
      names.original(name),
    );
    this.#emitArguments(slot, slot.early, events);
    slot.early = "";
  }

  #arguments(event: JsonObject, events: ModelEvent[]): void {
    const slot = this.#slot(event, "function_call");
    const { answer } = this.#context;
    if (event["delta"] === undefined)
      throw answer.malformed("sent a piece of a call's arguments that cannot be read.");
    const piece = argumentsPiece(event["delta"], answer);
    if (piece === "") return;
    if (slot.isDone) throw answer.malformed("sent a piece of a call after its end.");
    if (slot.toolCallId === undefined) slot.early += piece;
    else events.push(this.#builder.toolInput(slot.key, piece));
  }

  #argumentsDone(event: JsonObject, events: ModelEvent[]): void {
    const slot = this.#slot(event, "function_call");
    const whole = wholeArguments(event["arguments"], this.#context.answer);
    this.#assertInput(slot, { arguments: whole });
    if (slot.toolCallId !== undefined) this.#emitArguments(slot, whole, events);
    else if (slot.early === "") slot.early = whole;
  }

  /** Emits the complete arguments if no delta had any. The call must have started. */
  #emitArguments(slot: ItemSlot, whole: string, events: ModelEvent[]): void {
    if (whole === "" || this.#builder.toolInputSoFar(slot.key) !== "") return;
    events.push(this.#builder.toolInput(slot.key, whole));
  }

  /** @throws MalformedResponseError if another response has begun. */
  #begin(id: string): void {
    const isOther = id !== this.#firstId && this.#firstId !== "";
    if (isOther && this.#slots.size > 0) throw this.#context.answer.malformed(secondAnswer);
    this.#firstId = id;
  }

  #whole(response: JsonObject, type: string, events: ModelEvent[]): void {
    if (type === "response.created") this.#begin(asText(response["id"]));
    // Only what the end needs: a server may send many, each with more.
    for (const field of responseFields)
      if (response[field] !== undefined) this.#response = { ...this.#response, [field]: response[field] };
    const status = asText(response["status"]);
    if (type === "response.failed" || status === "failed") throw this.#context.answer.failure(response);
    if (type !== "response.completed" && type !== "response.incomplete") return;
    this.#isComplete = true;
    // A server may contradict itself: what it calls incomplete must not be acted on.
    if (type === "response.incomplete" && /^(?:completed)?$/.test(asText(this.#response["status"])))
      this.#response = { ...this.#response, status: "incomplete" };
    const { output } = response;
    const items = asObjects(output);
    if (output && !(Array.isArray(output) && output.length === items.length))
      throw this.#context.answer.malformed("sent an output that cannot be read.");
    this.#listed(this.#slots.ofOutput(items), events);
  }

  /** @throws MalformedResponseError if the answer ends with a list of other calls than have come. */
  #listed(listed: readonly (readonly [JsonObject, ItemSlot])[], events: ModelEvent[]): void {
    for (const [item, slot] of listed) this.#settle(slot, item, events);
    const calls = listed.flatMap(([item]) => (item["type"] === "function_call" ? [callOf(item, "")] : []));
    const answered = this.#slots.inOrder.flatMap((slot) =>
      slot.toolCallId === undefined ? [] : [callOf(slot.item, this.#inputOf(slot))],
    );
    // A list without anything is a habit of gateways.
    if (listed.length > 0 && !isSameCalls(calls, answered))
      throw this.#context.answer.malformed("listed other calls at its end than it answered before.");
    const texts = this.#slots.inOrder.map(textIn).join("");
    const stated = listed.map(([item]) => statedText(item)).join("");
    if (stated !== "" && stated !== texts)
      throw this.#context.answer.malformed("listed another text at its end than it answered before.");
  }

  #finishReason(): { finishReason: FinishReason; rawFinishReason: string | undefined } {
    const calls = this.#slots.inOrder.filter((slot) => slot.toolCallId !== undefined);
    const isCut = calls.some(({ item }) => item["status"] === "incomplete");
    const status = isCut ? "incomplete" : asText(this.#response["status"]);
    const why = asText(asObject(this.#response["incomplete_details"])["reason"]);
    // Any unknown reason counts as `length`: the calls of a truncated answer must not be executed.
    if (status === "incomplete" || why !== "")
      return { finishReason: cutReasonOf(why) ?? "length", rawFinishReason: why || status };
    const rawFinishReason = status || undefined;
    if (status !== "completed" && status !== "")
      return { finishReason: cutReasonOf(status) ?? "other", rawFinishReason };
    // A response may be completed without a word of whether its calls are.
    if (calls.some(({ item, isDone }) => !isDone || !wholeCalls.has(item["status"])))
      return { finishReason: "other", rawFinishReason };
    return { finishReason: calls.length > 0 ? "tool-calls" : "stop", rawFinishReason };
  }
}

/** @param input - The arguments, where the item itself states none. */
function callOf(item: JsonObject, input: string): AnsweredCall {
  return [asText(item["call_id"]), asText(item["name"]), statedInput(item) || input];
}

function usageOf(usage: JsonObject): Usage {
  const cached = asCount(asObject(usage["input_tokens_details"])["cached_tokens"]);
  const cacheWrite = asCount(asObject(usage["input_tokens_details"])["cache_write_tokens"]);
  const reasoning = asCount(asObject(usage["output_tokens_details"])["reasoning_tokens"]);
  const inputTokens = asCount(usage["input_tokens"]);
  const outputTokens = asCount(usage["output_tokens"]);
  const isSummable = inputTokens !== undefined && outputTokens !== undefined;
  return {
    inputTokens,
    outputTokens,
    totalTokens: asCount(usage["total_tokens"]) ?? (isSummable ? inputTokens + outputTokens : undefined),
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}
