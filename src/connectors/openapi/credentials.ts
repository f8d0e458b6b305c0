import { isPlainObject } from "../../base/util/json.ts";
import { describeValue } from "../../base/options/known-options.ts";
import { addressOf, cookiePair } from "./build-request.ts";
import { percent } from "./serialize.ts";
import type { PreparedRequest, SecurityRequirement } from "./types.ts";

/** A secret: itself, or a function that is called before each request with the application's context. */
export type Secret = string | ((scope: { readonly context: unknown }) => string | Promise<string>);

/** A user for HTTP's basic authentication. */
export interface UserCredentials {
  readonly username: string;
  readonly password: Secret;
}

/** A client of an OAuth 2 server (RFC 6749, section 4.4). Its token is kept until it expires. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Instead of the address that the document has. */
  readonly tokenUrl?: string;
  /** Instead of the scopes that each operation asks for. */
  readonly scopes?: readonly string[];
  /** How the client shows who it is: in a header ("basic", the default), or in the body. */
  readonly authentication?: "basic" | "body";
}

/** What satisfies one security scheme. */
export type Credential = Secret | UserCredentials | ClientCredentials;

/** One secret for every scheme that takes one, or what satisfies each scheme, by its name in the document. */
export type OpenApiAuth = Secret | Readonly<Record<string, Credential>>;

/** A requirement with what satisfies it. */
export interface Satisfied {
  readonly requirement: SecurityRequirement;
  readonly credential: Credential;
}

/** The first of the alternatives that there are credentials for all of; `undefined` if there is none. */
export function chooseCredentials(
  alternatives: readonly (readonly SecurityRequirement[])[],
  auth: OpenApiAuth | undefined,
): readonly Satisfied[] | undefined {
  if (alternatives.length === 0) return [];
  const satisfied = alternatives.map((alternative) =>
    alternative.flatMap((requirement): readonly Satisfied[] => {
      const credential = credentialFor(requirement, auth);
      return credential === undefined ? [] : [{ requirement, credential }];
    }),
  );
  const complete = satisfied.filter(
    (alternative, index) => alternative.length === alternatives[index]?.length,
  );
  // An application with credentials wants them used, even where the operation is open without.
  return complete.find((alternative) => alternative.length > 0) ?? complete[0];
}

function credentialFor(
  { name, scheme }: SecurityRequirement,
  auth: OpenApiAuth | undefined,
): Credential | undefined {
  if (auth === undefined) return undefined;
  const isSecret = typeof auth === "string" || typeof auth === "function";
  const credential = isSecret ? auth : Object.hasOwn(auth, name) ? auth[name] : undefined;
  if (credential === undefined) return undefined;
  const isUser = isPlainObject(credential) && "username" in credential;
  const isClient = isPlainObject(credential) && "clientId" in credential;
  switch (scheme.kind) {
    case "basic":
      return isUser ? credential : undefined;
    case "oauth2":
      return isUser ? undefined : credential;
    case "apiKey":
    case "bearer":
      return isUser || isClient ? undefined : credential;
    case "unsupported":
      return undefined;
  }
}

/** A request with its credentials, and the secrets in it, which must not appear in errors or results. */
export interface AuthorizedRequest {
  readonly request: PreparedRequest;
  readonly address: string;
  readonly secrets: readonly string[];
}

/**
 * Adds the credentials to a request.
 * @param tokens the secret of each, in order; a user's is the password.
 * @throws Error for a secret that a header cannot hold.
 */
export function authorize(
  request: PreparedRequest,
  satisfied: readonly Satisfied[],
  tokens: readonly string[],
): AuthorizedRequest {
  const headers = new Map(request.headers);
  const query = [...request.query];
  const cookies = [...request.cookies];
  const secrets: string[] = [];
  const setHeader = (name: string, value: string): void => {
    if (!/^[\t\x20-\x7E\x80-\xFF]*$/.test(value)) {
      throw new Error("a credential holds characters that a header cannot, such as a line break at its end");
    }
    headers.set(name.toLowerCase(), value);
    secrets.push(value);
  };
  for (const [index, { requirement, credential }] of satisfied.entries()) {
    const token = tokens[index] ?? "";
    const { scheme } = requirement;
    secrets.push(token, percent(token));
    if (scheme.kind === "bearer" || scheme.kind === "oauth2") setHeader("authorization", `Bearer ${token}`);
    else if (scheme.kind === "basic") setHeader("authorization", `Basic ${basic(userOf(credential), token)}`);
    else if (scheme.kind === "apiKey") {
      if (scheme.in === "header") setHeader(scheme.name, token);
      else if (scheme.in === "cookie") cookies.push(cookiePair(scheme.name, token));
      else query.push(`${percent(scheme.name)}=${percent(token)}`);
    }
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  const authorized: PreparedRequest = { ...request, headers, query, cookies };
  return {
    request: authorized,
    address: addressOf(authorized),
    secrets: secrets.filter((secret) => secret !== ""),
  };
}

function userOf(credential: Credential): string {
  return isPlainObject(credential) && "username" in credential ? String(credential["username"]) : "";
}

/** A user and a password as HTTP's basic authentication has them (RFC 7617). */
export function basic(user: string, password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)));
}

/**
 * A secret as it is now.
 * @throws Error for one that is none: a request without it would be another one.
 */
export async function secretOf(secret: Secret, context: unknown): Promise<string> {
  const value: unknown = typeof secret === "function" ? await secret({ context }) : secret;
  if (typeof value === "string" && value !== "") return value;
  const what = value === "" ? "an empty text" : describeValue(value);
  throw new Error(`a credential of the program is ${what} (auth of openapi()), so nothing was sent`);
}
