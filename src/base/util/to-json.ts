import { toBase64 } from "./base64.ts";
import { jsonLimits } from "./copy-json.ts";
import { isPlainObject, type JsonValue } from "./json.ts";
import { keysBesideItems, listKeys, symbolKeys } from "./left-out-keys.ts";
import { nameType } from "./name-type.ts";
import { isPromiseLike } from "./promise-like.ts";
import { defineOwn } from "./snapshot.ts";

/** What a text, a number or a truth value in an object is called. */
const boxed = /^\[object (?:String|Number|Boolean)\]$/;

/** The most notes that are taken of one value. */
const maxNotes = 10;

/** A value as JSON, and where something of it could not be kept, one sentence each. */
export interface JsonForm {
  readonly value: JsonValue;
  readonly notes: readonly string[];
  /** Where there is something whose value is not in its properties, such as a promise: JSON would have `{}` there. */
  readonly opaque: readonly OpaqueValue[];
  /** Whether a part is missing because the value is too long or nested too deep. */
  readonly isCut: boolean;
}

/** Something that cannot be written as JSON at all. */
export interface OpaqueValue {
  /** Such as `$.user`. */
  readonly path: string;
  /** With its article: `a Promise`. */
  readonly what: string;
}

/** How many characters of JSON a value may come to, about, and how many levels. */
export interface JsonLimits {
  readonly length: number;
  readonly depth: number;
}

/** What is left of a conversion's limits. */
interface Conversion {
  readonly depth: number;
  room: number;
  isCut: boolean;
  readonly parents: object[];
  readonly notes: string[];
  readonly opaque: OpaqueValue[];
}

/**
 * Turns any value into JSON. A `Date` and a `URL` are written as text, a bigint as its digits, a `Uint8Array` or
 * `ArrayBuffer` as base64, a `Set` as an array, a `Map` whose keys are text as an object and any other as an array of
 * pairs, an `Error` by name, message, `cause` and `errors`, a `RegExp` as its text, other iterables without properties as an array. What
 * is lost is noted: numbers that JSON has no form for, properties of arrays and other ones of errors, symbols as keys, functions (left out
 * of objects, written by name elsewhere) and symbols (written by name), a reference to an object that contains it (`"[circular]"`), what is nested deeper than 100 levels
 * (`"[too deep]"`), and what is beyond 1,048,576 characters, where the value ends. `undefined` is left out of objects.
 * Promises, streams and instances without properties are listed as opaque.
 * @param limits - Others than those of a result.
 * @throws whatever a `toJSON` method or a getter of the value throws.
 */
export function toJson(value: unknown, limits: JsonLimits = jsonLimits): JsonForm {
  const conversion: Conversion = {
    depth: limits.depth,
    room: limits.length,
    isCut: false,
    parents: [],
    notes: [],
    opaque: [],
  };
  const plain = toPlain(value, "", "$", conversion);
  const { notes, opaque, isCut } = conversion;
  return { value: plain, notes, opaque, isCut };
}

function addNote({ notes }: Conversion, text: string): void {
  if (notes.length < maxNotes) notes.push(text);
  else notes[maxNotes] = "and so on";
}

/** Takes up room for `length` characters. Once there is none left, that is noted and nothing more fits. */
function takeRoom(length: number, path: string, conversion: Conversion): boolean {
  if (conversion.room <= 0) return false;
  conversion.room -= length;
  if (conversion.room > 0) return true;
  conversion.isCut = true;
  conversion.notes.unshift(`the value was left out from ${path} on, because it is too long`);
  return false;
}

function toPlain(value: unknown, key: string, path: string, conversion: Conversion): JsonValue {
  if (typeof value === "string") {
    const room = Math.max(0, conversion.room);
    return takeRoom(value.length + 3, path, conversion) ? value : value.slice(0, room);
  }
  if (!takeRoom(6, path, conversion)) return null;
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    addNote(conversion, `${path} is ${value}, which JSON has no number for`);
    return String(value);
  }
  if (typeof value === "bigint") return bigintToPlain(value, path, conversion);
  if (typeof value === "symbol" || typeof value === "function") {
    if (path === "$") return addOpaque(`a ${typeof value}`, path, conversion);
    addNote(conversion, `${path} is a ${typeof value}`);
    return `[${typeof value} ${typeof value === "function" ? value.name : (value.description ?? "")}]`;
  }
  return typeof value === "object" ? nestedToPlain(value, key, path, conversion) : null;
}

/** Digits are written only of what has few: a million of them take seconds. */
function bigintToPlain(value: bigint, path: string, conversion: Conversion): JsonValue {
  if (BigInt.asIntN(65_536, value) === value) {
    const digits = String(value);
    return takeRoom(digits.length, path, conversion) ? digits : null;
  }
  conversion.isCut = true;
  addNote(conversion, `${path} is a bigint of more than 65,536 bits`);
  return "[bigint]";
}

function nestedToPlain(value: object, key: string, path: string, conversion: Conversion): JsonValue {
  const { parents, depth } = conversion;
  if (parents.includes(value)) {
    addNote(conversion, `${path} refers back to an object that contains it`);
    return "[circular]";
  }
  if (parents.length >= depth) {
    conversion.isCut = true;
    addNote(conversion, `a part of the value is nested deeper than ${depth} levels`);
    return "[too deep]";
  }
  parents.push(value);
  const plain = objectToPlain(value, key, path, conversion);
  parents.pop();
  return plain;
}

function objectToPlain(value: object, key: string, path: string, conversion: Conversion): JsonValue {
  if (value instanceof Uint8Array) return bytesToPlain(value, path, conversion);
  if (value instanceof ArrayBuffer) return bytesToPlain(new Uint8Array(value), path, conversion);
  if (hasToJson(value)) return toPlain(value.toJSON(key), key, path, conversion);
  if (value instanceof Error) return errorToPlain(value, path, conversion);
  if (Array.isArray(value)) return listToPlain(value, path, conversion);
  if (value instanceof Set) return itemsToPlain(value, path, conversion);
  if (value instanceof Map) return mapToPlain(value, path, conversion);
  if (value instanceof RegExp) return toPlain(String(value), key, path, conversion);
  if (boxed.test(Object.prototype.toString.call(value)))
    return toPlain(value.valueOf(), key, path, conversion);
  if (value instanceof DataView)
    return bytesToPlain(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), path, conversion);
  if (ArrayBuffer.isView(value) && isIterable(value)) return itemsToPlain(value, path, conversion);
  if (isPromiseLike(value)) {
    // Its failure is part of what is reported here; unhandled it would end the process.
    if (value instanceof Promise) value.catch(() => {});
    return addOpaque("a Promise", path, conversion);
  }
  const names = Object.keys(value);
  if (isPlainObject(value) && (names.length > 0 || !iterates(value))) {
    addLeftOut("has symbols as keys", symbolKeys(value), path, conversion);
    return objectMembers(value, names, path, conversion);
  }
  if (Symbol.asyncIterator in value) {
    const what = isPlainObject(value) ? "an asynchronous iterable" : nameType(value);
    return addOpaque(what, path, conversion);
  }
  if (names.length > 0) return objectMembers(value, names, path, conversion);
  return isIterable(value)
    ? itemsToPlain(value, path, conversion)
    : addOpaque(nameType(value), path, conversion);
}

/** What is left out of a value, which keeps the rest. */
function addLeftOut(what: string, keys: readonly string[], path: string, conversion: Conversion): void {
  if (keys.length > 0) addNote(conversion, `${path} ${what}, which are left out: ${listKeys(keys)}`);
}

/** Whether it has the method: a proxy may say that it has everything. */
function iterates(value: object): boolean {
  return (
    isIterable(value) || (Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === "function")
  );
}

function objectMembers(
  value: object,
  names: readonly string[],
  path: string,
  conversion: Conversion,
): JsonValue {
  const get = (name: string): unknown => Reflect.get(value, name);
  if (names.length > 0 && names.every((name) => typeof get(name) === "function"))
    return addOpaque("an object of functions", path, conversion);
  return membersToPlain(names.values(), get, path, conversion);
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && typeof value[Symbol.iterator] === "function";
}

/** The most opaque values that are listed. */
const mostOpaque = 10;

function addOpaque(what: string, path: string, { opaque }: Conversion): JsonValue {
  if (opaque.length < mostOpaque) opaque.push({ path, what });
  return `[${what}]`;
}

function listToPlain(list: readonly unknown[], path: string, conversion: Conversion): JsonValue {
  const plain = itemsToPlain(indexed(list), path, conversion);
  // Of a list that is cut the keys are not read: there may be millions.
  if (plain.length === list.length)
    addLeftOut("is a list with properties", keysBesideItems(list), path, conversion);
  return plain;
}

/** The items of an array, holes included, whatever its iterator says. */
function* indexed(list: readonly unknown[]): Generator<unknown> {
  for (let index = 0; index < list.length; index++) yield list[index];
}

function itemsToPlain(items: Iterable<unknown>, path: string, conversion: Conversion): JsonValue[] {
  const plain: JsonValue[] = [];
  for (const item of items) {
    const place = `${path}[${plain.length}]`;
    if (conversion.room <= 0) break;
    plain.push(toPlain(item, String(plain.length), place, conversion));
  }
  return plain;
}

/** An object where every key is a text of its own in JSON, else an array of pairs. */
function mapToPlain(map: ReadonlyMap<unknown, unknown>, path: string, conversion: Conversion): JsonValue {
  const members = new Map<string, unknown>();
  for (const [key, item] of map) {
    if (conversion.room <= 0) break;
    const name = toPlain(key, "", path, conversion);
    if (typeof name !== "string" || members.has(name)) return itemsToPlain(map, path, conversion);
    members.set(name, item);
  }
  return membersToPlain(members.keys(), (name) => members.get(name), path, conversion);
}

function errorToPlain(error: Error, path: string, conversion: Conversion): JsonValue {
  // Its other properties stay here: errors of HTTP clients carry whole requests, keys included.
  const names = ["name", "message", "cause", ...(error instanceof AggregateError ? ["errors"] : [])];
  const others = Object.keys(error).filter((name) => !names.includes(name));
  addLeftOut("is an error with properties besides its message", others, path, conversion);
  return membersToPlain(names, (name) => Reflect.get(error, name), path, conversion);
}

function membersToPlain(
  names: Iterable<string>,
  get: (name: string) => unknown,
  path: string,
  conversion: Conversion,
): JsonValue {
  const plain: Record<string, JsonValue> = {};
  for (const name of names) {
    const place = `${path}.${name}`;
    if (conversion.room <= 0) break;
    const item = get(name);
    if (typeof item === "function") addNote(conversion, `${place} is a function, which is left out`);
    if (item === undefined || typeof item === "function") continue;
    if (!takeRoom(name.length, place, conversion)) break;
    defineOwn(plain, name, toPlain(item, name, place, conversion));
  }
  return plain;
}

function bytesToPlain(bytes: Uint8Array, path: string, conversion: Conversion): JsonValue {
  if (!takeRoom(Math.ceil(bytes.length / 3) * 4, path, conversion)) return `[${bytes.length} bytes]`;
  return toBase64(bytes);
}

function hasToJson(value: object): value is { toJSON(key: string): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
