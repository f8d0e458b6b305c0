import { assertFactoryCall, type Endpoint, resolveEndpoint } from "../kit/endpoint.ts";
import type { HttpConnection } from "../kit/http-model.ts";
import { anthropicInfo } from "./info.ts";

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

/** Where requests go, and as whom. */
export interface AnthropicConnection extends HttpConnection, Pick<Endpoint, "isFirstParty"> {
  readonly headers: Readonly<Record<string, string>>;
  /** The betas of the options. */
  readonly betas: readonly string[];
  /** The `anthropic-beta` header of the options. */
  readonly betaHeader: string | undefined;
}

const optionNames = {
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
 * @throws ConfigurationError for an unknown option, an invalid model id, and a base URL or key that cannot be sent.
 */
export function assertUsable(modelId: string, options: AnthropicOptions): void {
  assertFactoryCall({ info: anthropicInfo, optionNames }, modelId, options);
}

/**
 * Works out where requests go.
 * @throws AuthenticationError if Anthropic is to answer and there is no key; ConfigurationError if the environment's base URL or
 * key cannot be used, or if real models are blocked.
 */
export function connect(modelId: string, options: AnthropicOptions): AnthropicConnection {
  const { authToken, version = "2023-06-01", beta: betas = [] } = options;
  const { provider, baseURL, apiKey, headers, fetch, isFirstParty } = resolveEndpoint(
    anthropicInfo,
    modelId,
    options,
  );
  const connection = {
    provider,
    modelId,
    url: `${baseURL}/v1/messages`,
    isFirstParty,
    fetch,
    betas,
    betaHeader: headers["anthropic-beta"],
    headers: {
      ...(apiKey && { "x-api-key": apiKey }),
      ...(authToken && { authorization: `Bearer ${authToken}` }),
      "anthropic-version": version,
      ...headers,
    },
  };
  return { ...connection, headers: headersWith(connection, []) };
}

/** The headers of a connection, with these betas beside those of the options. */
export function headersWith(
  { headers, betas, betaHeader }: Pick<AnthropicConnection, "headers" | "betas" | "betaHeader">,
  more: readonly string[],
): Readonly<Record<string, string>> {
  const all = [...betas, ...more, betaHeader].filter(Boolean).join(",");
  return all === "" ? headers : { ...headers, "anthropic-beta": all };
}
