import type { AssistantMessage, FinishReason, Message, ToolCall, Usage } from "../message/messages.ts";
import type { JsonSchema } from "../schema/types.ts";
import type { JsonObject } from "../base/util/json.ts";
import type { AnswerLater } from "./answer-later.ts";
import type { HostedCall } from "./hosted-call.ts";
import type { HostedTool } from "./hosted-tool.ts";

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly strict?: boolean;
}

/** The schema that a model's answer must match. */
export interface OutputSpec {
  /** Letters, digits and underscores. */
  readonly name: string;
  /** A schema of an object. */
  readonly schema: JsonSchema;
}

/** Whether the model must call a tool, and which. */
export type ToolChoice = "auto" | "required" | "none" | { readonly tool: string };

/** How a model should answer. A setting that a provider does not support becomes a warning on the generation. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  /** The longest answer, in tokens, reasoning included. */
  readonly maxOutputTokens?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  /** How hard to think before answering. */
  readonly reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** Requests the log probability of each token. */
  readonly logprobs?: boolean;
  /** How many alternatives to list for each token. */
  readonly topLogprobs?: number;
  /**
   * Whether the provider keeps the prompt, so that the next request of a conversation pays less for it, and for how long at
   * least. `"auto"`, the default, marks the prompts of requests with tools; `false` marks none.
   */
  readonly cache?: "auto" | "5m" | "1h" | false;
  /** Attempts after the first, before any output has come; 3 by default. */
  readonly maxRetries?: number;
  /** Milliseconds to wait for the next piece of the answer; 300,000 by default, for a custom model without limit. */
  readonly timeout?: number;
  /** Fields merged into the request's body unchanged, for settings that Skein has no name for. */
  readonly providerOptions?: JsonObject;
}

/** One request to a model. */
export interface ModelRequest {
  /** The system prompt. */
  readonly instructions?: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: ToolChoice;
  /** Whether the model may make several calls in one answer; the provider's default if not set. */
  readonly parallelToolCalls?: boolean;
  /** Set only if the model's `supportsOutput` returns true: its text is then JSON of this schema, unless it calls tools. */
  readonly output?: OutputSpec;
  readonly settings?: ModelSettings;
  readonly signal?: AbortSignal;
  /** Called when an attempt has failed and another one follows: what wraps models calls it, a model itself need not. Must not throw. */
  readonly onFailure?: (failure: AttemptFailure) => void;
  /** Present in a durable run: a model whose answer takes hours notes what it waits for, and has the run left until then. */
  readonly later?: AnswerLater;
}

/** A failed attempt at an answer, after which another one follows. */
export interface AttemptFailure {
  /** The model that failed. */
  readonly provider: string;
  readonly modelId: string;
  readonly error: unknown;
  /** Whether the same model is asked again, or another one. */
  readonly next: "retry" | "fallback";
  /** Milliseconds until then. */
  readonly delayMs: number;
}

/** A provider's rate limits. Durations are milliseconds. */
export interface RateLimit {
  readonly limitRequests?: number;
  readonly remainingRequests?: number;
  readonly resetRequests?: number;
  readonly limitTokens?: number;
  readonly remainingTokens?: number;
  readonly resetTokens?: number;
  readonly retryAfter?: number;
}

/** The log probability of one token of the answer. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly topLogprobs?: readonly { readonly token: string; readonly logprob: number }[];
}

/** How long an answer took. */
export interface GenerationTiming {
  /** Milliseconds to the first piece of output; `undefined` if there was none. */
  readonly firstTokenMs: number | undefined;
  readonly totalMs: number;
  /** Output tokens a second after the first piece; `undefined` if usage was not reported. */
  readonly tokensPerSecond: number | undefined;
}

/** A model's whole answer. */
export interface Generation<O = unknown> {
  readonly text: string;
  /** The value requested with `output` of `generate`; `undefined` if the answer is cut off or calls tools. */
  readonly output?: O;
  readonly message: AssistantMessage;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  /** The provider's own finish reason. */
  readonly rawFinishReason: string | undefined;
  readonly usage: Usage;
  readonly rateLimit?: RateLimit;
  readonly logprobs?: readonly TokenLogprob[];
  /** Set where the model refused to answer, in its words. */
  readonly refusal?: string;
  /** Set if the provider paused during work of its own tools: another request with this message last continues it. */
  readonly shouldContinue?: true;
  readonly response: {
    readonly id: string | undefined;
    readonly modelId: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The provider that answered, where it may differ from the model's `provider`. */
    readonly provider?: string;
    /** Set where the answer came from a batch, at half price. */
    readonly batch?: true;
  };
  readonly timing: GenerationTiming;
  /** Settings that the provider does not support, one sentence each. */
  readonly warnings: readonly string[];
}

/** What a model's stream is made of. Every delta has its piece in `text`. */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | {
      readonly type: "tool-input-delta";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly text: string;
      /**
       * The arguments received so far, at least up to this piece: strings are cut off, numbers appear once they are complete. One
       * object that grows with the call: copy it to keep a snapshot. Models need not set it: `generateStream` does.
       */
      readonly partial?: unknown;
    }
  /** A call is complete. */
  | { readonly type: "tool-call"; readonly toolCall: ToolCall }
  /** The provider has begun a call of a tool that it executes itself, or has ended it: the same `call.id` comes again then. */
  | { readonly type: "hosted-call"; readonly call: HostedCall }
  /** The last event of every stream that did not fail. */
  | { readonly type: "finish"; readonly generation: Generation };

/**
 * A language model. Implement `stream` only; `generate` collects its events.
 *
 * `stream` must end with exactly one `finish` event or throw a `ModelError`; it must stop at once, throwing, when
 * `request.signal` is aborted; it must not retry. `request.messages` belongs to the run: read it, do not keep it.
 */
export interface Model {
  /** Such as `"openai"`: parts with `providerData` of this provider are replayed to it intact. */
  readonly provider: string;
  readonly modelId: string;
  /** Where its requests go, if that is known by now: scheme, host and port, such as `https://api.openai.com`. */
  readonly origin?: string | undefined;
  /** The tools that the provider executes itself: the model offers them with every request. */
  readonly providerTools?: readonly HostedTool[];
  /** Whether `request.output` can enforce this schema. Otherwise the model calls a tool with its answer. */
  supportsOutput?(output: OutputSpec): boolean;
  /**
   * Connects to where the requests go, for the first of them not to wait for it: an empty request without a key.
   * @returns Whether the server answered within ten seconds; `false` for a model whose connections are not its own. Where it
   * did not, the first request says why.
   */
  warm?(): Promise<boolean>;
  /**
   * Gives up a request whose answer nobody waits for any more.
   * @param note - What the model has noted of it with `request.later`. A note of another model is ignored.
   */
  abandon?(note: string): Promise<void>;
  /** Sends one request. The last event is `finish`, with the whole answer. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
