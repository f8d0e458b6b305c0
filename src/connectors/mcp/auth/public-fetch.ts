import { redactor } from "../../../model/secrets.ts";
import { isPrivateHost, resolvesToPrivate } from "../../../base/util/private-address.ts";
import type { FetchLike } from "../client/limit-body.ts";

/** Parameters of requests to an authorization server (RFC 6749) that are not secret. */
const shownParameters: ReadonlySet<string> = new Set([
  "grant_type",
  "client_id",
  "redirect_uri",
  "scope",
  "resource",
  "response_type",
  "client_assertion_type",
]);

/** How many redirects are followed. */
const mostRedirects = 5;

/**
 * The same `fetch` for addresses that a server names: elsewhere than at the server itself, none of this machine or of a private
 * network, unless the server is in one; and none without encryption, except on this machine. Redirects are followed by the same rule.
 * @param late - Ends the requests.
 */
export function publicFetch(fetch: FetchLike, server: URL, late: AbortSignal): FetchLike {
  return async (url, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
    let target = new URL(url);
    for (let hops = 0; hops <= mostRedirects; hops++) {
      await assertReachable(target, server);
      const response = await fetch(target, { ...init, signal, redirect: "manual" });
      const location = response.headers.get("location");
      const isRead = init?.method === undefined || init.method === "GET";
      if (response.status >= 400 && init) return withoutSent(response, init);
      if (!isRead || location === null || response.status < 300 || response.status > 399) return response;
      const next = URL.parse(location, target);
      if (!next) return response;
      await response.body?.cancel();
      if (next.origin !== target.origin && new Headers(init?.headers).has("authorization")) return response;
      target = next;
    }
    throw new Error(`${server.host} redirects more than ${mostRedirects} times`);
  };
}

/** A refusal without what the request was sent with, which a server may repeat: the SDK prints the words of refusals. */
async function withoutSent(response: Response, init: RequestInit): Promise<Response> {
  const authorization = new Headers(init.headers).get("authorization") ?? "";
  const body = typeof init.body === "string" || init.body instanceof URLSearchParams ? init.body : "";
  const secrets = [...new URLSearchParams(body)].filter(([name]) => !shownParameters.has(name));
  const redact = redactor({
    authorization,
    ...Object.fromEntries(secrets.map(([name, value]) => [`secret-${name}`, value])),
  });
  const { status, statusText, headers } = response;
  return new Response(redact(await response.text()), { status, statusText, headers });
}

/** @throws Error for an address that a server must not lead to. */
async function assertReachable(target: URL, server: URL): Promise<void> {
  if (target.origin === server.origin) return;
  assertEncrypted(target);
  if (await isPrivate(server)) return;
  if (await isPrivate(target))
    throw new Error(
      `${server.host} refers to ${target.host}, an address of a private network, which is not requested`,
    );
}

/**
 * What is sent to an authorization server are secrets (RFC 6749, section 3.1).
 * @throws Error for an address without encryption, unless it is this machine's own.
 */
export function assertEncrypted({ protocol, hostname, host }: URL): void {
  if (!/^https?:$/.test(protocol)) throw new Error(`${protocol} is not a scheme for requests`);
  if (protocol === "http:" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))
    throw new Error(
      `http://${host} is not encrypted. The addresses of an authorization server must be https`,
    );
}

async function isPrivate({ hostname }: URL): Promise<boolean> {
  return isPrivateHost(hostname) || resolvesToPrivate(hostname);
}
