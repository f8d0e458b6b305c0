import { assertFactoryCall, type Endpoint, isOwnEndpoint, resolveEndpoint } from "../kit/endpoint.ts";
import type { HttpConnection } from "../kit/http-model.ts";
import type { UploadOptions } from "../kit/uploads/types.ts";
import { openaiInfo } from "./info.ts";
import type { HttpAgent } from "../../transport/wire/types.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import type { OpenAITool } from "./tools.ts";

/** How to reach OpenAI, or any server that is compatible with its APIs. */
export interface OpenAIOptions {
  /** `OPENAI_API_KEY` by default, unless `provider` names another provider. Other servers may not need a key. */
  readonly apiKey?: string | undefined;
  /** Ends in `/v1`. `OPENAI_BASE_URL` by default, else `https://api.openai.com/v1`. */
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
  /** The `OpenAI-Organization` header. */
  readonly organization?: string | undefined;
  /** The `OpenAI-Project` header. */
  readonly project?: string | undefined;
  /**
   * Whether large images and files are uploaded once, and referred to by their ids in every later request, or from which size on. The files
   * stay in the account until 30 days have passed.
   */
  readonly uploads?: boolean | UploadOptions | undefined;
  /** The name of the provider, `"openai"` by default. Reasoning is sent back only to the provider that wrote it. */
  readonly provider?: string | undefined;
  /**
   * Whether the server can enforce the JSON Schema of an `output`, also when tools are offered. By default `true` for OpenAI's models
   * since August 2024 and `false` for other servers, where the model answers with a call of a tool.
   */
  readonly structuredOutput?: boolean | undefined;
}

/** Options of a model of the Responses API. */
export interface OpenAIResponsesOptions extends OpenAIOptions {
  /**
   * Tools that OpenAI executes, such as `[openai.tools.webSearch()]`, offered with every request. Their calls and results are parts of
   * the answer, and are sent back.
   */
  readonly providerTools?: readonly OpenAITool[] | undefined;
}

/** Where requests go, and with which headers. */
export interface Connection extends HttpConnection, Pick<Endpoint, "host"> {
  /** `providerTools` of the options. */
  readonly providerTools?: readonly OpenAITool[] | undefined;
  /** Whether the host is OpenAI's own (or Azure's), not a compatible server. */
  readonly isOpenAI: boolean;
}

const optionNames = {
  apiKey: true,
  baseURL: true,
  headers: true,
  fetch: true,
  agent: true,
  organization: true,
  project: true,
  provider: true,
  uploads: true,
  structuredOutput: true,
} as const satisfies Record<keyof OpenAIOptions, true>;

/**
 * Checks the arguments of a factory, which messages name as `factory`, such as `openai.responses`.
 * @throws ConfigurationError for an unknown option, and for an invalid model id, base URL or key.
 */
export function assertUsable(modelId: string, options: OpenAIOptions, factory: string): void {
  assertFactoryCall({ info: openaiInfo, optionNames, factory }, modelId, options);
}

/**
 * The same for the Responses API, which alone has tools that OpenAI executes.
 * @throws ConfigurationError as `assertUsable` does, and for a provider tool of another provider.
 */
export function assertResponsesUsable(modelId: string, options: OpenAIResponsesOptions): void {
  const names = { ...optionNames, providerTools: true } as const satisfies Record<
    keyof OpenAIResponsesOptions,
    true
  >;
  assertFactoryCall({ info: openaiInfo, optionNames: names, factory: "openai.responses" }, modelId, options);
}

/** @throws ConfigurationError for provider tools in Chat Completions, which has none. */
export function assertNoProviderTools(modelId: string, options: OpenAIOptions): void {
  if (!Object.hasOwn(options, "providerTools")) return;
  throw invalidOption(
    `openai("${modelId}", { ... }) has providerTools, which Chat Completions does not execute. Write openai.responses("${modelId}", { providerTools }).`,
    { option: "providerTools" },
  );
}

/**
 * Determines where requests go.
 * @throws AuthenticationError if requests go to OpenAI and no key is set; ConfigurationError if the base URL or the key in the
 * environment is invalid, or if real models are blocked.
 */
export function connect(modelId: string, path: string, options: OpenAIResponsesOptions): Connection {
  const { provider, host, baseURL, apiKey, headers, fetch, agent, isFirstParty } = resolveEndpoint(
    openaiInfo,
    modelId,
    options,
  );
  return {
    provider,
    modelId,
    host,
    isOpenAI: isFirstParty,
    providerTools: options.providerTools,
    url: baseURL + path,
    headers: {
      authorization: apiKey && `Bearer ${apiKey}`,
      "openai-organization": options.organization,
      "openai-project": options.project,
      ...headers,
    },
    fetch,
    agent,
  };
}

/** Whether requests go to OpenAI's own host (or Azure's). Unlike `connect`, never throws. */
export function isOpenAIEndpoint(options: OpenAIOptions): boolean {
  return isOwnEndpoint(openaiInfo, options);
}
