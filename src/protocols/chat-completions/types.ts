/** Tokens, in the form of Chat Completions. What a provider did not report is 0. */
export interface ChatCompletionUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

/** Why an answer ended. */
export type ChatFinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** A call that the client is to execute. */
export interface ChatCompletionToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** An answer (https://platform.openai.com/docs/api-reference/chat/object). */
export interface ChatCompletion {
  readonly id: string;
  readonly object: "chat.completion";
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly choices: {
    readonly index: 0;
    readonly message: {
      readonly role: "assistant";
      readonly content: string | null;
      readonly refusal: null;
      /** What the model wrote before it answered, if `show.reasoning` is set: the field of other servers, which OpenAI's API does not have. */
      readonly reasoning_content?: string;
      readonly tool_calls?: ChatCompletionToolCall[];
    };
    readonly finish_reason: ChatFinishReason;
    readonly logprobs: null;
  }[];
  readonly usage: ChatCompletionUsage;
}

/** A piece of an answer (https://platform.openai.com/docs/api-reference/chat/streaming). */
export interface ChatCompletionChunk {
  readonly id: string;
  readonly object: "chat.completion.chunk";
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly choices: {
    readonly index: 0;
    readonly delta: ChatCompletionDelta;
    readonly finish_reason: ChatFinishReason | null;
    readonly logprobs: null;
  }[];
  /** Set if it was asked for: `null` in all chunks but the last. */
  readonly usage?: ChatCompletionUsage | null;
}

/** What a chunk adds to the message. */
export interface ChatCompletionDelta {
  readonly role?: "assistant";
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: (ChatCompletionToolCall & { readonly index: number })[];
}
