import { AuthenticationError } from "../errors.ts";

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
}

/** Where a request goes, and as whom. */
export interface Connection {
  readonly provider: string;
  readonly modelId: string;
  /** The host that answers, such as `"api.openai.com"`. */
  readonly host: string;
  /** Whether the host is OpenAI's own (or Azure's), not a compatible server. */
  readonly isOpenAI: boolean;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch | undefined;
}

/** What `provider` is where none is given. */
export const defaultProvider = "openai";

/**
 * Works out where a request goes. Reads the environment now, not on import.
 * @throws AuthenticationError if OpenAI is to be asked and there is no key.
 */
export function connect(modelId: string, path: string, options: OpenAIOptions): Connection {
  const environment = globalThis.process?.env;
  const baseURL = (
    options.baseURL ||
    environment?.["OPENAI_BASE_URL"] ||
    "https://api.openai.com/v1"
  ).replace(/\/+$/, "");
  const { provider = defaultProvider } = options;
  const host = URL.canParse(baseURL) ? new URL(baseURL).hostname : "";
  const isOpenAI = /(?:^|\.)(?:openai\.com|openai\.azure\.com)$/.test(host);
  // The key in the environment is OpenAI's: a server that goes by another name is not to see it.
  const isForOpenAI = isOpenAI || provider === defaultProvider;
  const apiKey = options.apiKey || (isForOpenAI && environment?.["OPENAI_API_KEY"]) || undefined;
  if (isOpenAI && !apiKey && !hasKey(options.headers)) {
    throw new AuthenticationError(
      `There is no key for ${provider}:${modelId}. Set OPENAI_API_KEY, or give openai(..., { apiKey }).`,
      { provider, modelId },
    );
  }
  return {
    provider,
    modelId,
    host,
    isOpenAI,
    url: baseURL + path,
    headers: {
      authorization: apiKey && `Bearer ${apiKey}`,
      "openai-organization": options.organization,
      "openai-project": options.project,
      ...lowerCase(options.headers),
    },
    fetch: options.fetch,
  };
}

function lowerCase(headers: OpenAIOptions["headers"] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function hasKey(headers: OpenAIOptions["headers"]): boolean {
  const names = Object.keys(lowerCase(headers));
  return names.includes("authorization") || names.includes("api-key");
}
