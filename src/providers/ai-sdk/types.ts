/** The versions of the AI SDK's provider specification: V2 (AI SDK 5), V3 (6) and V4 (7). */
export type AiSdkSpecification = "v2" | "v3" | "v4";

/** The URLs of files that a model reads itself, by media type such as `image/*`. */
export type AiSdkUrls = Readonly<Record<string, readonly RegExp[]>>;

/** The options of a call to a language model of the AI SDK, in the form of its specification. */
export interface AiSdkCallOptions {
  readonly prompt: readonly object[];
  readonly tools?: readonly object[];
  readonly toolChoice?: object;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  readonly responseFormat?: object;
  /** V4 only. */
  readonly reasoning?: string;
  readonly providerOptions?: object;
  readonly abortSignal?: AbortSignal;
}

/** The answer of a language model of the AI SDK: its headers, and a stream of its parts. */
export interface AiSdkStreamResult {
  readonly stream: {
    /** As of a `ReadableStream`. */
    getReader(): {
      /** The next part of the stream. */
      read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
      /** Ends the request. */
      cancel(reason?: unknown): Promise<void>;
    };
  };
  readonly response?: { readonly headers?: Readonly<Record<string, string>> | undefined } | undefined;
}

/**
 * The part of a language model of the AI SDK that Skein uses. `LanguageModelV2`, `LanguageModelV3` and `LanguageModelV4` of
 * `@ai-sdk/provider` (https://ai-sdk.dev/docs/foundations/providers-and-models) satisfy it, and so does every model of a
 * provider package, such as `openai("gpt-5.2")` of `@ai-sdk/openai`.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: AiSdkSpecification;
  /** Such as `"openai.responses"`. */
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: AiSdkUrls | PromiseLike<AiSdkUrls>;
  /** Calls the provider. */
  doStream(options: AiSdkCallOptions): PromiseLike<AiSdkStreamResult>;
}

/** A tool that the provider executes, created with the `tools` of its package. */
export interface AiSdkProviderTool {
  /** Such as `"openai.web_search"`. */
  readonly id: string;
  readonly args: object;
}

/** What a language model does not state about itself, and tools that are offered with every request. */
export interface AiSdkOptions {
  /**
   * Whether a tool result may contain images and files. Otherwise they follow the results in a user message.
   * `true` by default for providers known to accept them (Anthropic, OpenAI's Responses, Bedrock), else `false`.
   */
  readonly filesInResults?: boolean;
  /**
   * Whether the provider enforces the schema of a typed output, also when tools are offered. `true` by default for models of
   * OpenAI, Azure, Anthropic and Google that are known to support it. Other models answer with a call of a final tool.
   */
  readonly structuredOutput?: boolean;
  /**
   * Tools that the provider executes itself, such as `{ web_search: openai.tools.webSearch() }`, offered with every request.
   * Their calls and results are parts of the answer, and are sent back to the provider.
   */
  readonly providerTools?: Readonly<Record<string, AiSdkProviderTool>>;
}
