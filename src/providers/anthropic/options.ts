import { assertFactoryCall, type Endpoint, resolveEndpoint } from "../kit/endpoint.ts";
import type { HttpConnection } from "../kit/http-model.ts";
import type { UploadOptions } from "../kit/uploads/types.ts";
import { anthropicInfo } from "./info.ts";
import type { HttpAgent } from "../../transport/wire/types.ts";
import type { AnthropicTool } from "./tools.ts";

/** How to reach Anthropic, or any server that is compatible with its Messages API. */
export interface AnthropicOptions {
  /** `ANTHROPIC_API_KEY` by default. Other servers may not need a key. */
  readonly apiKey?: string | undefined;
  /** Sent as `Authorization: Bearer` instead of the key in the environment, for OAuth tokens and gateways. */
  readonly authToken?: string | undefined;
  /** Without `/v1`. `ANTHROPIC_BASE_URL` by default, else `https://api.anthropic.com`. */
  readonly baseURL?: string | undefined;
  /** Sent with every request. They replace Skein's own headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests instead of Skein's own transport. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * On Node, an `Agent` of `node:http` or `node:https` that makes the connections: for a proxy, a certificate authority or a Unix socket
   * of one's own. By default connections are kept for the next request, and follow `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`.
   */
  readonly agent?: HttpAgent | undefined;
  /** Betas to enable, as in the `anthropic-beta` header. */
  readonly beta?: readonly string[] | undefined;
  /** The `anthropic-version` header; `"2023-06-01"` by default. */
  readonly version?: string | undefined;
  /**
   * Tools that Anthropic executes, such as `[anthropic.tools.webSearch()]`, offered with every request. Their calls and results are parts
   * of the answer, and are sent back.
   */
  readonly providerTools?: readonly AnthropicTool[] | undefined;
  /**
   * Whether large images and files are uploaded once, and referred to by their ids in every later request, or from which size on. The files
   * stay in the account until they are deleted.
   */
  readonly uploads?: boolean | UploadOptions | undefined;
  /** The name of the provider, `"anthropic"` by default. Reasoning is sent back only to the provider that wrote it. */
  readonly provider?: string | undefined;
}

/** Where requests go, and with which headers. */
export interface AnthropicConnection extends HttpConnection, Pick<Endpoint, "isFirstParty"> {
  readonly headers: Readonly<Record<string, string>>;
  /** `beta` of the options. */
  readonly betas: readonly string[];
  /** The `anthropic-beta` header of the options. */
  readonly betaHeader: string | undefined;
  /** `providerTools` of the options. */
  readonly providerTools: readonly AnthropicTool[];
}

const optionNames = {
  apiKey: true,
  authToken: true,
  baseURL: true,
  headers: true,
  fetch: true,
  agent: true,
  beta: true,
  version: true,
  providerTools: true,
  provider: true,
  uploads: true,
} as const satisfies Record<keyof AnthropicOptions, true>;

/**
 * Checks the arguments of `anthropic`.
 * @throws ConfigurationError for an unknown option, and for an invalid model id, base URL or key.
 */
export function assertUsable(modelId: string, options: AnthropicOptions): void {
  assertFactoryCall({ info: anthropicInfo, optionNames }, modelId, options);
}

/**
 * Determines where requests go.
 * @throws AuthenticationError if requests go to Anthropic and no key is set; ConfigurationError if the base URL or the key in the
 * environment is invalid, or if real models are blocked.
 */
export function connect(modelId: string, options: AnthropicOptions): AnthropicConnection {
  const { authToken, version = "2023-06-01", beta: betas = [], providerTools = [] } = options;
  const { provider, baseURL, apiKey, headers, fetch, agent, isFirstParty } = resolveEndpoint(
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
    agent,
    betas,
    betaHeader: headers["anthropic-beta"],
    providerTools,
    headers: {
      ...(apiKey && { "x-api-key": apiKey }),
      ...(authToken && { authorization: `Bearer ${authToken}` }),
      "anthropic-version": version,
      ...headers,
    },
  };
  return { ...connection, headers: headersWith(connection, []) };
}

/** The headers of a connection, with these betas in addition to those of the options. */
export function headersWith(
  { headers, betas, betaHeader }: Pick<AnthropicConnection, "headers" | "betas" | "betaHeader">,
  more: readonly string[],
): Readonly<Record<string, string>> {
  const all = [...betas, ...more, betaHeader].filter(Boolean).join(",");
  return all === "" ? headers : { ...headers, "anthropic-beta": all };
}
