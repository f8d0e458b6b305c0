import { ConfigurationError } from "../../errors.ts";
import { redactKeys } from "../../base/util/redact-keys.ts";
import { assertFactoryCall, type Endpoint, resolveEndpoint } from "../kit/endpoint.ts";
import type { HttpConnection } from "../kit/http-model.ts";
import { googleInfo } from "./info.ts";

/** How to reach Google, or any server that speaks the Gemini API. */
export interface GoogleOptions {
  /** `GOOGLE_API_KEY` by default, else `GEMINI_API_KEY`, as in Google's own SDKs. Servers other than Google's may need none. */
  readonly apiKey?: string | undefined;
  /**
   * Without the version, which may stand at its end all the same. `GOOGLE_GEMINI_BASE_URL` by default, else
   * `https://generativelanguage.googleapis.com`.
   */
  readonly baseURL?: string | undefined;
  /** The version of the API; `"v1beta"` by default, which is the one that has all that Skein uses. */
  readonly apiVersion?: string | undefined;
  /** Sent with every request; they win over Skein's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `globalThis.fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The name of whoever answers, `"google"` by default: thought signatures are sent back to the provider that wrote them only. */
  readonly provider?: string | undefined;
}

/** Where a model's requests go. */
export interface GoogleConnection extends HttpConnection, Pick<Endpoint, "isFirstParty"> {}

const optionNames = {
  apiKey: true,
  baseURL: true,
  apiVersion: true,
  headers: true,
  fetch: true,
  provider: true,
} as const satisfies Record<keyof GoogleOptions, true>;

/** What a server could read as another path: segments of dots, and what begins a query, a fragment or an escape. */
const otherPath = /[?#%\\]|(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * Checks what a model is made with.
 * @throws ConfigurationError for an unknown option, an invalid model id, and a base URL or key that cannot be sent.
 */
export function assertUsable(modelId: string, options: GoogleOptions): void {
  assertFactoryCall({ info: googleInfo, optionNames }, modelId, options);
  if (!otherPath.test(modelId)) return;
  throw new ConfigurationError(
    `google("${redactKeys(modelId)}") cannot be sent: a model id has no "?", "#", "%" or segment "..". ` +
      `Write the id alone: google("${googleInfo.exampleModel}")`,
    { code: "invalid-model-id" },
  );
}

/**
 * Works out where requests go.
 * @throws AuthenticationError if Google is to answer and there is no key; ConfigurationError if the environment's base URL or key
 * cannot be used, or if real models are blocked.
 */
export function connect(modelId: string, options: GoogleOptions): GoogleConnection {
  const { provider, baseURL, apiKey, headers, fetch, isFirstParty } = resolveEndpoint(
    googleInfo,
    modelId,
    options,
  );
  const [, root = baseURL, ownVersion] = /^(.*?)(?:\/(v\d\w*))?$/.exec(baseURL) ?? [];
  const version = options.apiVersion ?? ownVersion ?? "v1beta";
  return {
    provider,
    modelId,
    url: `${root}/${version}/${resourceName(modelId)}:streamGenerateContent?alt=sse`,
    headers: { "x-goog-api-key": apiKey, ...headers },
    fetch,
    isFirstParty,
  };
}

/** The model as the API names it: ids are those of `models/`, unless they name another collection. */
function resourceName(modelId: string): string {
  const path = modelId.split("/").map(encodeURIComponent).join("/");
  return path.includes("/") ? path : `models/${path}`;
}
