import { errorMessage } from "../util/error-message.ts";

/** The deepest nesting of objects and arrays that is read. */
const maxDepth = 100;

/** What a text holds, or why nothing of it may be used. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads JSON that a model wrote: own keys `__proto__` are dropped at every depth, and what is nested deeper than 100 levels
 * is refused.
 */
export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `not valid JSON (${errorMessage(error)})` };
  }
  if (!needsCleaning(text) || clean(value, 0)) return { ok: true, value };
  return { ok: false, problem: `nested deeper than ${maxDepth} levels` };
}

/** A short text without an escape can neither be too deep nor hide the key: most arguments are not walked at all. */
function needsCleaning(text: string): boolean {
  return text.length > 2 * maxDepth || text.includes("__proto__") || text.includes("\\u");
}

/** Drops the keys in place: the value was made by `JSON.parse` and nobody else has it. `false` if it is too deep. */
function clean(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth >= maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => clean(item, depth + 1));
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  return Object.values(value).every((member) => clean(member, depth + 1));
}
