import type { Message } from "../../message/messages.ts";
import type { AnswerDecoder } from "../../model/answer-stream.ts";
import type { GenerationBuilder } from "../../model/generation-builder.ts";
import { parseJson, type PostAnswer } from "../../model/http.ts";
import type { ModelEvent } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import {
  endWarningsOf,
  finishReasonOf,
  shouldContinue,
  rateLimitOf,
  refusalOf,
  UsageCounter,
} from "./answer.ts";
import { type BlockTarget, type OpenBlock, openBlock } from "./blocks.ts";
import { containerType } from "./container.ts";
import { AnswerCalls } from "../kit/answer-calls.ts";
import { repeatedCall } from "../kit/answer-calls.ts";
import { secondAnswer } from "../kit/answer-ids.ts";
import { laterReason } from "../kit/finish-reasons.ts";
import { readAnthropicCall } from "../kit/hosted-calls/anthropic.ts";
import { openCallsIn } from "../kit/hosted-calls/shape.ts";
import type { ToolNames } from "../kit/tool-names.ts";
import { asIndex, isFailure, isJsonObject, stringIn, withExactArguments } from "../kit/json-values.ts";
import { type ReplayedBlock, typedObject } from "./wire.ts";

/** What a decoder needs to read an answer. */
export interface DecoderOptions {
  readonly provider: string;
  /** The requested model; the answer may name a more exact one. */
  readonly modelId: string;
  readonly builder: GenerationBuilder;
  readonly names: ToolNames;
  /** The ids of the calls in the history: the answer's calls must have other ids. */
  readonly usedIds: ReadonlySet<string>;
  /** The conversation so far: the answer may go on with the work of a paused one. */
  readonly history?: readonly Message[];
  readonly warnings: readonly string[];
  readonly answer: Pick<PostAnswer, "headers" | "failure" | "malformed">;
}

/**
 * Reads the events of one answer (https://platform.claude.com/docs/en/build-with-claude/streaming).
 * Events of unknown types are ignored; blocks of unknown types are stored as provider parts. A second `message_start` changes nothing
 * if it has the same id. With another one it starts the answer over, or is an error if the answer had content.
 */
export class MessageDecoder implements AnswerDecoder {
  readonly #options: DecoderOptions;
  readonly #target: BlockTarget;
  readonly #blocks = new Map<number, OpenBlock>();
  #usage = new UsageCounter();
  /** The list that receives the events. */
  #events: ModelEvent[] = [];
  #hasOutput = false;
  #hasStarted = false;
  /** The places of the blocks so far, once the start of the message has come again: none of them may. */
  #repeated: ReadonlySet<number> = new Set();
  readonly #places = new Set<number>();
  #hasCalls = false;
  #id: string | undefined;
  #modelId: string;
  #stopReason: string | undefined;
  #stopDetails: JsonObject | undefined;
  /** The container in which the API's own tools worked: the next request has to name it. */
  #container: JsonObject | undefined;
  /** Whether the event came that says why the answer ends, with or without a reason. */
  #hasEnd = false;
  #isComplete = false;

  constructor(options: DecoderOptions) {
    const { provider, builder, names, usedIds, history = [], answer } = options;
    this.#options = options;
    this.#modelId = options.modelId;
    const emit = (event: ModelEvent): void => {
      this.#hasOutput = true;
      this.#hasCalls ||= event.type === "tool-call";
      this.#events.push(event);
    };
    this.#target = {
      provider,
      builder,
      names,
      answer,
      calls: new AnswerCalls(builder, usedIds),
      openCalls: openCallsIn(history, { provider, read: readAnthropicCall }),
      emit,
      hasEmptyInput: false,
    };
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** @throws ModelError if the provider reports a failure. */
  push(data: string, events: ModelEvent[]): void {
    const { answer } = this.#options;
    const value = parseJson(data, answer);
    const event = typedObject(isJsonObject(value) ? withExactArguments(value, data, hasInput) : value);
    this.#events = events;
    if (event) this.#dispatch(event);
    // Gateways report failures in their own form.
    else if (isJsonObject(value) && isFailure(value)) throw answer.failure(value);
  }

  pushWhole(value: unknown, events: ModelEvent[]): void {
    const { answer } = this.#options;
    if (isJsonObject(value) && isFailure(value)) throw answer.failure(value);
    const message = typedObject(value);
    const content = message?.["content"];
    if (!message || !Array.isArray(content))
      throw answer.malformed("answered with JSON that is not a message.");
    this.#events = events;
    this.#start(message);
    for (const [index, block] of content.entries()) {
      this.#openBlock(index, typedObject(block));
      this.#closeBlock(index);
    }
    this.#hasEnd = true;
    this.#isComplete = true;
  }

  /** @throws MalformedResponseError if the answer is truncated; retryable if it had no output yet. */
  end(events: ModelEvent[]): void {
    const { answer, builder, warnings } = this.#options;
    const reason = finishReasonOf(this.#stopReason, this.#hasCalls);
    // Every block begins with an empty input: only a known ending says that there was none to come.
    const finishReason = reason === "other" && this.#target.hasEmptyInput ? "length" : reason;
    const isCut =
      (builder.openToolCalls.length > 0 && finishReason !== "length") ||
      // The start of the call was lost, or why the answer ended.
      (this.#hasCalls || !this.#hasEnd ? this.#stopReason === undefined : finishReason === "tool-calls");
    if (!this.#isComplete || isCut) {
      throw answer.malformed("sent a truncated answer.", { isRetryable: !this.#hasOutput });
    }
    if (this.#container) {
      const data = { ...this.#container, type: containerType };
      builder.part({ type: "provider", providerData: { provider: this.#options.provider, data } });
    }
    events.push(
      builder.finish({
        finishReason,
        rawFinishReason: this.#stopReason,
        usage: this.#usage.total(),
        rateLimit: rateLimitOf(answer.headers),
        refusal: refusalOf(this.#stopReason, this.#stopDetails),
        shouldContinue: shouldContinue(this.#stopReason),
        response: { id: this.#id, modelId: this.#modelId, headers: answer.headers },
        warnings: [...warnings, ...endWarningsOf(finishReason, this.#stopReason)],
      }),
    );
  }

  #dispatch(event: ReplayedBlock): void {
    const index = asIndex(event["index"]);
    switch (event.type) {
      case "message_start":
        return this.#start(isJsonObject(event["message"]) ? event["message"] : undefined);
      case "content_block_start":
        return this.#openBlock(index, typedObject(event["content_block"]));
      case "content_block_delta":
        return this.#delta(index, typedObject(event["delta"]));
      case "content_block_stop":
        return this.#closeBlock(index);
      case "message_delta":
        this.#hasEnd = true;
        return this.#readFields({
          ...(isJsonObject(event["delta"]) && event["delta"]),
          usage: event["usage"],
        });
      case "message_stop":
        this.#isComplete = true;
        return;
      case "error":
        throw this.#options.answer.failure(event);
    }
  }

  #start(message: JsonObject | undefined): void {
    const id = stringIn(message, "id");
    if (this.#hasStarted) {
      if (id !== undefined && id === this.#id) {
        this.#repeated = new Set(this.#places);
        return;
      }
      this.#restart();
    }
    this.#hasStarted = true;
    this.#id = id;
    this.#modelId = stringIn(message, "model") ?? this.#modelId;
    if (message) this.#readFields(message);
  }

  #restart(): void {
    // Nothing of two answers in one is certain.
    if (this.#places.size > 0)
      throw this.#options.answer.malformed(secondAnswer, {
        isRetryable: !this.#hasOutput,
      });
    this.#usage = new UsageCounter();
    this.#stopReason = undefined;
    this.#stopDetails = undefined;
    this.#container = undefined;
  }

  #openBlock(index: number | undefined, block: ReplayedBlock | undefined): void {
    const { builder, answer } = this.#options;
    if (!block) throw answer.malformed("started a content block that cannot be read.");
    if (index === undefined) throw answer.malformed("started a content block without an index.");
    if (builder.hasOpenToolCall(index)) {
      throw answer.malformed("started a content block at the index of a call that has not ended.");
    }
    if (this.#repeated.has(index)) throw answer.malformed("sent a content block twice.");
    // It may be a call that came before, under another id or without one.
    const mayRepeat = this.#hasEnd || (this.#places.has(index) && !stringIn(block, "id"));
    if (block.type === "tool_use" && mayRepeat) throw answer.malformed(repeatedCall);
    this.#places.add(index);
    this.#blocks.set(index, openBlock(index, block, this.#target));
  }

  /** What kind of piece an unreadable one is, its block has to say: it may be a part of a call's arguments. */
  #delta(index: number | undefined, delta: ReplayedBlock = { type: "" }): void {
    const block = this.#blocks.get(index ?? -1);
    if (!block) throw this.#options.answer.malformed("sent a piece of a content block that has not started.");
    block.delta(delta);
  }

  #closeBlock(index = -1): void {
    this.#blocks.get(index)?.stop();
    this.#blocks.delete(index);
  }

  /** Reads the fields of the answer as a whole, from a message or a `message_delta`. */
  #readFields(fields: JsonObject): void {
    this.#stopReason = laterReason(this.#stopReason, stringIn(fields, "stop_reason"));
    if (isJsonObject(fields["stop_details"])) this.#stopDetails = fields["stop_details"];
    if (isJsonObject(fields["container"])) this.#container = fields["container"];
    this.#usage.update(fields["usage"]);
  }
}

/** Whether a block begins with its whole input, as some gateways send it. */
function hasInput({ content_block: block }: JsonObject): boolean {
  const input = isJsonObject(block) ? block["input"] : undefined;
  return isJsonObject(input) && Object.keys(input).length > 0;
}
