import { AuthenticationError, ConfigurationError } from "../../errors.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";
import { assertKeyCharacters } from "../../model/api-key.ts";
import { assertBaseURL } from "../../model/base-url.ts";
import { assertModelId } from "../../model/model-id.ts";
import { assertRealModelAllowed } from "../../model/real-models.ts";
import { isOfflineFetch } from "../../model/wire-seam.ts";
import type { HostedTool } from "../../model/hosted-tool.ts";
import { assertHostedTools } from "./hosted-tools.ts";
import type { HttpAgent } from "../../transport/wire/types.ts";
import { assertUploads } from "./uploads/options.ts";
import type { UploadOptions } from "./uploads/types.ts";
import type { ProviderInfo } from "./provider-info.ts";

/** The options that the factories of all providers share. */
export interface EndpointOptions {
  readonly apiKey?: string | undefined;
  /** Sent as a bearer token instead of the key in the environment. */
  readonly authToken?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly agent?: HttpAgent | undefined;
  readonly provider?: string | undefined;
  readonly providerTools?: readonly HostedTool[] | undefined;
  readonly uploads?: boolean | UploadOptions | undefined;
}

/** Where the requests of a model go, and with which credentials. */
export interface Endpoint {
  /** The name of the provider, or of the compatible server, that answers. */
  readonly provider: string;
  readonly modelId: string;
  /** Without a slash at the end. */
  readonly baseURL: string;
  /** The host of the base URL, such as `"api.openai.com"`. */
  readonly host: string;
  /** Whether the host is the provider's own, not a compatible server. */
  readonly isFirstParty: boolean;
  readonly apiKey: string | undefined;
  /** The caller's headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly agent: HttpAgent | undefined;
}

/** What the checks of a factory's arguments depend on. */
export interface FactoryCall {
  readonly info: ProviderInfo;
  /** The names of the options, as a record checked with `satisfies`. */
  readonly optionNames: Readonly<Record<string, true>>;
  /** The factory as it is written in messages; `info.name` by default. */
  readonly factory?: string;
}

/**
 * Checks the arguments of a factory.
 * @throws ConfigurationError for an unknown option, an invalid model id, a base URL or key that cannot be sent, and a provider tool of
 * another provider.
 */
export function assertFactoryCall(
  { info, optionNames, factory = info.name }: FactoryCall,
  modelId: string,
  options: EndpointOptions,
): void {
  const { baseURL, apiKey, authToken } = options;
  assertModelId(modelId, {
    factory,
    example: info.exampleModel,
    ownPrefixes: [info.name, ...(info.otherPrefixes ?? [])],
    idPrefixes: info.idPrefixes,
    takesPrefix: Boolean(baseURL || readVariable(info.baseURLVariable)),
  });
  assertKnownOptions(options, optionNames, `${factory}("${modelId}", { ... })`);
  if (baseURL) assertBaseURL(baseURL, "baseURL");
  if (apiKey) assertKeyCharacters(apiKey, "apiKey");
  if (authToken) assertKeyCharacters(authToken, "authToken");
  const place = `${factory}("${modelId}", { ... })`;
  assertAgent(options, place);
  assertHostedTools(options.providerTools, info.name, place);
  assertUploads(options.uploads, place);
}

function assertAgent({ agent, fetch }: EndpointOptions, call: string): void {
  if (agent === undefined) return;
  const problem =
    typeof Object(agent).destroy !== "function"
      ? "must be an Agent of node:http or node:https"
      : fetch && "makes no connections for a fetch of one's own: give one of the two";
  if (problem)
    throw new ConfigurationError(`The agent of ${call} ${problem}.`, {
      code: "invalid-option",
      data: { option: "agent" },
    });
}

/**
 * Determines where requests go. Reads the environment when it is called, not on import.
 * @throws AuthenticationError if requests go to the provider's own host and no key is set; ConfigurationError if the base URL or
 * the key in the environment is invalid, or if real models are blocked.
 */
export function resolveEndpoint(info: ProviderInfo, modelId: string, options: EndpointOptions): Endpoint {
  const { provider = info.name, fetch, agent, authToken } = options;
  const baseURL = baseURLOf(info, options);
  assertBaseURL(baseURL, options.baseURL ? "baseURL" : info.baseURLVariable);
  // First, since a program that blocks real models needs no key.
  assertRealModelAllowed(provider, modelId, baseURL, fetch);
  const host = new URL(baseURL).hostname;
  const isFirstParty = info.ownHost.test(host);
  // The key in the environment is the provider's: a server with another name must not receive it.
  const mayUseKey = !authToken && (isFirstParty || provider === info.name);
  const keyVariable = mayUseKey ? info.keyVariables.find((name) => readVariable(name)) : undefined;
  const apiKey = options.apiKey || (keyVariable && readVariable(keyVariable)) || undefined;
  if (apiKey) assertKeyCharacters(apiKey, options.apiKey ? "apiKey" : (keyVariable ?? "apiKey"));
  const headers = lowerCaseNames(options.headers);
  const hasKey = apiKey || authToken || info.keyHeaders.some((name) => Object.hasOwn(headers, name));
  if (isFirstParty && !hasKey && !isOfflineFetch(fetch)) {
    throw new AuthenticationError(
      `${provider}:${modelId} has no API key. ` +
        `Set ${info.keyVariables.join(" or ")}, or pass the key: ${info.name}(..., { apiKey }).`,
      { provider, modelId },
    );
  }
  return { provider, modelId, baseURL, host, isFirstParty, apiKey, headers, fetch, agent };
}

/** Whether requests go to the provider's own host. Unlike `resolveEndpoint`, never throws. */
export function isOwnEndpoint(info: ProviderInfo, options: EndpointOptions): boolean {
  return info.ownHost.test(URL.parse(baseURLOf(info, options))?.hostname ?? "");
}

function baseURLOf(info: ProviderInfo, options: EndpointOptions): string {
  return (options.baseURL || readVariable(info.baseURLVariable) || info.baseURL).replace(info.baseURLEnd, "");
}

function readVariable(name: string): string | undefined {
  return globalThis.process?.env[name];
}

function lowerCaseNames(headers: EndpointOptions["headers"] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
