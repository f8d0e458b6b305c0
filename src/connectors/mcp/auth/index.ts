import type { AuthProvider, OAuthClientProvider } from "@modelcontextprotocol/client";
import type { FetchLike } from "../client/limit-body.ts";
import type { Sdk } from "../client/sdk.ts";
import { Authorization } from "./authorization.ts";
import type { McpAuth, McpAuthProvider, McpOAuthProvider, TokenAuth } from "./types.ts";

/** One for each server and options: connections that follow each other share tokens. */
const authorizations = new WeakMap<McpAuth, Map<string, Authorization>>();

/**
 * What the SDK's transports need so that the server knows the client.
 * @param timeout - Milliseconds that authorization servers may take.
 */
export function identify(
  sdk: Sdk,
  auth: McpAuth | McpAuthProvider | McpOAuthProvider,
  server: URL,
  fetch: FetchLike,
  timeout: number,
): { readonly fetch: FetchLike } | { readonly authProvider: AuthProvider | OAuthClientProvider } {
  return isProvider(auth)
    ? { authProvider: auth }
    : { fetch: authorizedFetch(sdk, auth, server, fetch, timeout) };
}

/** Whether these are the SDK's own ways to identify a client, which it must get unchanged. */
function isProvider(
  auth: McpAuth | McpAuthProvider | McpOAuthProvider,
): auth is McpAuthProvider | McpOAuthProvider {
  return "onUnauthorized" in auth || "clientInformation" in auth;
}

/** Settles once the person who was asked has answered; `undefined` if no question is open. */
export function askedFor(
  auth: McpAuth | McpAuthProvider | McpOAuthProvider,
  server: URL,
): { readonly answer: Promise<void> } | undefined {
  const answer = isProvider(auth) ? undefined : authorizations.get(auth)?.get(server.href)?.underWay;
  return answer && { answer };
}

/**
 * The same `fetch`, whose requests to the server carry a token. A refused token is renewed, once for each request,
 * and the request sent again. Nothing of it goes to another origin than the server's.
 */
function authorizedFetch(sdk: Sdk, auth: McpAuth, server: URL, fetch: FetchLike, timeout: number): FetchLike {
  if ("token" in auth) return withToken(auth, server, fetch);
  const ofServers = authorizations.get(auth) ?? new Map<string, Authorization>();
  authorizations.set(auth, ofServers);
  const authorization = ofServers.get(server.href) ?? new Authorization(auth, server);
  ofServers.set(server.href, authorization);
  return async (url, init) => {
    if (new URL(url).origin !== server.origin) return fetch(url, init);
    let token = await authorization.token();
    let response = await fetch(url, bearing(init, token));
    for (const status of [401, 403]) {
      if (response.status !== status || (status === 403 && !isTooLittle(sdk, response))) continue;
      await response.body?.cancel();
      await authorization.renew(sdk, token, response, { fetch, timeout });
      token = await authorization.token();
      response = await fetch(url, bearing(init, token));
    }
    return response;
  };
}

function withToken({ token }: TokenAuth, server: URL, fetch: FetchLike): FetchLike {
  return async (url, init) => {
    if (new URL(url).origin !== server.origin) return fetch(url, init);
    return fetch(url, bearing(init, typeof token === "function" ? await token() : token));
  };
}

function bearing(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}

/** Whether the token is in order, but allows less than the request needs. */
function isTooLittle(sdk: Sdk, response: Response): boolean {
  return sdk.extractWWWAuthenticateParams(response).error === "insufficient_scope";
}
