import { isPrivateHost, resolvesToPrivate } from "../../../base/util/private-address.ts";
import type { FetchLike } from "../client/limit-body.ts";

/** How many redirects are followed. */
const mostRedirects = 5;

/**
 * The same `fetch` for addresses that a server names: elsewhere than at the server itself, none of this machine or of a private
 * network, unless the server is in one. Redirects are followed by the same rule.
 */
export function publicFetch(fetch: FetchLike, server: URL): FetchLike {
  return async (url, init) => {
    let target = new URL(url);
    for (let hops = 0; hops <= mostRedirects; hops++) {
      await assertReachable(target, server);
      const response = await fetch(target, { ...init, redirect: "manual" });
      const location = response.headers.get("location");
      const isRead = init?.method === undefined || init.method === "GET";
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

/** @throws Error for an address that a server must not lead to. */
async function assertReachable(target: URL, server: URL): Promise<void> {
  if (target.origin === server.origin) return;
  if (!/^https?:$/.test(target.protocol)) throw new Error(`${target.protocol} is not a scheme for requests`);
  if (await isPrivate(server)) return;
  if (await isPrivate(target))
    throw new Error(
      `${server.host} refers to ${target.host}, an address of a private network, which is not requested`,
    );
}

async function isPrivate({ hostname }: URL): Promise<boolean> {
  return isPrivateHost(hostname) || resolvesToPrivate(hostname);
}
