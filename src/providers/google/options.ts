import { ConfigurationError } from "../../errors.ts";
import { redactKeys } from "../../base/util/redact-keys.ts";
import { assertFactoryCall, type Endpoint, resolveEndpoint } from "../kit/endpoint.ts";
import type { HttpConnection } from "../kit/http-model.ts";
import type { UploadOptions } from "../kit/uploads/types.ts";
import { googleInfo } from "./info.ts";
import type { HttpAgent } from "../../transport/wire/types.ts";
import type { GoogleTool } from "./hosted-tools.ts";

/** How to reach Google, or any server that is compatible with the Gemini API. */
export interface GoogleOptions {
  /** `GOOGLE_API_KEY` by default, else `GEMINI_API_KEY`, as in Google's own SDKs. Other servers may not need a key. */
  readonly apiKey?: string | undefined;
  /**
   * Usually without the version, though it may end with one. `GOOGLE_GEMINI_BASE_URL` by default, else
   * `https://generativelanguage.googleapis.com`.
   */
  readonly baseURL?: string | undefined;
  /** The version of the API; `"v1beta"` by default, which has everything that Skein uses. */
  readonly apiVersion?: string | undefined;
  /** Sent with every request. They replace Skein's own headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests instead of Skein's own transport. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * On Node, an `Agent` of `node:http` or `node:https` that makes the connections: for a proxy, a certificate authority or a Unix socket
   * of one's own. By default connections are kept for the next request, and follow `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`.
   */
  readonly agent?: HttpAgent | undefined;
  /**
   * Tools that Google executes, such as `[google.tools.googleSearch()]`, offered with every request. Their calls and results are parts of
   * the answer. Together with functions, they need Gemini 3 or later.
   */
  readonly providerTools?: readonly GoogleTool[] | undefined;
  /**
   * Whether large images and files are uploaded once, and referred to by their ids in every later request, or from which size on. The files
   * stay in the account until 48 hours have passed.
   */
  readonly uploads?: boolean | UploadOptions | undefined;
  /** The name of the provider, `"google"` by default. Thought signatures are sent back only to the provider that wrote them. */
  readonly provider?: string | undefined;
}

/** Where a model's requests go. */
export interface GoogleConnection extends HttpConnection, Pick<Endpoint, "isFirstParty"> {
  /** `providerTools` of the options. */
  readonly providerTools?: readonly GoogleTool[] | undefined;
  /** Where stored files are: the base URL with the version. */
  readonly filesURL: string;
}

const optionNames = {
  apiKey: true,
  baseURL: true,
  apiVersion: true,
  headers: true,
  fetch: true,
  agent: true,
  providerTools: true,
  provider: true,
  uploads: true,
} as const satisfies Record<keyof GoogleOptions, true>;

/** Matches what a server could read as another path: segments of dots, and the start of a query, a fragment or an escape. */
const otherPath = /[?#%\\]|(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * Checks the arguments of `google`.
 * @throws ConfigurationError for an unknown option, and for an invalid model id, base URL or key.
 */
export function assertUsable(modelId: string, options: GoogleOptions): void {
  assertFactoryCall({ info: googleInfo, optionNames }, modelId, options);
  if (!otherPath.test(modelId)) return;
  throw new ConfigurationError(
    `The model id of google("${redactKeys(modelId)}") must not contain "?", "#", "%" or a segment "..". ` +
      `Pass only the id: google("${googleInfo.exampleModel}").`,
    { code: "invalid-model-id" },
  );
}

/**
 * Determines where requests go.
 * @throws AuthenticationError if requests go to Google and no key is set; ConfigurationError if the base URL or the key in the
 * environment is invalid, or if real models are blocked.
 */
export function connect(modelId: string, options: GoogleOptions): GoogleConnection {
  const { provider, baseURL, apiKey, headers, fetch, agent, isFirstParty } = resolveEndpoint(
    googleInfo,
    modelId,
    options,
  );
  const [, root = baseURL, ownVersion] = /^(.*?)(?:\/(v\d\w*))?$/.exec(baseURL) ?? [];
  const version = options.apiVersion ?? ownVersion ?? "v1beta";
  return {
    provider,
    modelId,
    filesURL: `${root}/${version}`,
    url: `${root}/${version}/${resourceName(modelId)}:streamGenerateContent?alt=sse`,
    headers: { "x-goog-api-key": apiKey, ...headers },
    fetch,
    agent,
    isFirstParty,
    providerTools: options.providerTools,
  };
}

/** The resource name of a model: in the collection `models/`, unless the id names another collection. */
function resourceName(modelId: string): string {
  const path = modelId.split("/").map(encodeURIComponent).join("/");
  return path.includes("/") ? path : `models/${path}`;
}
