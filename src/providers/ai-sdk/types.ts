/** The versions of the AI SDK's provider specification: V2 (AI SDK 5), V3 (6) and V4 (7). */
export type AiSdkSpecification = "v2" | "v3" | "v4";

/** Which addresses of files a model reads by itself, by media type such as `image/*`. */
export type AiSdkUrls = Readonly<Record<string, readonly RegExp[]>>;

/** What a language model of the AI SDK is asked with. Its parts are of the model's own specification. */
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

/** What a language model of the AI SDK answers: the head of the answer, and its parts as they come. */
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
 * What Skein uses of a language model of the AI SDK. `LanguageModelV2`, `LanguageModelV3` and `LanguageModelV4` of
 * `@ai-sdk/provider` (https://ai-sdk.dev/docs/foundations/providers-and-models) have it: what `openai("gpt-5.2")` of
 * `@ai-sdk/openai`, and its like in any other provider package, gives.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: AiSdkSpecification;
  /** Such as `"openai.responses"`. */
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: AiSdkUrls | PromiseLike<AiSdkUrls>;
  /** Asks the provider. */
  doStream(options: AiSdkCallOptions): PromiseLike<AiSdkStreamResult>;
}

/** A tool of a provider's own, as the `tools` of its package make it. */
export interface AiSdkProviderTool {
  /** Such as `"openai.web_search"`. */
  readonly id: string;
  readonly args: object;
}

/** What a language model does not say of itself, and what is to be asked of it beside a request. */
export interface AiSdkOptions {
  /**
   * Whether a tool's result may hold images and files. Where it may not, they follow the results as the user's words.
   * `true` by default for providers known to take them (Anthropic's, OpenAI's Responses, Bedrock), else `false`.
   */
  readonly filesInResults?: boolean;
  /**
   * Whether the model can be held to the schema of a typed output, also beside tools. By default those of OpenAI, Azure,
   * Anthropic and Google that are known to; for all others a final tool takes the answer.
   */
  readonly structuredOutput?: boolean;
  /**
   * Tools that the provider executes itself, such as `{ web_search: openai.tools.webSearch() }`, offered with every request.
   * Their calls and results are parts of the answer, and replayed to the provider.
   */
  readonly providerTools?: Readonly<Record<string, AiSdkProviderTool>>;
}
