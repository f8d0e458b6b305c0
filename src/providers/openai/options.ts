import { assertFactoryCall, type Endpoint, isOwnEndpoint, resolveEndpoint } from "../kit/endpoint.ts";
import type { HttpConnection } from "../kit/http-model.ts";
import { openaiInfo } from "./info.ts";

/** How to reach OpenAI, or any server that speaks its protocols. */
export interface OpenAIOptions {
  /** `OPENAI_API_KEY` by default, unless `provider` names another. Servers other than OpenAI's may need none. */
  readonly apiKey?: string | undefined;
  /** Ends in `/v1`. `OPENAI_BASE_URL` by default, else `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined;
  /** Sent with every request; they win over Skein's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `globalThis.fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The `OpenAI-Organization` header. */
  readonly organization?: string | undefined;
  /** The `OpenAI-Project` header. */
  readonly project?: string | undefined;
  /** The name of whoever answers, `"openai"` by default; reasoning is replayed to the provider that wrote it only. */
  readonly provider?: string | undefined;
  /**
   * Whether the server can hold an answer to a JSON Schema (`output`), also beside tools. By default OpenAI's own models since
   * August 2024 are taken to, and no other server: there a tool takes the answer.
   */
  readonly structuredOutput?: boolean | undefined;
}

/** Where requests go, and as whom. */
export interface Connection extends HttpConnection, Pick<Endpoint, "host"> {
  /** Whether the host is OpenAI's own (or Azure's), not a compatible server. */
  readonly isOpenAI: boolean;
}

const optionNames = {
  apiKey: true,
  baseURL: true,
  headers: true,
  fetch: true,
  organization: true,
  project: true,
  provider: true,
  structuredOutput: true,
} as const satisfies Record<keyof OpenAIOptions, true>;

/**
 * Checks what a model is made with. `factory` is how the call is written, such as `openai.responses`.
 * @throws ConfigurationError for an unknown option, an invalid model id, and a base URL or key that cannot be sent.
 */
export function assertUsable(modelId: string, options: OpenAIOptions, factory: string): void {
  assertFactoryCall({ info: openaiInfo, optionNames, factory }, modelId, options);
}

/**
 * Works out where requests go.
 * @throws AuthenticationError if OpenAI is to answer and there is no key; ConfigurationError if the environment's base URL or key
 * cannot be used, or if real models are blocked.
 */
export function connect(modelId: string, path: string, options: OpenAIOptions): Connection {
  const { provider, host, baseURL, apiKey, headers, fetch, isFirstParty } = resolveEndpoint(
    openaiInfo,
    modelId,
    options,
  );
  return {
    provider,
    modelId,
    host,
    isOpenAI: isFirstParty,
    url: baseURL + path,
    headers: {
      authorization: apiKey && `Bearer ${apiKey}`,
      "openai-organization": options.organization,
      "openai-project": options.project,
      ...headers,
    },
    fetch,
  };
}

/** Whether requests go to OpenAI's own host (or Azure's). Unlike `connect`, never throws. */
export function asksOpenAI(options: OpenAIOptions): boolean {
  return isOwnEndpoint(openaiInfo, options);
}
