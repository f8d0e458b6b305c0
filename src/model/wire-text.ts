import { PrefixCache } from "../base/util/prefix-cache.ts";
import { wellFormedJson } from "../base/util/well-formed-json.ts";

/** How many items at the beginning of a list never change once they are made. */
const stableCounts = new WeakMap<object, number>();

/** The texts of lists, which are the beginnings of those of longer ones. */
const beginnings = /* @__PURE__ */ new PrefixCache<object, string>();

/** The longest text that is kept, in characters: what is longer is written again, rather than held as long as its history. */
const maxCachedLength = 4_194_304;

/**
 * Notes that the items of a list never change, so that each is written once, in however many requests it stands.
 * @param stableCount - How many items at the beginning this is true of; all by default. Those after it are written each time.
 */
export function cachedJson<T extends object>(items: T[], stableCount: number = items.length): T[] {
  stableCounts.set(items, stableCount);
  return items;
}

/** A request's body as JSON: the same text as of `JSON.stringify`, but for halves of characters. */
export function stringifyBody(body: object): string {
  let fields = "";
  for (const name of Object.keys(body)) {
    const value: unknown = Reflect.get(body, name);
    const text = isLasting(value) ? `[${listText(value)}]` : jsonOf(value);
    if (text !== undefined) fields += `${fields === "" ? "" : ","}${JSON.stringify(name)}:${text}`;
  }
  return `{${fields}}`;
}

function jsonOf(value: unknown): string | undefined {
  const json: string | undefined = JSON.stringify(value);
  return json === undefined ? undefined : wellFormedJson(json);
}

function listText(items: readonly object[]): string {
  const stableCount = stableCounts.get(items) ?? 0;
  if (stableCount === items.length) return stableText(items);
  return withItems(stableText(items.slice(0, stableCount)), items, stableCount);
}

/** A text of a list's first items, continued. Not with `join`, which would copy the text. */
function withItems(start: string, items: readonly object[], from: number): string {
  let text = start;
  for (let index = from; index < items.length; index++)
    text += `${index === 0 ? "" : ","}${jsonOf(items[index])}`;
  return text;
}

function stableText(items: readonly object[]): string {
  const cached = beginnings.peek(items);
  if (cached !== undefined) return cached;
  const longestPrefix = beginnings.checkout(items);
  const text = withItems(longestPrefix?.state ?? "", items, longestPrefix?.items.length ?? 0);
  if (text.length > maxCachedLength) return text;
  beginnings.store(items, text, longestPrefix);
  return text;
}

function isLasting(value: unknown): value is readonly object[] {
  return typeof value === "object" && value !== null && stableCounts.has(value);
}
