import type { JsonObject } from "../../base/util/json.ts";
import { maxDepth } from "../../schema/parse-json.ts";
import { parseJson, type PostAnswer } from "../../model/http.ts";

const emptyObject: JsonObject = Object.freeze({});
const none: readonly JsonObject[] = Object.freeze([]);

/** Whether a value that `JSON.parse` made is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `value` as an object, or an empty one: a server may leave out or misspell anything. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : emptyObject;
}

/** The objects in an array. */
export function asObjects(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return none;
  // Nearly always they all are: then there is nothing to copy.
  return value.every(isJsonObject) ? value : value.filter(isJsonObject);
}

/** `value` as text, or an empty one. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** `value`, if it is a number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The string in `object[key]`, if there is one. */
export function stringIn(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === "string" ? value : undefined;
}

/** The object that the data of an event holds. @throws MalformedResponseError if it holds none. */
export function parseObject(data: string, answer: PostAnswer): JsonObject {
  return requireObject(parseJson(data, answer), answer);
}

/** `value`, if it is an object. @throws MalformedResponseError if it is none. */
export function requireObject(value: unknown, answer: PostAnswer): JsonObject {
  if (isJsonObject(value)) return value;
  throw answer.malformed(`sent JSON that is no object: ${JSON.stringify(value).slice(0, 200)}`);
}

/**
 * The arguments of a call as the object that some APIs want. What is not an object is kept under a name that says so: the model
 * wrote it, and the tool's result speaks of it.
 */
export function argumentsObject(text: string): JsonObject {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return {};
    if (isJsonObject(value) && !isDeep(value)) return value;
  } catch {
    // The model reads of it in the result.
  }
  return { invalid_arguments: text };
}

/** Whether a value is nested deeper than tools take it: writing it into a request could exhaust the stack. */
function isDeep(value: object): boolean {
  let level: readonly object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return true;
    level = level.flatMap((parent) => Object.values(parent).filter((child) => Object(child) === child));
  }
  return false;
}

/** The arguments of a call as text. @throws MalformedResponseError if they are nested too deep to be written. */
export function callArguments(args: unknown, answer: PostAnswer): string {
  try {
    return JSON.stringify(args);
  } catch (cause) {
    throw answer.malformed("sent a call whose arguments are nested too deep to be read.", { cause });
  }
}
