import { isObject } from "../base/util/json.ts";

/** Whether two JSON values are the same: order of keys aside, own properties only, to a depth of 500 levels. */
export function jsonEqual(expected: unknown, actual: unknown, depth = 500): boolean {
  if (expected === actual) return true;
  if (typeof expected !== "object" || typeof actual !== "object" || !expected || !actual || depth < 0)
    return false;
  const entries = Object.entries(expected);
  return (
    Array.isArray(expected) === Array.isArray(actual) &&
    entries.length === Object.keys(actual).length &&
    entries.every(
      ([key, member]) => Object.hasOwn(actual, key) && jsonEqual(member, Reflect.get(actual, key), depth - 1),
    )
  );
}

/**
 * A text that is the same for equal JSON values and different for different ones; `undefined` for what is not JSON
 * (a cycle, a bigint) or is nested beyond what can be written.
 */
export function canonicalText(value: unknown): string | undefined {
  const sorted = (_key: string, member: unknown): unknown =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member;
  try {
    return JSON.stringify(value, sorted);
  } catch {
    return undefined;
  }
}

/** How many characters (Unicode code points) a text has. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 1; index < text.length; index++) {
    // A low surrogate after a high one is the second half of a character.
    if (text.charCodeAt(index) >> 10 === 0x37 && text.charCodeAt(index - 1) >> 10 === 0x36) length--;
  }
  return length;
}
