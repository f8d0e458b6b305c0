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
 * Turns any value into JSON. What JSON cannot carry is written as text and noted: bigints as their digits, functions
 * and symbols by name, a reference to an object that contains it as `"[circular]"`.
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
  if (hasToJson(value)) return toPlain(value.toJSON(key), key, path, [...parents, value], notes);
  if (value instanceof Error) return { name: value.name, message: value.message };
  const chain = [...parents, value];
  if (Array.isArray(value)) {
    return value.map((item, index) => toPlain(item, String(index), `${path}[${index}]`, chain, notes));
  }
  return objectToPlain(value, path, chain, notes);
}

function objectToPlain(value: object, path: string, chain: readonly object[], notes: string[]): JsonValue {
  if (value instanceof Map) return toPlain([...value.entries()], "", path, chain, notes);
  if (value instanceof Set) return toPlain([...value.values()], "", path, chain, notes);
  const plain: Record<string, JsonValue> = {};
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined || typeof item === "function") continue;
    defineOwn(plain, name, toPlain(item, name, `${path}.${name}`, chain, notes));
  }
  return plain;
}

function hasToJson(value: object): value is { toJSON(key: string): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
