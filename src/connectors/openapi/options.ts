import { ConfigurationError } from "../../errors.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import type { ClientCredentials, OpenApiAuth, UserCredentials } from "./credentials.ts";

/** An operation, as far as it is needed to choose it. */
export interface OperationSummary {
  /** The tool's name. */
  readonly name: string;
  readonly operationId?: string;
  /** In capitals. */
  readonly method: string;
  /** As the document has it. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
}

/**
 * Chooses operations: by the tool's name, the operationId, the path or method and path (`"GET /pets/*"`, where `*` stands for
 * anything), by a regular expression on these, or by a function.
 */
export type OperationFilter = readonly (string | RegExp)[] | ((operation: OperationSummary) => boolean);

/** How the operations of an API become tools. */
export interface OpenApiOptions {
  /** In front of a tool's name where another toolset has one of that name; `"openapi"` by default. */
  readonly name?: string;
  /** Where all requests go, instead of the document's servers. It may be a private address. */
  readonly baseUrl?: string;
  /** Values of the variables in the servers' addresses; their defaults are the document's. */
  readonly serverVariables?: Readonly<Record<string, string>>;
  /** Credentials: by the names of the document's security schemes, or one secret for all of them. */
  readonly auth?: OpenApiAuth;
  /** Sent with every request. The model does not see them, and cannot set them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Only these operations. */
  readonly include?: OperationFilter;
  /** Not these operations. */
  readonly exclude?: OperationFilter;
  /** Only operations with one of these tags. */
  readonly tags?: readonly string[];
  /** Operations on their way out are tools, too. Off by default. */
  readonly deprecated?: boolean;
  /**
   * Which calls wait for a person's decision: those that may change something ("writes", the default: everything but GET,
   * HEAD and OPTIONS), none, or all.
   */
  readonly approval?: "writes" | "none" | "all";
  /** Requests may go to this machine and to private networks. Off by default. */
  readonly allowPrivateAddresses?: boolean;
  /** `globalThis.fetch` by default; also for the document. */
  readonly fetch?: typeof globalThis.fetch;
  /** How long a call may take, in milliseconds; 60,000 by default. */
  readonly timeout?: number;
  /** The most characters of an answer that the model is shown; 30,000 by default. It can read the rest. */
  readonly maxResultChars?: number;
  /** JSON that a server answers with is held to the document's schemas, and programs of `skein/code` have their types. Off by default. */
  readonly validateResponses?: boolean;
}

const optionNames = {
  name: true,
  baseUrl: true,
  serverVariables: true,
  auth: true,
  headers: true,
  include: true,
  exclude: true,
  tags: true,
  deprecated: true,
  approval: true,
  allowPrivateAddresses: true,
  fetch: true,
  timeout: true,
  maxResultChars: true,
  validateResponses: true,
} satisfies Record<keyof OpenApiOptions, true>;

const userNames = { username: true, password: true } satisfies Record<keyof UserCredentials, true>;
const clientNames = {
  clientId: true,
  clientSecret: true,
  tokenUrl: true,
  scopes: true,
  authentication: true,
} satisfies Record<keyof ClientCredentials, true>;

/** @throws ConfigurationError (`invalid-option`) for an unknown name in the credentials of a scheme. */
function assertAuth(auth: OpenApiAuth | undefined): void {
  if (typeof auth !== "object") return;
  for (const [scheme, credential] of Object.entries(auth)) {
    if (typeof credential !== "object") continue;
    const names = "clientId" in credential ? clientNames : userNames;
    assertKnownOptions(credential, names, `auth.${scheme} of openapi()`);
  }
}

/** @throws ConfigurationError for an unknown option, or one that makes no sense. */
export function assertOptions(options: OpenApiOptions): void {
  assertKnownOptions(options, optionNames, "openapi(document, { ... })");
  assertAuth(options.auth);
  const { approval = "writes", baseUrl, headers = {} } = options;
  if (!["writes", "none", "all"].includes(approval)) {
    throw invalidOption('approval of openapi() must be "writes", "none" or "all".', { option: "approval" });
  }
  const { include, exclude, tags } = options;
  for (const [option, filter] of Object.entries({ include, exclude, tags })) {
    if (filter === undefined || Array.isArray(filter)) continue;
    if (option !== "tags" && typeof filter === "function") continue;
    throw invalidOption(`${option} of openapi() must be a list.`, { option });
  }
  if (baseUrl !== undefined) assertBaseUrl(baseUrl);
  for (const [name, value] of Object.entries(headers)) {
    if (/^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7E\x80-\xFF]*$/.test(value)) continue;
    throw new ConfigurationError(`The header ${JSON.stringify(name)} of openapi() cannot be sent as it is.`, {
      code: "invalid-header",
    });
  }
}

/** A query would be lost: paths are put behind the address. */
function assertBaseUrl(baseUrl: string): void {
  const url = URL.parse(baseUrl);
  const isPlain = url && url.username + url.password + url.search + url.hash === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return;
  throw new ConfigurationError(
    "The baseUrl of openapi() must be an http: or https: address without a user, a query and a fragment: keys go into auth or headers.",
    { code: "invalid-base-url" },
  );
}
