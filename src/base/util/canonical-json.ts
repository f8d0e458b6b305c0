import { isPlainObject } from "./json.ts";

/**
 * A value as JSON that is the same for equal values: keys are sorted. What JSON has no form for (bigint, Map, Set, bytes) is
 * written as an object that says what it is.
 * @throws TypeError for instances of other classes without `toJSON`, functions and symbols: two of them may look alike.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return JSON.stringify(value);
  if (typeof value === "number")
    return Number.isFinite(value) ? String(value) : tagged("number", String(value));
  if (typeof value === "bigint") return tagged("bigint", String(value));
  if (value === undefined) return "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isPlainObject(value)) return object(value);
  return instance(value);
}

function object(value: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const key of Object.keys(value).sort()) {
    if (value[key] !== undefined) text += `${text && ","}${JSON.stringify(key)}:${canonicalJson(value[key])}`;
  }
  return `{${text}}`;
}

function instance(value: unknown): string {
  if (typeof value !== "object" || value === null) throw noForm(`a ${typeof value}`);
  if ("toJSON" in value && typeof value.toJSON === "function") return canonicalJson(value.toJSON());
  if (value instanceof Map) return tagged("map", [...value]);
  if (value instanceof Set) return tagged("set", [...value]);
  if (value instanceof Uint8Array) return tagged("bytes", String(value));
  throw noForm(value.constructor.name);
}

function tagged(type: string, value: unknown): string {
  return `{"$${type}":${canonicalJson(value)}}`;
}

function noForm(what: string): TypeError {
  return new TypeError(`${what} has no JSON form`);
}
