import { isPlainObject } from "./json.ts";

/**
 * A value as JSON that is the same for equal values: keys are sorted. What JSON has no form for (bigint, Map, Set, bytes) is
 * written as an object that says what it is.
 * @throws TypeError for instances of other classes without `toJSON`, functions and symbols: two of them may look alike.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => canonical(item)) ?? "null";
}

function canonical(item: unknown): unknown {
  if (typeof item === "number") return Number.isFinite(item) ? item : { $number: String(item) };
  if (typeof item === "bigint") return { $bigint: String(item) };
  if (item === undefined || item === null || typeof item === "string" || typeof item === "boolean")
    return item;
  if (Array.isArray(item)) return item;
  if (isPlainObject(item)) return sorted(item);
  if (item instanceof Map) return { $map: [...item] };
  if (item instanceof Set) return { $set: [...item] };
  if (item instanceof Uint8Array) return { $bytes: String(item) };
  throw new TypeError(
    `${typeof item === "object" ? item.constructor.name : `a ${typeof item}`} has no JSON form`,
  );
}

function sorted(object: Readonly<Record<string, unknown>>): object {
  const keys = Object.keys(object);
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key);
  return isSorted ? object : Object.fromEntries(keys.toSorted().map((key) => [key, object[key]]));
}
