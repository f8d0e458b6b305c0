import type { Usage } from "../../message/messages.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { publicError, type PublicError } from "../../run/public/public-error.ts";
import { type AnswerEnd, AnswerReader, type AnswerStep, argumentsOf } from "../kit/answer-reader.ts";
import { type OpenAIErrorBody, openaiErrorBody, statusOf } from "../kit/openai-error.ts";
import type { Encoder, SourceEvent } from "../kit/source.ts";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionDelta,
  ChatCompletionToolCall,
  ChatCompletionUsage,
  ChatFinishReason,
} from "./types.ts";

/** A chunk, or the error that ends a stream. */
export type ChatStreamItem = ChatCompletionChunk | OpenAIErrorBody;

/** What the answer is called, and what of it is to be seen. */
export interface ChatEncoderOptions {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly includeUsage: boolean;
  readonly showReasoning: boolean;
  readonly output?: boolean;
  readonly tools: readonly string[] | undefined;
}

/** How an answer came to its end. */
interface ChatEnd {
  readonly finishReason: ChatFinishReason;
  readonly calls: readonly ChatCompletionToolCall[];
  readonly usage: Usage | undefined;
}

/** The text of a turn, and the index of the event that it begins with. */
interface Segment {
  readonly from: number;
  text: string;
}

const separator = "\n\n";

/** Translates a run to one answer of Chat Completions. */
export class ChatCompletionEncoder implements Encoder<ChatStreamItem> {
  readonly #options: ChatEncoderOptions;
  readonly #reader: AnswerReader;
  #hasBegun = false;
  #segments: Segment[] = [];
  #reasoning: Segment[] = [];
  /** Whether the next text is another one than that before it. */
  #isOther = false;
  /** Whether text was sent, be it taken back since. */
  #hasText = false;
  #end: ChatEnd | undefined;
  #error: PublicError | undefined;

  constructor(options: ChatEncoderOptions) {
    const { output, tools } = options;
    this.#options = options;
    this.#reader = new AnswerReader({ ...(output !== undefined && { output }), ...(tools && { tools }) });
  }

  /** Set once the run has failed, or wants something that this protocol does not have. */
  get error(): PublicError | undefined {
    return this.#error;
  }

  encode(event: SourceEvent): readonly ChatStreamItem[] {
    if (this.#end || this.#error) return [];
    const chunks: ChatStreamItem[] = this.#hasBegun ? [] : [this.#chunk({ role: "assistant", content: "" })];
    this.#hasBegun = true;
    for (const step of this.#reader.read(event)) this.#add(chunks, step, event.index);
    return chunks;
  }

  fail(error: unknown): readonly ChatStreamItem[] {
    if (this.#end || this.#error) return [];
    return [this.#failure(publicError(error))];
  }

  /** The whole answer, once all events are encoded; `undefined` if it has an `error`. */
  completion(): ChatCompletion | undefined {
    if (!this.#end) return undefined;
    const { id, created, model, showReasoning } = this.#options;
    const { finishReason, calls, usage } = this.#end;
    const content = this.#segments.map(({ text }) => text).join(separator);
    const reasoning = this.#reasoning.map(({ text }) => text).join("");
    const message = {
      role: "assistant" as const,
      content: content === "" && calls.length > 0 ? null : content,
      refusal: null,
      ...(showReasoning && reasoning !== "" && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: [...calls] }),
    };
    return {
      id,
      object: "chat.completion",
      created,
      model,
      choices: [{ index: 0, message, finish_reason: finishReason, logprobs: null }],
      usage: usageOf(usage),
    };
  }

  #add(chunks: ChatStreamItem[], step: AnswerStep, index: number): void {
    switch (step.type) {
      case "text":
        chunks.push(this.#chunk({ content: this.#addText(step.text, index) }));
        break;
      case "reasoning":
        if (!this.#options.showReasoning) break;
        this.#reasoning.push({ from: index, text: step.text });
        chunks.push(this.#chunk({ reasoning_content: step.text }));
        break;
      case "hosted":
      case "pause":
        break;
      case "break":
        this.#isOther = true;
        break;
      case "restart":
        this.#segments = this.#segments.filter(({ from }) => from < step.from);
        this.#reasoning = this.#reasoning.filter(({ from }) => from < step.from);
        this.#isOther = true;
        break;
      case "lost":
        chunks.push(this.#failure(step.error));
        break;
      case "end":
        chunks.push(...this.#finish(step.end));
        break;
      default:
        step satisfies never;
    }
  }

  /** What is sent for a piece of text: a line is left free between the texts of two turns. */
  #addText(text: string, index: number): string {
    const last = this.#segments.at(-1);
    if (last && !this.#isOther) last.text += text;
    else this.#segments.push({ from: index, text });
    const isSecond = this.#isOther && this.#hasText;
    this.#isOther = false;
    this.#hasText = true;
    return isSecond ? separator + text : text;
  }

  #finish(end: AnswerEnd): readonly ChatStreamItem[] {
    const error = errorOf(end);
    if (error) return [this.#failure(error)];
    const calls = end.calls.map(toolCall);
    const finishReason = finishReasonOf(end);
    this.#end = { finishReason, calls, usage: end.usage };
    return [
      ...calls.map((call, index) => this.#chunk({ tool_calls: [{ index, ...call }] })),
      this.#chunk({}, finishReason),
      ...(this.#options.includeUsage ? [{ ...this.#frame(), choices: [], usage: usageOf(end.usage) }] : []),
    ];
  }

  #failure(error: PublicError): OpenAIErrorBody {
    this.#error = error;
    return openaiErrorBody(statusOf(error.code), error.message, { code: error.code });
  }

  #chunk(delta: ChatCompletionDelta, finishReason: ChatFinishReason | null = null): ChatCompletionChunk {
    return {
      ...this.#frame(),
      choices: [{ index: 0, delta, finish_reason: finishReason, logprobs: null }],
      ...(this.#options.includeUsage && { usage: null }),
    };
  }

  #frame(): Pick<ChatCompletionChunk, "id" | "object" | "created" | "model"> {
    const { id, created, model } = this.#options;
    return { id, object: "chat.completion.chunk", created, model };
  }
}

/** What Chat Completions cannot say in a message. */
function errorOf({ outcome, approvals, error }: AnswerEnd): PublicError | undefined {
  const [first] = approvals;
  if (first)
    return {
      code: "approval-required",
      message:
        `A person must approve a call of ${first.toolName}, and Chat Completions has no approvals. ` +
        "Use the Responses API of this server, which asks for them as mcp_approval_request.",
    };
  if (outcome === "failed") return error ?? publicError(undefined);
  if (outcome === "cancelled") return { code: "cancelled", message: "The run was cancelled." };
  if (outcome === "waiting")
    return { code: "paused", message: "The run waits for something that Chat Completions cannot send." };
  return undefined;
}

function finishReasonOf({ outcome, calls }: AnswerEnd): ChatFinishReason {
  if (outcome === "length") return "length";
  if (outcome === "content-filter") return "content_filter";
  return calls.length > 0 ? "tool_calls" : "stop";
}

function toolCall(call: PendingCall): ChatCompletionToolCall {
  const { toolCallId, toolName } = call;
  return { id: toolCallId, type: "function", function: { name: toolName, arguments: argumentsOf(call) } };
}

function usageOf(usage: Usage | undefined): ChatCompletionUsage {
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, reasoningTokens = 0 } = usage ?? {};
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: usage?.totalTokens ?? inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}
