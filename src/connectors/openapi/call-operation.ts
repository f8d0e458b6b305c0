import { isPlainObject } from "../../base/util/json.ts";
import type { Schema } from "../../schema/types.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import type { ToolReturn } from "../../tool/types.ts";
import { buildRequest } from "./build-request.ts";
import {
  type AuthorizedRequest,
  type ClientCredentials,
  type Satisfied,
  authorize,
  chooseCredentials,
  secretOf,
} from "./credentials.ts";
import { secretHider } from "../../model/hide-secrets.ts";
import { secretsIn } from "../../model/secrets.ts";
import { type NetworkPolicy, readBytes, send } from "./network.ts";
import type { CachedTokens } from "./oauth.ts";
import type { OpenApiOptions } from "./options.ts";
import { type Answer, shapeResponse } from "./shape-response.ts";
import { mayFollow } from "./redirects.ts";
import type { Operation, SecurityRequirement } from "./types.ts";

/** The longest answer that is read, in bytes. */
const longestAnswer = 10_000_000;

/** What all operations of an API share. */
export interface Api {
  readonly options: OpenApiOptions;
  readonly policy: NetworkPolicy;
  readonly tokens: CachedTokens;
  /** The schema that an operation's answer is held to, if it is to be. */
  readonly answerSchema: (operation: Operation, status: number) => Schema | undefined;
}

interface Attempt {
  readonly answer: Answer;
  readonly secrets: readonly string[];
  /** One for each requirement. */
  readonly tokens: readonly string[];
}

/** Sends the request that the arguments describe, and returns the server's answer. */
export async function callOperation(
  operation: Operation,
  input: unknown,
  { signal, context }: ToolContext,
  api: Api,
): Promise<ToolReturn> {
  const prepared = buildRequest(operation, isPlainObject(input) ? input : {}, `skein-${crypto.randomUUID()}`);
  const satisfied = credentialsOf(operation, api);
  const attempt = async (refused: readonly string[]): Promise<Attempt> => {
    const grants = await Promise.all(
      satisfied.map((each, index) => grantFor(each, operation, context, api, refused[index])),
    );
    const tokens = grants.map(({ token }) => token);
    const authorized = authorize(prepared, satisfied, tokens);
    const secrets = [...authorized.secrets, ...grants.flatMap(({ clientSecret = [] }) => clientSecret)];
    try {
      return { answer: await exchange(authorized, operation, api, signal), secrets, tokens };
    } catch (error) {
      signal.throwIfAborted();
      throw withoutSecrets(error, secrets, api);
    }
  };
  const first = await attempt([]);
  // A token can be taken back before it expires: a new one is tried once.
  const isRefused = first.answer.status === 401 && satisfied.some(isClient);
  const { answer, secrets } = isRefused ? await attempt(first.tokens) : first;
  const shortest = answer.status < 300 ? 8 : 4;
  const hide = secretHider([...first.secrets, ...secrets], api.options.headers ?? {}, shortest);
  return shapeResponse(answer, hide, (status) => api.answerSchema(operation, status));
}

/** What went wrong before there was an answer. Where a redirect leads to is the server's to say. */
function withoutSecrets(error: unknown, secrets: readonly string[], { options }: Api): unknown {
  if (!(error instanceof Error)) return error;
  const all = [...secrets, ...secretsIn(options.headers ?? {})];
  // Hosts are written in lower case.
  const words = secretHider([...all, ...all.map((secret) => secret.toLowerCase())], {}, 4).text(
    error.message,
  );
  return words === error.message ? error : new Error(words);
}

/** @throws Error where there are none, unless the program may have put them in its headers or its `fetch`. */
function credentialsOf({ security }: Operation, { options }: Api): readonly Satisfied[] {
  const satisfied = chooseCredentials(security, options.auth);
  if (satisfied) return satisfied;
  if (security.some((alternative) => alternative.length === 0) || options.headers || options.fetch) return [];
  const names = security
    .map((alternative) => alternative.map(({ name }) => name).join(" with "))
    .join(", or ");
  throw new Error(`it needs credentials that the program has not given (auth of openapi()): ${names}`);
}

function isClient({ credential, requirement }: Satisfied): boolean {
  return requirement.scheme.kind === "oauth2" && isPlainObject(credential) && "clientId" in credential;
}

interface Grant {
  readonly token: string;
  readonly clientSecret?: string;
}

async function grantFor(
  { requirement, credential }: Satisfied,
  operation: Operation,
  context: unknown,
  { tokens, options }: Api,
  refused: string | undefined,
): Promise<Grant> {
  if (typeof credential === "string" || typeof credential === "function")
    return { token: await secretOf(credential, context) };
  if ("username" in credential) return { token: await secretOf(credential.password, context) };
  const tokenUrl = tokenUrlOf(requirement, credential, operation, options);
  const clientSecret = await secretOf(credential.clientSecret, context);
  const client = { ...credential, clientSecret };
  const scopes = credential.scopes ?? requirement.scopes;
  return { token: await tokens.token(tokenUrl.href, client, scopes, refused), clientSecret };
}

/**
 * Where the client's secret goes. A document may be somebody else's where `baseUrl` is set: then the address must be the
 * program's own, or one where requests go anyway.
 * @throws Error if there is no such address.
 */
function tokenUrlOf(
  { name, scheme }: SecurityRequirement,
  credential: ClientCredentials,
  { servers: [server] }: Operation,
  { baseUrl }: OpenApiOptions,
): URL {
  const stated = scheme.kind === "oauth2" ? scheme.tokenUrl : undefined;
  const address = credential.tokenUrl ?? stated;
  const tokenUrl = address === undefined ? null : URL.parse(address, `${server}/`);
  if (!tokenUrl) throw new Error(`the security scheme ${name} has no tokenUrl for client credentials`);
  const isOwn = credential.tokenUrl !== undefined || baseUrl === undefined;
  if (!isOwn && tokenUrl.origin !== new URL(baseUrl).origin)
    throw new Error(
      `the document's token server ${tokenUrl.host} is another than the baseUrl of openapi(). If the client's secret may go there, set tokenUrl beside it: auth: { ${JSON.stringify(name)}: { clientId, clientSecret, tokenUrl } }`,
    );
  return tokenUrl;
}

async function exchange(
  { request, address }: AuthorizedRequest,
  { servers }: Operation,
  { options, policy }: Api,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (request.body === undefined || name.toLowerCase() !== "content-type") headers.set(name, value);
  }
  for (const [name, value] of request.headers) {
    if (name === "cookie") headers.set(name, joinCookies(headers.get(name) ?? "", request.cookies));
    else if (name !== "accept" || !headers.has(name)) headers.set(name, value);
  }
  const { method, body } = request;
  const init = { method, headers, signal, ...(body !== undefined && { body }) };
  const response = await send(address, init, policy, (redirect) => mayFollow(servers, redirect));
  const { bytes, isWhole } = await readBytes(response, longestAnswer);
  return {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
    bytes,
    isWhole,
  };
}

/** The program's own cookies, and those pairs that have other names. */
function joinCookies(own: string, pairs: readonly string[]): string {
  const nameOf = (pair: string): string => pair.split("=", 1)[0]?.trim() ?? "";
  const names = new Set(own.split(";").map(nameOf));
  return [...(own === "" ? [] : [own]), ...pairs.filter((pair) => !names.has(nameOf(pair)))].join("; ");
}
