import { coerce } from "./coerce.ts";
import { readDocument } from "./lenient/read-document.ts";
import { parsePlain } from "./parse-json.ts";
import { withMatcher } from "./patterns/pattern.ts";
import type { Schema, Validation } from "./types.ts";
import { checkClosed } from "./unclosed.ts";
import { kindOf } from "./words.ts";
import { isObject } from "../base/util/json.ts";

/** The longest arguments that are read by default, in characters (UTF-16 code units): 4 Mi. */
export const maxArgumentsLength = 4_194_304;

/** Limits of `parseArguments`. */
export interface ParseArgumentsOptions {
  /** The longest text that is read, in characters; 4,194,304 by default. */
  readonly maxLength?: number;
}

/**
 * Reads a tool call's arguments as the model wrote them. Empty text, whitespace and `null` are `{}`; keys `__proto__` are
 * dropped at every depth. Almost valid JSON is read if it can be read in one way only. A value that matches the schema is used
 * unchanged; any other is coerced and validated once more. The result is the schema's own output, with a library's defaults
 * and transforms.
 *
 * Mistakes of the model are returned as issues, never thrown. Returns a promise only if the schema validates asynchronously.
 * @throws ConfigurationError if the schema itself is unusable.
 */
export function parseArguments<T>(
  raw: string,
  schema: Schema<T>,
  options: ParseArgumentsOptions = {},
): Validation<T> | Promise<Validation<T>> {
  const { maxLength = maxArgumentsLength } = options;
  if (raw.length > maxLength) return failure(`longer than ${maxLength} characters (${raw.length})`);
  const plain = raw.trim() === "" ? { value: {} } : parsePlain(raw);
  if (plain && typeof plain.value !== "string") return fitArguments(schema, plain.value, raw);
  const parsed = readDocument(raw);
  if (!parsed.ok) return failure(parsed.problem);
  return (
    checkClosed(schema.jsonSchema, parsed.value, parsed.unclosed) ?? fitArguments(schema, parsed.value, raw)
  );
}

function fitArguments<T>(
  schema: Schema<T>,
  read: unknown,
  raw: string,
): Validation<T> | Promise<Validation<T>> {
  const value = read ?? {};
  if (isObject(value)) return fit(schema, value, raw);
  const message = `expected an object of arguments, received ${kindOf(value)}`;
  return { ok: false, issues: [{ path: [], message, expected: "an object", received: value }] };
}

/** The value that was read from `raw`, in the schema's form: unchanged if it matches, else coerced. */
export function fit<T>(
  schema: Schema<T>,
  value: unknown,
  raw: string,
): Validation<T> | Promise<Validation<T>> {
  return withMatcher(() => {
    const outcome = check(schema, value);
    if ("then" in outcome) return outcome.then((first) => mendLater(first, schema, value, raw));
    return mend(outcome, schema, value, raw);
  });
}

/** What follows an asynchronous validation may be the first to test a pattern. */
function mendLater<T>(
  first: Validation<T>,
  schema: Schema<T>,
  value: unknown,
  raw: string,
): Validation<T> | Promise<Validation<T>> {
  return withMatcher(() => mend(first, schema, value, raw));
}

function mend<T>(
  first: Validation<T>,
  schema: Schema<T>,
  value: unknown,
  raw: string,
): Validation<T> | Promise<Validation<T>> {
  if (first.ok) return first;
  const coerced = coerce(schema.jsonSchema, value, raw);
  return coerced === value ? first : check(schema, coerced);
}

function check<T>(schema: Schema<T>, value: unknown): Validation<T> | Promise<Validation<T>> {
  return schema.validateAsync ? schema.validateAsync(value) : schema.validate(value);
}

function failure(message: string): Validation<never> {
  const expected = message.startsWith("not valid JSON") && { expected: "a JSON object" };
  return { ok: false, issues: [{ path: [], message, ...expected }] };
}
