import { itemsOf, member, textIn } from "./pointers.ts";

/** The servers of an operation, or why it has none. */
export type ServersFound = { readonly servers: readonly string[] } | { readonly problem: string };

/** What addresses of servers are made with. */
export interface ServerScope {
  /** Instead of all servers of the document. */
  readonly baseUrl?: string | undefined;
  /** The document's own address. */
  readonly address?: string | undefined;
  /** Values of server variables, by name. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * The addresses that an operation's requests may go to, without a slash at the end.
 * @param list the operation's own servers, its path's or the document's: the first list with anything in it counts.
 */
export function serversOf(list: unknown, scope: ServerScope): ServersFound {
  if (scope.baseUrl !== undefined) return { servers: [trimmed(scope.baseUrl)] };
  const listed = itemsOf(list);
  const addresses = (listed.length > 0 ? listed : [{ url: "/" }]).map((server) => addressOf(server, scope));
  const servers = addresses.flatMap((address) => (address instanceof URL ? [trimmed(address.href)] : []));
  if (servers.length > 0) return { servers: [...new Set(servers)] };
  return { problem: addresses.find((each) => typeof each === "string") ?? "it has no server" };
}

function addressOf(server: unknown, { address, variables }: ServerScope): URL | string {
  const template = textIn(server, "url") ?? "/";
  const missing: string[] = [];
  const filled = template.replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) => {
    const variable = member(member(server, "variables"), name);
    const value = Object.hasOwn(variables, name) ? variables[name] : member(variable, "default");
    const allowed = member(variable, "enum");
    const isAllowed =
      !Array.isArray(allowed) || allowed.length === 0 || allowed.map(String).includes(String(value));
    if (value === undefined || value === null || !isAllowed) missing.push(name);
    return String(value);
  });
  if (missing.length > 0) return `its server needs a value for ${missing.join(", ")}. Pass serverVariables`;
  const base = address !== undefined && /^https?:/i.test(address) ? address : undefined;
  const url = URL.parse(filled, base);
  if (!url) {
    return base === undefined
      ? `its server ${JSON.stringify(filled)} is relative, and the document has no address. Pass a baseUrl`
      : `its server ${JSON.stringify(filled)} is not an address`;
  }
  if (!/^https?:$/.test(url.protocol))
    return `its server has the scheme ${url.protocol}, not http: or https:`;
  if (url.username !== "" || url.password !== "") return "its server has a user or a password in its address";
  // The document's own query is not the server's.
  if (/[?#]/.test(filled))
    return "its server has a query or a fragment in its address. Pass a baseUrl without";
  return url;
}

/** Without query and fragment, which no server has, and without a slash at the end. */
function trimmed(address: string): string {
  return address.replace(/[?#].*$/s, "").replace(/\/+$/, "");
}
