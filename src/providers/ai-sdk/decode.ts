import type { AssistantPart, ProviderData } from "../../message/parts.ts";
import type { GenerationBuilder } from "../../model/generation-builder.ts";
import type { ModelEvent } from "../../model/types.ts";
import { type WireNames } from "../../model/wire-names.ts";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import { finishOf, usageOf, warningOf } from "./answer.ts";
import { isDeep, isJsonObject, objectIn, stringIn } from "../kit/json-values.ts";
import { toBase64 } from "../../base/util/base64.ts";
import { AnswerCalls } from "../kit/answer-calls.ts";
import { readAiSdkCall } from "../kit/hosted-calls/ai-sdk.ts";
import { hostedEvents, type OpenCalls } from "../kit/hosted-calls/shape.ts";
import { compareArguments } from "../kit/compare-arguments.ts";
import type { AiSdkSpecification } from "./types.ts";

/** What a decoder needs to read an answer. */
export interface DecoderOptions {
  /** The provider's name in the `providerData` of the answer's parts. */
  readonly provider: string;
  readonly modelId: string;
  readonly version: AiSdkSpecification;
  readonly builder: GenerationBuilder;
  readonly names: WireNames;
  /** The ids of the calls in the history: the answer's calls must have other ids. */
  readonly usedIds: ReadonlySet<string>;
  readonly warnings: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Creates the error for a failure that the provider reports within its answer. */
  readonly failure: (error: unknown) => Error;
  /** Creates the error for an answer that cannot be read. */
  readonly malformed: (what: string, isRetryable?: boolean) => Error;
}

/** A text or reasoning part, complete or still open. */
interface Block {
  readonly type: "text" | "reasoning";
  text: string;
  metadata?: JsonObject | undefined;
  citations?: JsonValue | undefined;
}

/** A part that comes all at once. */
type WholePart = Exclude<AssistantPart, { type: Block["type"] }>;

/** A call that is being received. */
interface OpenCall {
  readonly part: { readonly type: "tool-call"; readonly toolCallId: string; providerData?: ProviderData };
  /** As the provider names it. */
  readonly toolName: string;
  hasInput: boolean;
  /** Whether the pieces are not JSON: only the complete input is read then. */
  readonly isText: boolean;
}

/** Reads the parts of one answer, of any version of the specification. Parts of unknown types are ignored. */
export class StreamDecoder {
  readonly #options: DecoderOptions;
  readonly #answerCalls: AnswerCalls;
  readonly #openCalls: OpenCalls = { running: new Map() };
  readonly #content: (Block | WholePart)[] = [];
  /** The open blocks, by type and id. */
  readonly #blocks = new Map<string, Block>();
  readonly #calls = new Map<string, OpenCall>();
  /** The calls that are complete, each with its part. */
  readonly #completeCalls = new Map<string, { readonly call: OpenCall; readonly part: JsonObject }>();
  readonly #warnings: string[];
  #id: string | undefined;
  #modelId: string;
  #finish: JsonObject | undefined;
  #hasOutput = false;

  constructor(options: DecoderOptions) {
    this.#options = options;
    this.#answerCalls = new AnswerCalls(options.builder, options.usedIds);
    this.#warnings = [...options.warnings];
    this.#modelId = options.modelId;
  }

  /** Whether the finish part has come. */
  get isComplete(): boolean {
    return this.#finish !== undefined;
  }

  /** @throws ModelError if the provider reports a failure. */
  push(part: unknown, events: ModelEvent[]): void {
    if (!isJsonObject(part)) return;
    switch (stringIn(part, "type") ?? "") {
      case "text-start":
      case "text-delta":
      case "text-end":
        return this.#block("text", part, events);
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return this.#block("reasoning", part, events);
      case "tool-input-start":
        if (part["providerExecuted"] !== true) this.#startCall(part, "id");
        return;
      case "tool-input-delta":
        return this.#input(part, events);
      case "tool-call":
        return part["providerExecuted"] === true ? this.#serverCall(part, events) : this.#call(part, events);
      case "tool-result":
        return this.#serverResult(part, events);
      case "file":
      case "reasoning-file":
        return this.#file(part);
      case "tool-approval-request":
        this.#warnings.push(
          `${this.#options.provider} requests an approval for a tool of its own, which Skein does not support.`,
        );
        return;
      case "source":
      case "custom": {
        const { providerMetadata: _, ...fields } = part;
        // This part has the usage at the start of the answer, not content.
        if (fields["kind"] === "anthropic.message_start") return;
        return this.#own(fields, part);
      }
      case "stream-start":
        for (const warning of list(part["warnings"]))
          this.#warnings.push(warningOf(this.#options.provider, warning));
        return;
      case "response-metadata":
        this.#id = stringIn(part, "id") ?? this.#id;
        this.#modelId = stringIn(part, "modelId") ?? this.#modelId;
        return;
      case "error":
        throw this.#options.failure(part["error"]);
      case "finish":
        this.#finish = part;
    }
  }

  /**
   * Checks a part after the end, which is not of the answer.
   * @throws ModelError if it says that the answer failed or has further calls, or ends with other words: nothing is certain then.
   */
  pushLate(part: unknown): void {
    if (!isJsonObject(part)) return;
    const { type, finishReason } = part;
    if (type === "error") throw this.#options.failure(part["error"]);
    const isOtherEnd =
      type === "finish" && JSON.stringify(finishReason) !== JSON.stringify(this.#finish?.["finishReason"]);
    if (
      /^tool-(?:call|input)/.test(stringIn(part, "type") ?? "") ||
      (isOtherEnd && this.#completeCalls.size > 0)
    )
      throw this.#options.malformed("continued after its end.");
  }

  /** @throws MalformedResponseError if the answer is truncated; retryable if it had no output yet. */
  end(): ModelEvent {
    const { builder, version, headers, malformed } = this.#options;
    const finish = finishOf(this.#finish?.["finishReason"], this.#completeCalls.size > 0);
    const isOpen = this.#calls.size > 0 && finish.finishReason !== "length";
    if (!this.#finish || finish.isTruncated || isOpen)
      throw malformed("sent a truncated answer.", !this.#hasOutput);
    const { finishReason, rawFinishReason } = finish;
    const metadata = objectIn(this.#finish, "providerMetadata");
    return builder.finish({
      content: this.#content.flatMap((part) => this.#toParts(part)),
      finishReason,
      rawFinishReason,
      shouldContinue: rawFinishReason === "pause_turn" || rawFinishReason === "compaction",
      usage: usageOf(version, objectIn(this.#finish, "usage"), metadata),
      response: { id: this.#id, modelId: this.#modelId, headers },
      warnings: this.#warnings,
    });
  }

  #block(type: Block["type"], part: JsonObject, events: ModelEvent[]): void {
    const key = `${type}:${stringIn(part, "id") ?? ""}`;
    const isStart = part["type"] === `${type}-start`;
    let block = isStart ? undefined : this.#blocks.get(key);
    if (!block) {
      block = { type, text: "" };
      this.#blocks.set(key, block);
      this.#content.push(block);
    }
    const piece = stringIn(part, "delta") ?? "";
    if (piece !== "") {
      this.#hasOutput = true;
      block.text += piece;
      events.push(this.#options.builder[type](piece));
    }
    // The provider requires the last metadata of a block again.
    block.metadata = objectIn(part, "providerMetadata") ?? block.metadata;
    block.citations = part["citations"] ?? block.citations;
    if (part["type"] === `${type}-end`) this.#blocks.delete(key);
  }

  #toParts(part: Block | WholePart): AssistantPart[] {
    if (part.type !== "text" && part.type !== "reasoning") return [part];
    const { type, text, metadata, citations } = part;
    const isMarked = type === "reasoning" || metadata !== undefined || citations !== undefined;
    if (text === "" && metadata === undefined) return [];
    const data = { ...(metadata && { metadata }), ...(citations !== undefined && { citations }) };
    return [{ type, text, ...(isMarked && { providerData: this.#mark(data) }) }];
  }

  #mark(data: JsonObject): ProviderData {
    return { provider: this.#options.provider, data };
  }

  #startCall(part: JsonObject, field: "id" | "toolCallId"): OpenCall {
    const id = stringIn(part, field) ?? "";
    const open = this.#calls.get(id);
    if (open) return open;
    const { names } = this.#options;
    const toolName = stringIn(part, "toolName") ?? "";
    const toolCallId = this.#answerCalls.start(id, id, names.original(toolName));
    const call: OpenCall = {
      part: { type: "tool-call", toolCallId },
      toolName,
      hasInput: false,
      isText: part["inputEncoding"] === "text",
    };
    this.#hasOutput = true;
    this.#calls.set(id, call);
    this.#content.push(call.part);
    return call;
  }

  #input(part: JsonObject, events: ModelEvent[]): void {
    const id = stringIn(part, "id") ?? "";
    const piece = stringIn(part, "delta") ?? "";
    const call = this.#calls.get(id);
    if (!call || call.isText || piece === "") return;
    call.hasInput = true;
    events.push(this.#options.builder.toolInput(id, piece));
  }

  #call(part: JsonObject, events: ModelEvent[]): void {
    const { builder } = this.#options;
    const id = stringIn(part, "toolCallId") ?? "";
    const { input = {} } = part;
    const text = typeof input === "string" ? input : JSON.stringify(input);
    const call = this.#startCall(part, "toolCallId");
    this.#assertSame(call, part, call.hasInput ? builder.toolInputSoFar(id) : "", text);
    const metadata = objectIn(part, "providerMetadata");
    if (metadata) call.part.providerData = this.#mark({ metadata });
    if (!call.hasInput && text !== "") events.push(builder.toolInput(id, text));
    events.push(...this.#answerCalls.end(id, text));
    this.#calls.delete(id);
    this.#completeCalls.set(id, { call, part });
  }

  /** @throws MalformedResponseError if a call ends as another one than it began. */
  #assertSame({ toolName }: OpenCall, part: JsonObject, streamed: string, text: string): void {
    const isOther =
      streamed !== "" && !text.startsWith(streamed) && compareArguments(streamed, text) !== "same";
    if (toolName !== (stringIn(part, "toolName") ?? "") || isOther)
      throw this.#options.malformed("ended a call with another tool or other arguments than it began with.");
  }

  /** A call that the provider executes, which may have begun as one that the caller does. */
  #serverCall(part: JsonObject, events: ModelEvent[]): void {
    const id = stringIn(part, "toolCallId") ?? "";
    this.#takeBack(id, this.#calls.get(id));
    this.#server(serverCall(part), part, events);
  }

  /** A result of a call that the provider has executed, whether or not it said so of the call. */
  #serverResult(part: JsonObject, events: ModelEvent[]): void {
    const id = stringIn(part, "toolCallId") ?? "";
    const call = this.#calls.get(id);
    this.#takeBack(id, call);
    const complete = this.#completeCalls.get(id);
    this.#takeBack(id, complete?.call);
    if (complete) this.#server(serverCall(complete.part), complete.part, events);
    if (part["preliminary"] !== true) this.#server(serverResult(part), part, events);
  }

  #server(fields: JsonObject, part: JsonObject, events: ModelEvent[]): void {
    this.#own(fields, part);
    events.push(...hostedEvents(readAiSdkCall, fields, this.#openCalls));
  }

  #takeBack(id: string, call: OpenCall | undefined): void {
    if (!call) return;
    this.#answerCalls.drop(id);
    this.#calls.delete(id);
    this.#completeCalls.delete(id);
    this.#content.splice(this.#content.indexOf(call.part), 1);
  }

  /** Adds a part that only its provider understands, to be read by the caller and sent back. */
  #own(fields: JsonObject, part: JsonObject): void {
    const metadata = objectIn(part, "providerMetadata");
    this.#options.builder.countPart();
    this.#content.push({
      type: "provider",
      providerData: this.#mark({ ...fields, ...(metadata && { metadata }) }),
    });
  }

  #file(part: JsonObject): void {
    const mediaType = stringIn(part, "mediaType") ?? "application/octet-stream";
    const url = urlOf(part["data"], mediaType);
    const metadata = objectIn(part, "providerMetadata");
    if (url === undefined) return;
    this.#hasOutput = true;
    if (part["type"] === "reasoning-file") return this.#own({ type: "reasoning-file", mediaType, url }, part);
    const type = mediaType.startsWith("image/") ? "image" : "file";
    this.#options.builder.countPart();
    this.#content.push({ type, url, mediaType, providerData: this.#mark(metadata ? { metadata } : {}) });
  }
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A call of a tool that the provider executes, as it is sent back. */
function serverCall(part: JsonObject): JsonObject {
  const { type, toolCallId, toolName } = part;
  return { type, toolCallId, toolName, input: parseInput(part["input"]) };
}

function serverResult({ type, toolCallId, toolName, result, isError }: JsonObject): JsonObject {
  return { type, toolCallId, toolName, result, ...(isError === true && { isError }) };
}

function parseInput(input: JsonValue | undefined): JsonValue {
  if (typeof input !== "string") return input ?? {};
  try {
    const value: unknown = JSON.parse(input);
    return isJsonObject(value) && !isDeep(value) ? value : input;
  } catch {
    // Input that is not JSON is sent back unchanged.
    return input;
  }
}

/** A file's content as a `data:` URL, or its URL, from the form of V4 (`{ type, data | url }`) or of V2 and V3. */
function urlOf(data: unknown, mediaType: string): string | undefined {
  if (data instanceof URL) return data.href;
  if (data instanceof Uint8Array) return `data:${mediaType};base64,${toBase64(data)}`;
  if (typeof data === "string")
    return /^(?:data|https?):/.test(data) ? data : `data:${mediaType};base64,${data}`;
  if (!isJsonObject(data)) return undefined;
  return urlOf(data["type"] === "url" ? data["url"] : data["data"], mediaType);
}
