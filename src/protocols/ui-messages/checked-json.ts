import { describeValue } from "../../base/options/known-options.ts";
import { copyJson, jsonLimits } from "../../base/util/copy-json.ts";
import { isPlainObject, type JsonValue } from "../../base/util/json.ts";
import { InvalidInputError } from "../../errors.ts";
import { longestText } from "../../message/longest-text.ts";

/** An object of a client, of which only own properties count. */
export interface CheckedObject {
  /** Where it is, such as `messages[2].parts[0]`. */
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The longest id, name or media type. */
const longestName = 1_000;

/** @throws InvalidInputError */
export function invalid(path: string, problem: string): never {
  throw new InvalidInputError(`${path} ${problem}`, { path });
}

/** @throws InvalidInputError for anything else than an object of JSON. */
export function readObject(value: unknown, path: string): CheckedObject {
  if (isPlainObject(value)) return { path, value };
  return invalid(path, `must be an object, not ${describe(value)}.`);
}

/** @throws InvalidInputError for anything else than a list of up to `limit` items. */
export function readList(value: unknown, path: string, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) return invalid(path, `must be a list, not ${describe(value)}.`);
  if (value.length > limit) return invalid(path, `has ${value.length} items. Send at most ${limit}.`);
  return value;
}

/** A property of its own; JSON that a program made may have `null` for what is not there. */
export function property({ value }: CheckedObject, name: string): unknown {
  return Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
}

/** @throws InvalidInputError for anything else than a text. */
export function readText(object: CheckedObject, name: string, limit: number = longestText): string {
  const value = property(object, name);
  const path = `${object.path}.${name}`;
  if (typeof value !== "string") return invalid(path, `must be a text, not ${describe(value)}.`);
  if (value.length > limit) return invalid(path, `is too long: ${limit} characters are the most.`);
  return value;
}

/** An id or a name: a short text. */
export function readName(object: CheckedObject, name: string): string {
  const value = readText(object, name, longestName);
  return value === "" ? invalid(`${object.path}.${name}`, "must not be empty.") : value;
}

/** The same, if it is there. */
export function readOptionalName(object: CheckedObject, name: string): string | undefined {
  return property(object, name) === undefined ? undefined : readName(object, name);
}

/** JSON of a limited size and depth, copied; `null` where there is none. */
export function readJson(object: CheckedObject, name: string): JsonValue {
  const value = property(object, name);
  if (value === undefined) return null;
  const copied = copyJson(value);
  if (copied !== undefined) return copied;
  const { length, depth } = jsonLimits;
  return invalid(
    `${object.path}.${name}`,
    `must be JSON of at most ${length} characters and ${depth} levels, without keys "__proto__".`,
  );
}

/** A value in an error: a client's text may be very long. */
export function describe(value: unknown): string {
  const text = describeValue(value);
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
