import { isObject } from "./json-value.ts";

/** The deepest nesting of objects and arrays that is read. */
export const maxJsonDepth = 100;

/** What a text holds, or why it holds nothing that may be used. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads JSON written by a model: own keys `__proto__` are dropped at every depth, and what is nested deeper than
 * `maxJsonDepth` is refused.
 */
export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      ok: false,
      problem: `is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (!needsCleaning(text) || clean(value, 0)) return { ok: true, value };
  return { ok: false, problem: `is nested deeper than ${maxJsonDepth} levels` };
}

/** A short text without an escape can neither be too deep nor hide the key: most arguments are not walked at all. */
function needsCleaning(text: string): boolean {
  return text.length > 2 * maxJsonDepth || text.includes("__proto__") || text.includes("\\u");
}

/** Drops the keys in place: the value was made by `JSON.parse` and nobody else has it. `false` if it is too deep. */
function clean(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth >= maxJsonDepth) return false;
  if (Array.isArray(value)) return value.every((item) => clean(item, depth + 1));
  if (!isObject(value)) return true;
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  for (const key of Object.keys(value)) if (!clean(value[key], depth + 1)) return false;
  return true;
}
