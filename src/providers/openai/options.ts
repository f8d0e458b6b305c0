import { AuthenticationError } from "../../errors.ts";
import { assertKeyCharacters } from "../../model/api-key.ts";
import { assertBaseURL } from "../../model/base-url.ts";
import { assertModelId } from "../../model/model-id.ts";
import { assertRealModelAllowed } from "../../model/real-models.ts";
import { isOfflineFetch } from "../../model/wire-seam.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

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

const knownOptions = {
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
 * @throws ConfigurationError for an unknown option, an id that is none and a base URL that cannot be asked.
 */
export function assertUsable(modelId: string, options: OpenAIOptions, factory: string): void {
  const { baseURL, apiKey } = options;
  assertModelId(modelId, { factory, example: "gpt-5.2", takesPrefix: Boolean(baseURL) });
  assertKnownOptions(options, knownOptions, `${factory}("${modelId}", { ... })`);
  if (baseURL) assertBaseURL(baseURL, "baseURL");
  if (apiKey) assertKeyCharacters(apiKey, "apiKey");
}

/**
 * Works out where a request goes. Reads the environment now, not on import.
 * @throws AuthenticationError if OpenAI is to be asked and there is no key; ConfigurationError if the environment's base
 * URL or key cannot be used, or if real models are blocked.
 */
export function connect(modelId: string, path: string, options: OpenAIOptions): Connection {
  const environment = globalThis.process?.env;
  const baseURL = baseURLOf(options);
  assertBaseURL(baseURL, options.baseURL ? "baseURL" : "OPENAI_BASE_URL");
  const { provider = defaultProvider } = options;
  // First of all: whoever forbids requests needs no key.
  assertRealModelAllowed(provider, modelId, baseURL, options.fetch);
  const host = new URL(baseURL).hostname;
  const isOpenAI = isOpenAIURL(baseURL);
  // The key in the environment is OpenAI's: a server that goes by another name is not to see it.
  const isForOpenAI = isOpenAI || provider === defaultProvider;
  const apiKey = options.apiKey || (isForOpenAI && environment?.["OPENAI_API_KEY"]) || undefined;
  if (apiKey) assertKeyCharacters(apiKey, options.apiKey ? "apiKey" : "OPENAI_API_KEY");
  if (isOpenAI && !apiKey && !hasKey(options.headers) && !isOfflineFetch(options.fetch)) {
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

function baseURLOf({ baseURL }: OpenAIOptions): string {
  const environment = globalThis.process?.env;
  return (baseURL || environment?.["OPENAI_BASE_URL"] || "https://api.openai.com/v1").replace(/\/+$/, "");
}

function isOpenAIURL(baseURL: string): boolean {
  return /(?:^|\.)(?:openai\.com|openai\.azure\.com)$/.test(URL.parse(baseURL)?.hostname ?? "");
}

/** Whether requests go to OpenAI's own host (or Azure's). Unlike `connect`, never throws. */
export function asksOpenAI(options: OpenAIOptions): boolean {
  return isOpenAIURL(baseURLOf(options));
}

function lowerCase(headers: OpenAIOptions["headers"] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function hasKey(headers: OpenAIOptions["headers"]): boolean {
  const names = Object.keys(lowerCase(headers));
  return names.includes("authorization") || names.includes("api-key");
}
