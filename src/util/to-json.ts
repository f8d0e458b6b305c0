import type { JsonValue } from "./json.ts";
import { defineOwn } from "./snapshot.ts";

/** A value as JSON, and as the text of that JSON. */
export interface JsonForm {
  readonly value: JsonValue;
  readonly text: string;
  /** Where something could not be kept, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Turns any value into JSON. A `Date` and a `URL` are written as text, a bigint as its digits, a `Uint8Array` or
 * `ArrayBuffer` as base64, a `Set` as an array, a `Map` whose keys are text as an object and any other as an array of
 * pairs, an `Error` by name and message. What is lost is noted: numbers that JSON has no form for, functions and symbols
 * (written by name), a reference to an object that contains it (`"[circular]"`). `undefined` is left out of objects.
 * @throws whatever a `toJSON` method or a getter of the value throws.
 */
export function toJson(value: unknown): JsonForm {
  const notes: string[] = [];
  const plain = toPlain(value, "", "$", [], notes);
  return { value: plain, text: JSON.stringify(plain), notes };
}

function toPlain(
  value: unknown,
  key: string,
  path: string,
  parents: readonly object[],
  notes: string[],
): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    notes.push(`${path} is ${value}, which JSON has no number for`);
    return String(value);
  }
  if (typeof value === "bigint") return String(value);
  if (typeof value === "symbol" || typeof value === "function") {
    notes.push(`${path} is a ${typeof value}`);
    return `[${typeof value} ${typeof value === "function" ? value.name : (value.description ?? "")}]`;
  }
  if (typeof value !== "object") return null;
  if (parents.includes(value)) {
    notes.push(`${path} refers back to an object that contains it`);
    return "[circular]";
  }
  if (value instanceof Uint8Array) return base64(value);
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
  if (hasToJson(value)) return toPlain(value.toJSON(key), key, path, [...parents, value], notes);
  const chain = [...parents, value];
  if (value instanceof Error) return errorToPlain(value, path, chain, notes);
  if (Array.isArray(value)) {
    return value.map((item, index) => toPlain(item, String(index), `${path}[${index}]`, chain, notes));
  }
  return objectToPlain(value, path, chain, notes);
}

function objectToPlain(value: object, path: string, chain: readonly object[], notes: string[]): JsonValue {
  if (value instanceof Set) return toPlain([...value], "", path, chain, notes);
  if (value instanceof Map) return mapToPlain([...value], path, chain, notes);
  return entriesToPlain(Object.entries(value), path, chain, notes);
}

/** An object where every key is a text of its own in JSON, else an array of pairs. */
function mapToPlain(
  entries: readonly (readonly [unknown, unknown])[],
  path: string,
  chain: readonly object[],
  notes: string[],
): JsonValue {
  const keys = entries.map(([key]) => toPlain(key, "", path, chain, notes));
  const texts = keys.filter((key) => typeof key === "string");
  if (new Set(texts).size < entries.length) return toPlain(entries, "", path, chain, notes);
  return entriesToPlain(
    entries.map(([, item], index) => [texts[index] ?? "", item]),
    path,
    chain,
    notes,
  );
}

function errorToPlain(error: Error, path: string, chain: readonly object[], notes: string[]): JsonValue {
  const { name, message, cause } = error;
  // Its other properties stay here: errors of HTTP clients carry whole requests, keys included.
  return entriesToPlain(Object.entries({ name, message, cause }), path, chain, notes);
}

function entriesToPlain(
  entries: readonly (readonly [string, unknown])[],
  path: string,
  chain: readonly object[],
  notes: string[],
): JsonValue {
  const plain: Record<string, JsonValue> = {};
  for (const [name, item] of entries) {
    if (item === undefined || typeof item === "function") continue;
    defineOwn(plain, name, toPlain(item, name, `${path}.${name}`, chain, notes));
  }
  return plain;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function hasToJson(value: object): value is { toJSON(key: string): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
