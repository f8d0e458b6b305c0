import type { JsonObject } from "../../base/util/json.ts";
import { isObject } from "./wire-values.ts";

/** Lists that the caller's entries are added to: built-in tools stand beside functions. */
const lists: ReadonlySet<string> = new Set(["tools", "include"]);

/**
 * Merges the caller's own fields into a request's body, last. They replace what is there, but `tools` and `include` are
 * added to, and objects (such as `reasoning`) are merged field by field.
 */
export function withProviderOptions(body: object, options: JsonObject | undefined): object {
  if (!options) return body;
  const merged: Record<string, unknown> = { ...body };
  for (const [key, value] of Object.entries(options)) {
    const before = merged[key];
    if (lists.has(key) && Array.isArray(before) && Array.isArray(value)) merged[key] = [...before, ...value];
    else merged[key] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return merged;
}
