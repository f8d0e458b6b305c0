import type { Client } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../base/util/json.ts";

/** What a list has come to at one of its pages. */
interface Progress {
  readonly items: number;
  readonly length: number;
}

/** The most lists that are read at the same time, or were left before their end. */
const mostOpen = 100;

/** How long a list may become. */
export interface ListLimits {
  /** Items after which no page is read any more. */
  readonly items: number;
  /** Characters of JSON, all pages together. */
  readonly length: number;
}

/**
 * Bounds the lists of a server while their pages are read: the page with which a list is long enough is its last. The SDK joins
 * all pages before anybody sees one.
 * @param onEnd - Called with the request's method where a list ends early.
 */
export function boundLists(client: Client, limits: ListLimits, onEnd: (method: string) => void): void {
  const request = client.request.bind(client);
  const open = new Map<string, Progress>();
  const bounded = async (...args: readonly unknown[]): Promise<unknown> => {
    const result: unknown = await Reflect.apply(request, client, args);
    const { method, params } = args.find(isPlainObject) ?? {};
    if (typeof method !== "string" || !method.endsWith("/list") || !isPlainObject(result)) return result;
    const { nextCursor } = result;
    if (typeof nextCursor !== "string") return result;
    const cursor = isPlainObject(params) ? params["cursor"] : undefined;
    const place = `${method} ${String(cursor)}`;
    const before = (cursor !== undefined && open.get(place)) || { items: 0, length: 0 };
    open.delete(place);
    const lists = Object.values(result).filter((member): member is unknown[] => Array.isArray(member));
    const items = before.items + lists.reduce((sum, list) => sum + list.length, 0);
    const length = before.length + JSON.stringify(result).length;
    if (items > limits.items || length > limits.length || nextCursor === cursor) {
      // Of too many tools, the list of tools itself warns.
      if (method !== "tools/list" || items <= limits.items) onEnd(method);
      const { nextCursor: _, ...last } = result;
      return last;
    }
    if (open.size >= mostOpen) open.clear();
    open.set(`${method} ${nextCursor}`, { items, length });
    return result;
  };
  client.request = bounded;
}
