import { toBase64 } from "../base/util/base64.ts";
import { ignoreRejections } from "../base/util/dropped-promises.ts";
import { isPlainObject } from "../base/util/json.ts";
import { nameType } from "../base/util/name-type.ts";

/**
 * The arguments of a call that a tool makes, as a model would write them: values that JSON has no form for are what their schemas say, a
 * `Map` an object or pairs, a `Set` a list, a bigint its digits, bytes base64.
 * @throws TypeError for what no argument can be, such as a promise that was not awaited.
 */
export function argumentsText(args: unknown): string {
  try {
    return writtenArguments(args);
  } catch (error) {
    ignoreRejections(args);
    throw error;
  }
}

function writtenArguments(args: unknown): string {
  return JSON.stringify(args ?? {}, function replace(this: unknown, name: string, value: unknown) {
    const original: unknown = Reflect.get(Object(this), name);
    return asWritten(name, hasOwnForm(original) ? original : value);
  });
}

/** A Buffer has a JSON form of its own, which no schema means, and a date that is none has `null`. */
function hasOwnForm(value: unknown): boolean {
  return value instanceof Uint8Array || (value instanceof Date && Number.isNaN(value.getTime()));
}

function asWritten(name: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) throw unwritable(name, String(value));
  if (typeof value === "function" || typeof value === "symbol") throw unwritable(name, `a ${typeof value}`);
  if (value instanceof Date) throw unwritable(name, "an invalid Date");
  if (typeof value !== "object" || value === null || Array.isArray(value) || isPlainObject(value))
    return value;
  if (value instanceof Map) return writtenMap(value);
  if (value instanceof Set) return [...value];
  if (value instanceof ArrayBuffer) return toBase64(new Uint8Array(value));
  if (value instanceof Uint8Array) return toBase64(value);
  if (ArrayBuffer.isView(value) || Object.keys(value).length === 0) throw unwritable(name, nameType(value));
  return value;
}

/** An object where each key is a text, else a list of pairs. */
function writtenMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const pairs = [...map].map(([key, value]) => [keyText(key) ?? key, value] as const);
  const isObject = pairs.every(([key]) => typeof key === "string");
  return isObject ? Object.fromEntries(pairs) : pairs;
}

function keyText(key: unknown): string | undefined {
  if (key instanceof Date) return key.toJSON();
  return key instanceof URL || typeof key === "bigint" ? String(key) : undefined;
}

function unwritable(name: string, what: string): TypeError {
  const place = name === "" ? "the arguments are" : `the argument ${JSON.stringify(name)} is`;
  return new TypeError(`${place} ${what}, which a call cannot have`);
}
