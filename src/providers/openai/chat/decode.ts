import type { FinishReason, Usage } from "../../../message/messages.ts";
import type { ProviderData } from "../../../message/parts.ts";
import type { AnswerDecoder } from "../../../model/answer-stream.ts";
import type { GenerationBuilder } from "../../../model/generation-builder.ts";
import type { ModelEvent, TokenLogprob } from "../../../model/types.ts";
import type { JsonObject, JsonValue } from "../../../base/util/json.ts";
import { rateLimitOf } from "../rate-limit.ts";
import { type AnswerContext, parseChunk } from "../protocol.ts";
import {
  asCount,
  asIndex,
  asObject,
  asObjects,
  asText,
  isFailure,
  isJsonObject,
  requireObject,
  textPiece,
} from "../../kit/json-values.ts";
import { AnswerIds, secondAnswer } from "../../kit/answer-ids.ts";
import { endWarnings, finishReasonFor, laterReason } from "../../kit/finish-reasons.ts";
import { logprobOf } from "../wire-values.ts";
import { Extras } from "./extras.ts";
import { ReasoningDetails } from "./reasoning-details.ts";
import { ToolCallAssembler } from "./tool-calls.ts";

/** Why an answer is whole. `eos` and its like come from Hugging Face, Together, Mistral and Z.ai. */
const goodReasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ["stop", "stop"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["eos", "stop"],
  ["eos_token", "stop"],
]);

const unreadableCalls = "sent calls that cannot be read.";

/** Reads the chunks of a Chat Completions stream, or a whole completion as one chunk. */
export class ChatDecoder implements AnswerDecoder {
  readonly #context: AnswerContext;
  readonly #builder: GenerationBuilder;
  readonly #calls: ToolCallAssembler;
  readonly #details = new ReasoningDetails();
  readonly #extras = new Extras();
  readonly #logprobs: TokenLogprob[] = [];
  readonly #ids = new AnswerIds();
  /** The field of the open reasoning part. */
  #openReasoning: string | undefined;
  #isRefusing = false;
  #refusal = "";
  #id: string | undefined;
  #modelId: string | undefined;
  #usage: Usage | undefined;
  #rawFinishReason: string | undefined;
  #hasChoice = false;
  #hasPieces = false;
  #hasOddContent = false;
  #hasOddCalls = false;
  #isDone = false;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#builder = context.builder;
    this.#calls = new ToolCallAssembler(context);
  }

  get isComplete(): boolean {
    return this.#isDone;
  }

  push(data: string, events: ModelEvent[]): void {
    const chunk = parseChunk(data, this.#context.answer);
    if (chunk) this.#chunk(chunk, events);
    else this.#isDone = true;
  }

  pushWhole(value: unknown, events: ModelEvent[]): void {
    this.#chunk(requireObject(value, this.#context.answer), events);
    this.#isDone = true;
  }

  end(events: ModelEvent[]): void {
    const { answer, warnings } = this.#context;
    const finishReason = this.#finishReason();
    // A reason that Skein knows ends an answer, too: some servers send no [DONE]. One that it does not may have been cut itself.
    const hasEnd = this.#rawFinishReason !== undefined && (finishReason !== "other" || this.#calls.isEmpty);
    if (!this.#isDone && !hasEnd) {
      throw answer.malformed("ended its stream before the answer was complete.", {
        isRetryable: !this.#hasChoice,
      });
    }
    if (!this.#hasChoice) throw answer.malformed("sent no choices.", { isRetryable: true });
    if ((this.#hasOddContent || this.#hasOddCalls) && this.#lacksCalls)
      throw answer.malformed(unreadableCalls);
    this.#endPart();
    const details = this.#details.merged;
    if (details.length > 0) {
      this.#builder.part({ type: "provider", providerData: this.#own({ reasoning_details: details }) });
    }
    const extras = this.#extras.all;
    if (extras) this.#builder.part({ type: "provider", providerData: this.#own(extras) });
    this.#calls.end(events);
    events.push(
      this.#builder.finish({
        finishReason,
        rawFinishReason: this.#rawFinishReason,
        usage: this.#usage,
        rateLimit: rateLimitOf(answer.headers),
        logprobs: this.#logprobs.length > 0 ? this.#logprobs : undefined,
        refusal: this.#refusal || undefined,
        response: {
          id: this.#id,
          modelId: this.#modelId ?? this.#context.modelId,
          headers: answer.headers,
        },
        warnings: [...warnings, ...this.#endWarnings(finishReason)],
      }),
    );
  }

  #chunk(chunk: JsonObject, events: ModelEvent[]): void {
    const { answer } = this.#context;
    const groq = asObject(chunk["x_groq"]);
    if (isFailure(chunk)) throw answer.failure(chunk);
    if (groq["error"]) throw answer.failure(groq);
    this.#id ||= asText(chunk["id"]) || undefined;
    this.#modelId ||= asText(chunk["model"]) || undefined;
    const usage = chunk["usage"] ?? groq["usage"];
    if (isJsonObject(usage)) this.#usage = usageOf(usage);
    this.#extras.addFromChunk(chunk);
    for (const choice of asObjects(chunk["choices"])) {
      // Only the first of several answers (providerOptions.n) is read.
      if ((asIndex(choice["index"]) ?? 0) !== 0) continue;
      this.#refuseSecond(asText(chunk["id"]), asObject(choice["delta"]));
      this.#choice(choice, events);
    }
  }

  /** @throws MalformedResponseError if a piece belongs to a second answer. */
  #refuseSecond(id: string, piece: JsonObject): void {
    const isStart = Boolean(piece["role"]) || (!this.#calls.isEmpty && beginsCalls(piece));
    if (this.#ids.isSecond({ id, hasOutput: hasOutput(piece), isStart }))
      throw this.#context.answer.malformed(secondAnswer);
  }

  /** Checks for a field before reading it, for speed: there are many deltas, and most have one field. */
  #choice(choice: JsonObject, events: ModelEvent[]): void {
    if (choice["error"]) throw this.#context.answer.failure(choice);
    this.#hasChoice = true;
    const { message, logprobs, delta: part } = choice;
    this.#hasOddContent ||= isOdd(message) || isOdd(part);
    const piece = asObject(part);
    this.#hasPieces ||= Object.keys(piece).length > 0;
    // Some servers send the whole message beside its pieces, or after them.
    const isWhole = isJsonObject(message) && !this.#hasPieces;
    const delta = isWhole ? message : piece;
    this.#readReasoning(delta, events);
    if (delta["content"]) this.#readContent(delta["content"], events);
    if (delta["images"]) this.#readImages(delta["images"]);
    this.#extras.addFromMessage(delta);
    const refusal = asText(delta["refusal"]);
    if (refusal) this.#addRefusal(refusal, events);
    const { tool_calls: calls, function_call: legacy } = delta;
    const entries = calls ? asObjects(calls) : [];
    if (calls && !(Array.isArray(calls) && calls.every((each) => each === null || isJsonObject(each))))
      throw this.#context.answer.malformed(unreadableCalls);
    this.#hasOddCalls ||= Array.isArray(calls) && calls.length > entries.length;
    for (const entry of entries) this.#call(entry, isWhole, events);
    // Some servers write a call in both forms.
    if (legacy && entries.length === 0) this.#call({ function: legacy }, isWhole, events);
    if (isJsonObject(logprobs)) this.#addLogprobs(logprobs["content"]);
    const end = asText(choice["finish_reason"]);
    if (end !== "") {
      this.#ids.end();
      this.#calls.noteEnding();
    }
    this.#rawFinishReason = laterReason(this.#rawFinishReason, end);
  }

  #addLogprobs(values: unknown): void {
    const logprobs = asObjects(values).map(logprobOf);
    for (const logprob of this.#builder.count(logprobs)) this.#logprobs.push(logprob);
  }

  #call(entry: JsonObject, isWhole: boolean, events: ModelEvent[]): void {
    if (entry["function"] && !isJsonObject(entry["function"]))
      throw this.#context.answer.malformed(unreadableCalls);
    this.#endPart();
    this.#calls.add(entry, isWhole, events);
  }

  #readReasoning(delta: JsonObject, events: ModelEvent[]): void {
    const value = delta["reasoning_details"];
    const details = value ? asObjects(value) : undefined;
    if (details) for (const detail of details) this.#details.add(detail);
    // Servers that support several names send the same text under each.
    const content = asText(delta["reasoning_content"]);
    if (content) return this.#addReasoning(content, "reasoning_content", events);
    const reasoning = asText(delta["reasoning"]);
    if (reasoning) return this.#addReasoning(reasoning, "reasoning", events);
    if (!details) return;
    const text = details.map((detail) => asText(detail["text"]) || asText(detail["summary"])).join("");
    if (text) this.#addReasoning(text, "reasoning_details", events);
  }

  #readContent(content: JsonValue, events: ModelEvent[]): void {
    if (typeof content === "string") return this.#addText(content, events);
    this.#hasOddContent ||= !Array.isArray(content) || content.some(isOdd);
    for (const part of asObjects(content)) {
      if (part["type"] === "thinking") this.#addReasoning(thinkingOf(part), "content", events);
      else if (part["type"] === "text") this.#addText(textPiece(part["text"], this.#context.answer), events);
      else if (part["type"] === "reference") this.#extras.addReference(part);
    }
  }

  #readImages(images: JsonValue): void {
    for (const image of asObjects(images)) {
      const url = asText(asObject(image["image_url"])["url"]);
      this.#endPart();
      if (url) this.#builder.part({ type: "image", url });
    }
  }

  #addText(text: string, events: ModelEvent[]): void {
    if (this.#openReasoning || this.#isRefusing) this.#endPart();
    if (text) events.push(this.#builder.text(text));
  }

  #addReasoning(text: string, field: string, events: ModelEvent[]): void {
    if (text === "") return;
    if (this.#openReasoning !== field) this.#endPart();
    this.#openReasoning = field;
    events.push(this.#builder.reasoning(text));
  }

  #addRefusal(text: string, events: ModelEvent[]): void {
    if (!this.#isRefusing) this.#endPart();
    this.#isRefusing = true;
    this.#refusal += text;
    events.push(this.#builder.text(text));
  }

  /** Closes the open part, with the data that the server requires to recognize it. */
  #endPart(): void {
    const data = this.#isRefusing
      ? this.#own({ refusal: true })
      : this.#openReasoning && this.#own({ field: this.#openReasoning });
    this.#builder.endPart(data || undefined);
    this.#openReasoning = undefined;
    this.#isRefusing = false;
  }

  #own(data: JsonObject): ProviderData {
    return { provider: this.#context.provider, data };
  }

  /** Whether the server says that there are calls, and none has come. */
  get #lacksCalls(): boolean {
    return this.#calls.isEmpty && goodReasons.get(this.#rawFinishReason ?? "") === "tool-calls";
  }

  #endWarnings(finishReason: FinishReason): string[] {
    const raw = this.#rawFinishReason;
    return [
      ...(this.#hasOddContent ? ["Content that is not text is left out of the answer."] : []),
      ...(this.#lacksCalls ? [`The answer ended with "${raw}", but it has no calls.`] : []),
      ...endWarnings(finishReason, raw),
    ];
  }

  #finishReason(): FinishReason {
    const raw = this.#rawFinishReason;
    const hasCalls = !this.#calls.isEmpty;
    if (raw === undefined) return hasCalls ? "other" : "stop";
    const reason = finishReasonFor(raw, goodReasons);
    // Some servers send "stop" after calls, and some send "tool_calls" without calls.
    if (reason !== "stop" && reason !== "tool-calls") return reason;
    return hasCalls ? "tool-calls" : "stop";
  }
}

function isOdd(value: unknown): boolean {
  return Boolean(value) && !isJsonObject(value);
}

/** Whether a piece has the name of the first call of a list. */
function beginsCalls(piece: JsonObject): boolean {
  for (const { index, function: named } of asObjects(piece["tool_calls"]))
    if (!asIndex(index) && asText(asObject(named)["name"])) return true;
  return false;
}

/** Whether a piece carries anything but a role. */
function hasOutput(piece: JsonObject): boolean {
  for (const name in piece) {
    const value = piece[name];
    if (value && name !== "role" && (!Array.isArray(value) || value.length > 0)) return true;
  }
  return false;
}

/** Mistral's thinking, whose text is an array of parts. */
function thinkingOf(part: JsonObject): string {
  return (
    asText(part["thinking"]) ||
    asObjects(part["thinking"])
      .map((piece) => asText(piece["text"]))
      .join("")
  );
}

function usageOf(usage: JsonObject): Usage {
  const inputTokens = asCount(usage["prompt_tokens"]);
  const completion = asCount(usage["completion_tokens"]);
  const totalTokens = asCount(usage["total_tokens"]) ?? sum(inputTokens, completion);
  const prompt = asObject(usage["prompt_tokens_details"]);
  const cached = asCount(prompt["cached_tokens"]) ?? asCount(usage["prompt_cache_hit_tokens"]);
  const cacheWrite = asCount(prompt["cache_write_tokens"]);
  const reasoning = asCount(asObject(usage["completion_tokens_details"])["reasoning_tokens"]);
  // xAI does not count reasoning as part of the completion, as its total shows.
  const isSeparate = reasoning !== undefined && sum(inputTokens, sum(completion, reasoning)) === totalTokens;
  return {
    inputTokens,
    outputTokens: isSeparate ? sum(completion, reasoning) : completion,
    totalTokens,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}
