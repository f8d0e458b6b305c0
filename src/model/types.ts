import type { AssistantMessage, FinishReason, Message, ToolCall, Usage } from "../message/messages.ts";
import type { JsonSchema } from "../schema/types.ts";
import type { JsonObject } from "../base/util/json.ts";

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly strict?: boolean;
}

/** The form that a model's answer must have. */
export interface OutputSpec {
  /** Letters, digits and underscores. */
  readonly name: string;
  /** Of an object. */
  readonly schema: JsonSchema;
}

/** Whether and which tool the model must call. */
export type ToolChoice = "auto" | "required" | "none" | { readonly tool: string };

/** How a model should answer. What a provider does not know becomes a warning on the generation. */
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
  /** Ask for the log probability of each token. */
  readonly logprobs?: boolean;
  /** How many alternatives to list for each token. */
  readonly topLogprobs?: number;
  /** Attempts after the first, before any output has come; 3 by default. */
  readonly maxRetries?: number;
  /** Milliseconds to wait for the next piece of the answer; 300,000 by default. */
  readonly timeout?: number;
  /** Fields merged into the request's body as they are, for what Skein does not name. */
  readonly providerOptions?: JsonObject;
}

/** One request to a model. */
export interface ModelRequest {
  /** The system prompt. */
  readonly instructions?: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: ToolChoice;
  /** Whether the model may ask for several calls at once; the provider's default if not set. */
  readonly parallelToolCalls?: boolean;
  /** Only where the model's `supportsOutput` says so: its text is then JSON of this form, unless it calls tools. */
  readonly output?: OutputSpec;
  readonly settings?: ModelSettings;
  readonly signal?: AbortSignal;
}

/** What a provider says of its limits. Durations are milliseconds. */
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
  /** The provider's own word for it. */
  readonly rawFinishReason: string | undefined;
  readonly usage: Usage;
  readonly rateLimit?: RateLimit;
  readonly logprobs?: readonly TokenLogprob[];
  /** Set where the model refused to answer, in its words. */
  readonly refusal?: string;
  /** Set where the provider paused during work of its own tools: asked again, with this message last, the model goes on. */
  readonly shouldContinue?: true;
  readonly response: {
    readonly id: string | undefined;
    readonly modelId: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The provider that answered, where it may differ from the model's `provider`. */
    readonly provider?: string;
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
       * The arguments as far as they have come by now, at least up to this piece: strings as far as they go, numbers once they are
       * complete. One object that grows with the call: copy what has to stay. Models need not give it: `generateStream` does.
       */
      readonly partial?: unknown;
    }
  /** A call is complete. */
  | { readonly type: "tool-call"; readonly toolCall: ToolCall }
  /** The last event of every stream that did not fail. */
  | { readonly type: "finish"; readonly generation: Generation };

/**
 * A language model. Streaming is all there is to implement; `generate` drains it.
 *
 * `stream` must end with exactly one `finish` event or throw a `ModelError`; it must stop at once, throwing, when
 * `request.signal` is aborted; it must not retry. `request.messages` belongs to the run: read it, do not keep it.
 */
export interface Model {
  /** Such as `"openai"`: parts with `providerData` of this provider are replayed to it intact. */
  readonly provider: string;
  readonly modelId: string;
  /** Whether it can be held to this form of answer by `request.output`. Without, a tool takes the answer instead. */
  supportsOutput?(output: OutputSpec): boolean;
  /** Asks once. The last event is `finish`, with the whole answer. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
