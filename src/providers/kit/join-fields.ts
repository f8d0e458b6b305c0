import type { JsonObject } from "../../base/util/json.ts";
import { defineOwn } from "../../base/util/snapshot.ts";
import { isJsonObject } from "./json-values.ts";

/** How the caller's fields are merged into a body. */
export interface JoinRules {
  /** Lists to which the caller's entries are appended, so that built-in tools can be offered along with functions. */
  readonly lists: ReadonlySet<string>;
  /** How many levels deep objects are merged field by field; 1 by default. */
  readonly depth?: number;
}

/**
 * Merges the caller's fields (`providerOptions`) into a request's body. Objects are merged unless their `type` fields differ; any
 * other field replaces the existing one.
 */
export function joinFields(
  body: object,
  options: JsonObject | undefined,
  { lists, depth = 1 }: JoinRules,
): object {
  if (!options) return body;
  const merged: Record<string, unknown> = { ...body };
  for (const [key, value] of Object.entries(options)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const isList = lists.has(key) && Array.isArray(before) && Array.isArray(value);
    defineOwn(merged, key, isList ? [...before, ...value] : joinValues(before, value, depth));
  }
  return merged;
}

function joinValues(before: unknown, value: unknown, depth: number): unknown {
  if (depth === 0 || !isJsonObject(before) || !isJsonObject(value)) return value;
  // Objects of different types have different fields.
  if (value["type"] !== undefined && value["type"] !== before["type"]) return value;
  const joined = Object.entries(value).map(
    ([key, field]) =>
      [key, joinValues(Object.hasOwn(before, key) ? before[key] : undefined, field, depth - 1)] as const,
  );
  return { ...before, ...Object.fromEntries(joined) };
}
