import type { JsonObject } from "../../base/util/json.ts";
import { isJsonObject } from "./json-values.ts";

/** How the caller's own fields go into a body. */
export interface JoinRules {
  /** Lists that the caller's entries are added to: built-in tools stand beside functions. */
  readonly lists: ReadonlySet<string>;
  /** How many levels deep objects are merged field by field; 1 by default. */
  readonly depth?: number;
}

/**
 * Merges the caller's own fields (`providerOptions`) into a request's body, last. Objects are merged unless they are of different
 * types; any other field replaces what is there.
 */
export function joinFields(
  body: object,
  options: JsonObject | undefined,
  { lists, depth = 1 }: JoinRules,
): object {
  if (!options) return body;
  const merged: Record<string, unknown> = { ...body };
  for (const [key, value] of Object.entries(options)) {
    const before = merged[key];
    const isList = lists.has(key) && Array.isArray(before) && Array.isArray(value);
    merged[key] = isList ? [...before, ...value] : joinValues(before, value, depth);
  }
  return merged;
}

function joinValues(before: unknown, value: unknown, depth: number): unknown {
  if (depth === 0 || !isJsonObject(before) || !isJsonObject(value)) return value;
  // What has another type has other fields.
  if (value["type"] !== undefined && value["type"] !== before["type"]) return value;
  const joined = Object.entries(value).map(
    ([key, field]) => [key, joinValues(before[key], field, depth - 1)] as const,
  );
  return { ...before, ...Object.fromEntries(joined) };
}
