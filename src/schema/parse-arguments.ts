import { coerce } from "./coerce.ts";
import { isObject } from "./json-value.ts";
import { type ParsedJson, parseJson } from "./parse-json.ts";
import type { Schema, Validation } from "./types.ts";
import { kindOf } from "./words.ts";

/** The longest arguments that are read by default, in characters (UTF-16 code units): 1 MiB. */
const maxArgumentsLength = 1_048_576;

/** Limits of `parseArguments`. */
export interface ParseArgumentsOptions {
  /** The longest text that is read, in characters; 1,048,576 by default. */
  readonly maxLength?: number;
}

/**
 * Reads a tool call's arguments as the model wrote them. Nothing, whitespace and `null` are `{}`; keys `__proto__` are
 * dropped at every depth. What fits the schema is taken as it stands; only what does not is coerced and validated once more.
 * The schema's own output (a library's defaults and transforms) is the value.
 *
 * Whatever a model writes is answered with issues. Rejects with a `ConfigurationError` if the schema itself is unusable.
 */
export async function parseArguments<T>(
  raw: string,
  schema: Schema<T>,
  options: ParseArgumentsOptions = {},
): Promise<Validation<T>> {
  const { maxLength = maxArgumentsLength } = options;
  if (raw.length > maxLength) return failure(`longer than ${maxLength} characters (${raw.length})`);
  const parsed = readArguments(raw);
  if (!parsed.ok) return failure(parsed.problem);
  const { value } = parsed;

  const outcome = isObject(value) ? check(schema, value) : noObject(value);
  // Without a promise, nothing is awaited: this runs once for every call.
  const first = "then" in outcome ? await outcome : outcome;
  if (first.ok) return first;
  const coerced = coerce(schema.jsonSchema, value);
  if (coerced === value) return first;
  return isObject(coerced) ? check(schema, coerced) : noObject(coerced);
}

/** The value that the text holds. Reading of almost-JSON belongs here. */
function readArguments(raw: string): ParsedJson {
  if (raw.trim() === "") return { ok: true, value: {} };
  const parsed = parseJson(raw);
  return parsed.ok && parsed.value === null ? { ok: true, value: {} } : parsed;
}

function check<T>(schema: Schema<T>, value: unknown): Validation<T> | Promise<Validation<T>> {
  return schema.validateAsync ? schema.validateAsync(value) : schema.validate(value);
}

function failure(message: string): Validation<never> {
  return { ok: false, issues: [{ path: [], message, expected: "a JSON object" }] };
}

function noObject(value: unknown): Validation<never> {
  const message = `expected an object of arguments, received ${kindOf(value)}`;
  return { ok: false, issues: [{ path: [], message, expected: "an object", received: value }] };
}
