import { InvalidInputError } from "../../errors.ts";
import { copyJson } from "../../base/util/copy-json.ts";
import { isDeeperThan } from "../../base/util/is-deeper-than.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/util/json.ts";
import { describeValue } from "../../base/options/known-options.ts";
import { longestText } from "../../message/longest-text.ts";

/** What of a client's input is too much. Lengths are characters. */
export const limits = {
  depth: 100,
  messages: 10_000,
  parts: 1_000,
  calls: 1_000,
  tools: 500,
  context: 1_000,
  resume: 1_000,
  id: 1_000,
  name: 256,
} as const;

/** An object of the input, with where it is. */
export interface InputObject {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Checks the body of a request, before anything of it is read. */
export function inputObject(body: unknown): InputObject {
  if (!isObject(body)) throw wrong("The input", `must be a RunAgentInput, not ${describeValue(body)}`);
  if (isDeeperThan(body, limits.depth))
    throw wrong("The input", `is nested more than ${limits.depth} levels deep`);
  return { path: "", value: body };
}

/** What an object has itself under a name; `undefined` for `null`, which some clients write for nothing. */
export function field({ value }: InputObject, name: string): unknown {
  return Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
}

/** Where a member of an object is. */
export function pathOf({ path }: InputObject, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** An id that must be there. */
export function idField(object: InputObject, name: string): string {
  const id = textField(object, name, limits.id);
  if (id !== undefined && id !== "") return id;
  throw wrong(pathOf(object, name), "must be a text that is not empty");
}

/** A text, or nothing. */
export function textField(
  object: InputObject,
  name: string,
  longest: number = longestText,
): string | undefined {
  const text = field(object, name);
  if (text === undefined) return undefined;
  if (typeof text !== "string")
    throw wrong(pathOf(object, name), `must be a text, not ${describeValue(text)}`);
  if (text.length > longest) throw wrong(pathOf(object, name), `is longer than ${longest} characters`);
  return text;
}

/** The objects of a list, which may be left out. */
export function listField(object: InputObject, name: string, most: number): readonly InputObject[] {
  const list = field(object, name);
  if (list === undefined) return [];
  return objectsOf(list, pathOf(object, name), most);
}

/** The items of a list, all of which must be objects. */
export function objectsOf(list: unknown, path: string, most: number): readonly InputObject[] {
  if (!Array.isArray(list)) throw wrong(path, `must be a list, not ${describeValue(list)}`);
  if (list.length > most) throw wrong(path, `has more than ${most} entries`);
  return list.map((value: unknown, index) => objectAt(value, `${path}[${index}]`));
}

/** An object that must be there. */
export function objectField(object: InputObject, name: string): InputObject {
  return objectAt(field(object, name), pathOf(object, name));
}

/** A JSON value, or nothing. */
export function jsonField(object: InputObject, name: string): JsonValue | undefined {
  const value = field(object, name);
  if (value === undefined) return undefined;
  const json = copyJson(value);
  if (json !== undefined) return json;
  throw wrong(pathOf(object, name), "must be plain JSON of at most 1,048,576 characters");
}

/** A JSON object, or nothing. */
export function jsonObjectField(object: InputObject, name: string): JsonObject | undefined {
  const value = jsonField(object, name);
  if (value === undefined || isJsonObject(value)) return value;
  throw wrong(pathOf(object, name), "must be an object");
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return isObject(value);
}

/** The error for what is wrong with the input. */
export function wrong(path: string, problem: string): InvalidInputError {
  return new InvalidInputError(`${path} ${problem}. See RunAgentInput of AG-UI 1.0.`, { path });
}

function objectAt(value: unknown, path: string): InputObject {
  if (isObject(value)) return { path, value };
  throw wrong(path, `must be an object, not ${describeValue(value)}`);
}
