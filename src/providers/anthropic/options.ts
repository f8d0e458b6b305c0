import { AuthenticationError } from "../../errors.ts";
import { assertKeyCharacters } from "../../model/api-key.ts";
import { assertBaseURL } from "../../model/base-url.ts";
import { assertModelId } from "../../model/model-id.ts";
import { assertRealModelAllowed } from "../../model/real-models.ts";
import { isOfflineFetch } from "../../model/wire-seam.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** How to reach Anthropic, or any server that speaks its Messages API. */
export interface AnthropicOptions {
  /** `ANTHROPIC_API_KEY` by default. Servers other than Anthropic's may need none. */
  readonly apiKey?: string | undefined;
  /** Sent as `Authorization: Bearer` in place of the key of the environment: OAuth tokens, gateways. */
  readonly authToken?: string | undefined;
  /** Without `/v1`. `ANTHROPIC_BASE_URL` by default, else `https://api.anthropic.com`. */
  readonly baseURL?: string | undefined;
  /** Sent with every request; they win over Skein's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `globalThis.fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Betas to take part in, as in the `anthropic-beta` header. */
  readonly beta?: readonly string[] | undefined;
  /** The `anthropic-version` header; `"2023-06-01"` by default. */
  readonly version?: string | undefined;
  /** The name of whoever answers, `"anthropic"` by default: reasoning is replayed to the provider that wrote it only. */
  readonly provider?: string | undefined;
}

/** Where a request goes, and as whom. */
export interface Connection {
  readonly url: string;
  /** Whether it is Anthropic's own API. */
  readonly isFirstParty: boolean;
  /** The headers, with these betas beside those of the options. */
  headers(betas: readonly string[]): Record<string, string>;
}

/** What `provider` is where none is given. */
export const defaultProvider = "anthropic";

const defaultBaseURL = "https://api.anthropic.com";

const knownOptions = {
  apiKey: true,
  authToken: true,
  baseURL: true,
  headers: true,
  fetch: true,
  beta: true,
  version: true,
  provider: true,
} as const satisfies Record<keyof AnthropicOptions, true>;

/**
 * Checks what a model is made with.
 * @throws ConfigurationError for an unknown option, an id that is none and a base URL or key that cannot be sent.
 */
export function assertUsable(modelId: string, options: AnthropicOptions): void {
  const { baseURL, apiKey, authToken } = options;
  assertModelId(modelId, {
    factory: "anthropic",
    example: "claude-sonnet-5-5",
    takesPrefix: Boolean(baseURL),
  });
  assertKnownOptions(options, knownOptions, `anthropic("${modelId}", { ... })`);
  if (baseURL) assertBaseURL(baseURL, "baseURL");
  if (apiKey) assertKeyCharacters(apiKey, "apiKey");
  if (authToken) assertKeyCharacters(authToken, "authToken");
}

/**
 * Works out where a request goes. Reads the environment now, not on import.
 * @throws AuthenticationError if Anthropic is to be asked and there is no key; ConfigurationError if the environment's
 * base URL or key cannot be used, or if real models are blocked.
 */
export function connect(modelId: string, options: AnthropicOptions): Connection {
  const environment = globalThis.process?.env;
  const { provider = defaultProvider, authToken, version = "2023-06-01", beta = [] } = options;
  const baseURL = (options.baseURL || environment?.["ANTHROPIC_BASE_URL"] || defaultBaseURL).replace(
    /(?:\/v1)?\/*$/,
    "",
  );
  assertBaseURL(baseURL, options.baseURL ? "baseURL" : "ANTHROPIC_BASE_URL");
  // First of all: whoever forbids requests needs no key.
  assertRealModelAllowed(provider, modelId, baseURL, options.fetch);
  const apiKey = options.apiKey || (authToken ? undefined : environment?.["ANTHROPIC_API_KEY"]) || undefined;
  if (apiKey) assertKeyCharacters(apiKey, options.apiKey ? "apiKey" : "ANTHROPIC_API_KEY");
  const isFirstParty = new URL(baseURL).hostname === "api.anthropic.com";
  const own = new Map(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const hasKey = apiKey || authToken || own.has("x-api-key") || own.has("authorization");
  if (isFirstParty && !hasKey && !isOfflineFetch(options.fetch)) {
    throw new AuthenticationError(
      `There is no key for ${provider}:${modelId}. Set ANTHROPIC_API_KEY, or give anthropic(..., { apiKey }).`,
      { provider, modelId },
    );
  }
  return {
    url: `${baseURL}/v1/messages`,
    isFirstParty,
    headers: (betas) => {
      const allBetas = [...beta, ...betas, own.get("anthropic-beta")].filter(Boolean).join(",");
      return {
        ...(apiKey && { "x-api-key": apiKey }),
        ...(authToken && { authorization: `Bearer ${authToken}` }),
        "anthropic-version": version,
        ...Object.fromEntries(own),
        ...(allBetas && { "anthropic-beta": allBetas }),
      };
    },
  };
}
