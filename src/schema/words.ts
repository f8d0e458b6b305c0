import type { JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/** The seven types of JSON Schema, as they read in a sentence. */
export const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  null: "null",
  array: "an array",
  object: "an object",
};

/** What kind of value it is, as it reads in a sentence: `"a string"`, `"null"`. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** `["a", "b", "c"]` as `"a, b or c"`; a long list is cut. */
export function alternatives(words: readonly string[], limit = 30): string {
  const distinct = [...new Set(words)];
  if (distinct.length > limit) {
    return `${distinct.slice(0, limit).join(", ")} or one of ${distinct.length - limit} more`;
  }
  const last = distinct.at(-1) ?? "";
  return distinct.length < 2 ? last : `${distinct.slice(0, -1).join(", ")} or ${last}`;
}

/** A value as JSON, cut after about `limit` characters. What is not JSON is named by its kind. */
export function preview(value: unknown, limit = 80): string {
  const text = write(value, limit);
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}

/** Writes no more than is needed: a value may be far larger than its preview. */
function write(value: unknown, room: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, Math.max(room, 0) + 1));
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (room <= 0) return "…";
  if (Array.isArray(value)) {
    let text = "";
    for (const item of value) {
      if (text.length > room) break;
      text += (text === "" ? "" : ",") + write(item, room - text.length - 2);
    }
    return `[${text}]`;
  }
  if (!isObject(value)) return kindOf(value);
  let text = "";
  for (const key of Object.keys(value)) {
    if (text.length > room) break;
    text += `${text === "" ? "" : ","}${write(key, room)}:`;
    text += write(value[key], room - text.length - 2);
  }
  return `{${text}}`;
}

/** What a schema wants, by its values or its types alone: `'"celsius" or "fahrenheit"'`; `undefined` if it names neither. */
export function wanted(schema: JsonSchema | boolean): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (Object.hasOwn(schema, "const")) return preview(schema["const"]);
  if (Array.isArray(schema["enum"])) return alternatives(schema["enum"].map((member) => preview(member)));
  const types: readonly unknown[] = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  const words = types.flatMap((type) => (typeof type === "string" ? (typeWords[type] ?? []) : []));
  return words.length === 0 ? undefined : alternatives(words);
}
