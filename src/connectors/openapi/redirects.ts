import type { Redirect } from "./network.ts";

/** Methods that change nothing (RFC 9110, section 9.2.1): the only ones that calls may be sent on to another path with, or unasked. */
export const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a redirect stays below one of the `servers`. What may change something stays with its path, too: another path is
 * another operation, which nobody chose or approved.
 */
export function mayFollow(servers: readonly string[], { from, to, method }: Redirect): boolean {
  const path = pathWithin(servers, to);
  if (path === undefined) return false;
  return safeMethods.has(method.toUpperCase()) || path === pathWithin(servers, from);
}

/** The path of an address below the longest server that it is below, without a slash at the end; `undefined` if it is below none. */
function pathWithin(servers: readonly string[], address: URL): string | undefined {
  // Servers that decode these before they look at the path would go up.
  if (/%2e|%2f|%5c/i.test(address.pathname) && /(?:\.|%2e){2}/i.test(address.pathname)) return undefined;
  const [path] = servers
    .map((server) => new URL(server))
    .filter((base) => base.origin === address.origin)
    .map((base) => base.pathname.replace(/\/+$/, ""))
    .filter((prefix) => address.pathname === prefix || address.pathname.startsWith(`${prefix}/`))
    .map((prefix) => address.pathname.slice(prefix.length).replace(/\/+$/, ""))
    .toSorted((left, right) => left.length - right.length);
  return path;
}
