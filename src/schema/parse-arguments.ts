import { coerce } from "./coerce.ts";
import { isObject } from "./json-value.ts";
import { type ParsedJson, parsePlain } from "./parse-json.ts";
import type { Schema, Validation } from "./types.ts";
import { kindOf } from "./words.ts";

/** The longest arguments that are read by default, in characters (UTF-16 code units): 4 Mi. */
export const maxArgumentsLength = 4_194_304;

/** Limits of `parseArguments`. */
export interface ParseArgumentsOptions {
  /** The longest text that is read, in characters; 4,194,304 by default. */
  readonly maxLength?: number;
}

/**
 * Reads a tool call's arguments as the model wrote them. Nothing, whitespace and `null` are `{}`; keys `__proto__` are
 * dropped at every depth. What is almost JSON is read if it can be read in one way only. What fits the schema is taken as it
 * stands; only what does not is coerced and validated once more. The schema's own output (a library's defaults and
 * transforms) is the value.
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
  const plain = raw.trim() === "" ? { value: {} } : parsePlain(raw);
  const parsed = plain && typeof plain.value !== "string" ? readAs(plain.value) : await readWithCare(raw);
  if (!parsed.ok) return failure(parsed.problem);
  const value = parsed.value ?? {};
  if (!isObject(value)) {
    const message = `expected an object of arguments, received ${kindOf(value)}`;
    return { ok: false, issues: [{ path: [], message, expected: "an object", received: value }] };
  }

  // Without a promise, nothing is awaited: this runs once for every call.
  return fit(schema, value, raw);
}

/** A value that was read from `raw` as the schema has it: as it stands if it fits, else coerced. */
export function fit<T>(
  schema: Schema<T>,
  value: unknown,
  raw: string,
): Validation<T> | Promise<Validation<T>> {
  const mend = (first: Validation<T>): Validation<T> | Promise<Validation<T>> => {
    if (first.ok) return first;
    const coerced = coerce(schema.jsonSchema, value, raw);
    return coerced === value ? first : check(schema, coerced);
  };
  const outcome = check(schema, value);
  return "then" in outcome ? outcome.then(mend) : mend(outcome);
}

function readAs(value: unknown): ParsedJson {
  return { ok: true, value };
}

/** What is no plain JSON, or JSON within a string. */
async function readWithCare(raw: string): Promise<ParsedJson> {
  const { readDocument } = await import("./lenient/read-document.ts");
  return readDocument(raw);
}

function check<T>(schema: Schema<T>, value: unknown): Validation<T> | Promise<Validation<T>> {
  return schema.validateAsync ? schema.validateAsync(value) : schema.validate(value);
}

function failure(message: string): Validation<never> {
  const expected = message.startsWith("not valid JSON") && { expected: "a JSON object" };
  return { ok: false, issues: [{ path: [], message, ...expected }] };
}
