import type { ProviderData } from "../../message/parts.ts";
import type { AnswerDecoder } from "../../model/answer-stream.ts";
import type { GenerationEnd } from "../../model/generation-builder.ts";
import type { ModelEvent, TokenLogprob } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import type { AnswerContext } from "../kit/http-model.ts";
import { AnswerCalls, repeatedCall } from "../kit/answer-calls.ts";
import { AnswerIds, secondAnswer } from "../kit/answer-ids.ts";
import { readGoogleCall } from "../kit/hosted-calls/google.ts";
import { hostedEvents, type OpenCalls } from "../kit/hosted-calls/shape.ts";
import { laterReason } from "../kit/finish-reasons.ts";
import {
  asIndex,
  asObject,
  asObjects,
  asText,
  stringifyArguments,
  isFailure,
  isJsonObject,
  parseObject,
  requireObject,
  stringIn,
  withExactArguments,
  textPiece,
} from "../kit/json-values.ts";
import { finishReasonOf, joinCounts, logprobsOf, readFinishReason, usageOf } from "./answer.ts";
import { metadataField } from "./contents.ts";
import type { BuiltRequest } from "./request.ts";

/** The fields of a candidate that say where its content comes from. */
const metadataFields = ["groundingMetadata", "citationMetadata", "urlContextMetadata"] as const;

/** Why a prompt was blocked. */
interface PromptBlock {
  readonly reason: string;
  readonly refusal: string;
  readonly warning: string;
}

/** How an answer ended. */
type AnswerEnd = Pick<GenerationEnd, "finishReason" | "rawFinishReason" | "refusal" | "warnings">;

/**
 * Reads the chunks of one answer (https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse), or a whole answer as
 * one chunk. The other fields of a text part are stored unchanged: the API requires them again in the same place.
 */
export class ContentDecoder implements AnswerDecoder {
  /** The API does not mark the end of its stream. */
  readonly isComplete = false;
  readonly #context: AnswerContext<BuiltRequest>;
  readonly #calls: AnswerCalls;
  readonly #metadata = new Map<string, JsonObject>();
  readonly #logprobs: TokenLogprob[] = [];
  readonly #ids = new AnswerIds();
  readonly #openCalls: OpenCalls = { running: new Map() };
  #callCount = 0;
  #chunkCount = 0;
  /** Whether a thought is open that has no signature so far. */
  #isThinking = false;
  #hasOutput = false;
  /** Whether there is anything but thoughts. */
  #hasContent = false;
  #id: string | undefined;
  #modelId: string | undefined;
  #counts: JsonObject | undefined;
  #rawFinishReason: string | undefined;
  #finishMessage: string | undefined;
  #block: PromptBlock | undefined;

  constructor(context: AnswerContext<BuiltRequest>) {
    this.#context = context;
    this.#calls = new AnswerCalls(context.builder, context.usedIds);
  }

  /** @throws ModelError if the provider reports a failure. */
  push(data: string, events: ModelEvent[]): void {
    // Some gateways end every stream with OpenAI's marker.
    if (data.trim() === "[DONE]") return;
    const chunk = parseObject(data, this.#context.answer);
    this.#chunk(withExactArguments(chunk, data, hasCalls), events);
  }

  /** Without `alt=sse`, which some gateways drop, a streamed answer is a list of chunks. */
  pushWhole(value: unknown, events: ModelEvent[]): void {
    const chunks: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const chunk of chunks) this.#chunk(requireObject(chunk, this.#context.answer), events);
  }

  /** @throws MalformedResponseError if the answer is truncated; retryable if it had no output yet. */
  end(events: ModelEvent[]): void {
    const { answer, builder, encoded, modelId } = this.#context;
    const end = this.#readEnd();
    this.#endThought();
    if (this.#metadata.size > 0) {
      const data = { [metadataField]: Object.fromEntries(this.#metadata) };
      builder.part({ type: "provider", providerData: this.#own(data) });
      events.push(...hostedEvents(readGoogleCall, data, this.#openCalls));
    }
    events.push(
      builder.finish({
        ...end,
        usage: this.#counts && usageOf(this.#counts),
        logprobs: this.#logprobs.length > 0 ? this.#logprobs : undefined,
        response: { id: this.#id, modelId: this.#modelId ?? modelId, headers: answer.headers },
        warnings: [...encoded.warnings, ...(end.warnings ?? [])],
      }),
    );
  }

  #readEnd(): AnswerEnd {
    const raw = this.#rawFinishReason;
    if (this.#block) {
      const { reason, refusal, warning } = this.#block;
      return {
        finishReason: "content-filter",
        rawFinishReason: reason,
        refusal,
        warnings: [warning],
      };
    }
    if (raw === undefined) {
      const isRetryable = !this.#hasOutput;
      throw this.#context.answer.malformed("sent a truncated answer.", { isRetryable });
    }
    const hasCalls = this.#callCount > 0;
    const finishReason = finishReasonOf(raw, { hasCalls, hasContent: this.#hasContent });
    const message = raw === "STOP" ? undefined : this.#finishMessage;
    const isUnusual = finishReason === "error" || finishReason === "other";
    return {
      finishReason,
      rawFinishReason: raw,
      refusal: finishReason === "content-filter" ? message : undefined,
      warnings: isUnusual ? [`The answer ended with ${raw}. ${message ?? ""}`.trim()] : [],
    };
  }

  #chunk(chunk: JsonObject, events: ModelEvent[]): void {
    this.#chunkCount++;
    if (isFailure(chunk)) throw this.#context.answer.failure(chunk);
    const id = stringIn(chunk, "responseId");
    this.#id ??= id;
    this.#modelId ??= stringIn(chunk, "modelVersion");
    // Each chunk has the counts of all tokens so far.
    if (isJsonObject(chunk["usageMetadata"])) this.#counts = joinCounts(this.#counts, chunk["usageMetadata"]);
    this.#block ??= readBlock(asObject(chunk["promptFeedback"]));
    for (const [position, candidate] of asObjects(chunk["candidates"]).entries()) {
      // Only the first of several answers (candidateCount) is read.
      if ((asIndex(candidate["index"]) ?? position) !== 0) continue;
      const hasOutput = partsOf(candidate).some((part) => part["text"] !== "");
      if (this.#ids.isSecond({ id: id ?? "", hasOutput, isStart: true }))
        throw this.#context.answer.malformed(secondAnswer);
      this.#candidate(candidate, events);
    }
  }

  #candidate(candidate: JsonObject, events: ModelEvent[]): void {
    for (const part of partsOf(candidate)) this.#part(part, events);
    for (const field of metadataFields) {
      const value = candidate[field];
      if (isJsonObject(value) && Object.keys(value).length > 0)
        this.#metadata.set(field, { ...this.#metadata.get(field), ...this.#context.builder.count(value) });
    }
    const logprobs = logprobsOf(asObject(candidate["logprobsResult"]));
    if (logprobs.length > 0) this.#context.builder.count(logprobs);
    for (const logprob of logprobs) this.#logprobs.push(logprob);
    this.#rawFinishReason = laterReason(this.#rawFinishReason, readFinishReason(candidate));
    this.#finishMessage = stringIn(candidate, "finishMessage") ?? this.#finishMessage;
  }

  #part(part: JsonObject, events: ModelEvent[]): void {
    const { functionCall, text, inlineData, ...rest } = part;
    if (isJsonObject(functionCall)) return this.#call(functionCall, rest, events);
    if (functionCall) throw this.#context.answer.malformed("sent a call that cannot be read.");
    if (text !== undefined && text !== null)
      return this.#text(textPiece(text, this.#context.answer), rest, events);
    if (Object.keys(part).length === 0) return;
    this.#hasOutput = true;
    this.#hasContent ||= part["thought"] !== true;
    this.#endThought();
    const { builder } = this.#context;
    if (isJsonObject(inlineData) && part["thought"] !== true) builder.part(this.#media(inlineData, rest));
    else {
      builder.part({ type: "provider", providerData: this.#own(part) });
      events.push(...hostedEvents(readGoogleCall, part, this.#openCalls));
    }
  }

  #text(text: string, { thought, ...data }: JsonObject, events: ModelEvent[]): void {
    const { builder } = this.#context;
    const isThought = thought === true;
    const providerData = Object.keys(data).length > 0 ? this.#own(data) : undefined;
    // A signed text is a part of its own: it must not be joined with others.
    if (providerData || !isThought) this.#endThought();
    if (text === "") {
      if (providerData) builder.part({ type: isThought ? "reasoning" : "text", text, providerData });
      return;
    }
    this.#hasOutput = true;
    this.#hasContent ||= !isThought;
    if (providerData) builder.endPart();
    events.push(isThought ? builder.reasoning(text) : builder.text(text));
    if (providerData) builder.endPart(providerData);
    else this.#isThinking = isThought;
  }

  /** Marks a thought as the provider's, with or without a signature: only then is it sent back. */
  #endThought(): void {
    if (this.#isThinking) this.#context.builder.endPart(this.#own({}));
    this.#isThinking = false;
  }

  #call({ id, name, args, ...pieces }: JsonObject, data: JsonObject, events: ModelEvent[]): void {
    const { builder, encoded, answer } = this.#context;
    if (pieces["partialArgs"] !== undefined || pieces["willContinue"] === true || typeof name !== "string") {
      throw answer.malformed(
        "sent a call in pieces. Remove streamFunctionCallArguments from providerOptions.toolConfig.",
      );
    }
    this.#hasOutput = true;
    this.#hasContent = true;
    this.#endThought();
    const key = this.#callCount++;
    const providerData = Object.keys(data).length > 0 ? this.#own(data) : undefined;
    const toolName = encoded.names.fromWire(name);
    const input = stringifyArguments(args ?? {}, answer);
    // Some models end each chunk, so other calls may follow an ending. Without ids, those of one chunk are certain to be several.
    const list = this.#rawFinishReason !== undefined ? undefined : asText(id) === "" ? this.#chunkCount : 0;
    if (this.#calls.mayRepeat(toolName, input, list)) throw answer.malformed(repeatedCall);
    this.#calls.start(key, asText(id), toolName, providerData);
    events.push(builder.toolInput(key, input), ...this.#calls.end(key));
  }

  #media(inlineData: JsonObject, data: JsonObject): Parameters<AnswerContext["builder"]["part"]>[0] {
    const mediaType = asText(inlineData["mimeType"]) || "application/octet-stream";
    const url = `data:${mediaType};base64,${asText(inlineData["data"])}`;
    const providerData = Object.keys(data).length > 0 ? { providerData: this.#own(data) } : {};
    return mediaType.startsWith("image/")
      ? { type: "image", url, ...providerData }
      : { type: "file", url, mediaType, ...providerData };
  }

  #own(data: JsonObject): ProviderData {
    return { provider: this.#context.provider, data };
  }
}

function partsOf(candidate: JsonObject): readonly JsonObject[] {
  return asObjects(asObject(candidate["content"])["parts"]);
}

/** Reads `promptFeedback`; `undefined` if the prompt was not blocked. */
function readBlock(feedback: JsonObject): PromptBlock | undefined {
  const reason = asText(feedback["blockReason"]);
  if (reason === "") return undefined;
  const message = asText(feedback["blockReasonMessage"]);
  const warning = `The prompt was blocked (${reason}). ${message}`.trim();
  return { reason, refusal: message || warning, warning };
}

function hasCalls({ candidates }: JsonObject): boolean {
  return asObjects(candidates).some(({ content }) =>
    asObjects(asObject(content)["parts"]).some((part) => part["functionCall"] !== undefined),
  );
}
