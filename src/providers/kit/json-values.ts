import { parseExactJson } from "../../base/util/exact-json.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { wellFormedJson } from "../../base/util/well-formed-json.ts";
import { maxDepth } from "../../schema/parse-json.ts";
import { parseJson, type PostAnswer } from "../../model/http.ts";

const emptyObject: JsonObject = /* @__PURE__ */ Object.freeze({});
const noObjects: readonly JsonObject[] = /* @__PURE__ */ Object.freeze([]);

/** Whether a value parsed from JSON is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `value` if it is an object, else an empty object: a server may omit or misspell any field. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : emptyObject;
}

/** The objects in an array. */
export function asObjects(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return noObjects;
  // Usually all entries are objects, and no copy is needed.
  return value.every(isJsonObject) ? value : value.filter(isJsonObject);
}

/** `value` if it is a string, else an empty string. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** `value`, if it is a number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** `value`, if it is a number of tokens: servers may send -1 for an unknown one. */
export function asCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** `value`, if it is an index. Some servers send it as a string. */
export function asIndex(value: unknown): number | undefined {
  return asNumber(typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value);
}

/** The string in `object[key]`, if there is one. */
export function stringIn(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === "string" ? value : undefined;
}

/** The number of tokens, or other count, in `object[key]`, if there is one. */
export function countIn(object: JsonObject | undefined, key: string): number | undefined {
  return asCount(object?.[key]);
}

/** The object in `object[key]`, if there is one. */
export function objectIn(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

/**
 * Whether a server reports a failure instead of sending a piece of an answer: `{ error }`, `{ type: "error" }`, `{ object: "error" }`, or
 * a code and a message without an envelope.
 */
export function isFailure(value: JsonObject): boolean {
  if (value["error"]) return true;
  if (value["type"] === "error" || value["object"] === "error") return true;
  const { code, message, choices, candidates } = value;
  const hasCode = typeof code === "number" || (typeof code === "string" && code !== "");
  return hasCode && typeof message === "string" && choices === undefined && candidates === undefined;
}

/** Parses the data of an event. @throws MalformedResponseError if it is not a JSON object. */
export function parseObject(data: string, answer: PostAnswer): JsonObject {
  return requireObject(parseJson(data, answer), answer);
}

/**
 * The event itself, or read again with the digits of its numbers: where the arguments of a call stand as an object, reading them
 * must change nothing. Only then, since looking for such numbers costs more than reading the event.
 */
export function withExactArguments(
  event: JsonObject,
  data: string,
  hasArguments: (event: JsonObject) => boolean,
): JsonObject {
  return hasArguments(event) ? asObject(parseExactJson(data)) : event;
}

/** Checks that `value` is an object, and returns it. @throws MalformedResponseError otherwise. */
export function requireObject(value: unknown, answer: PostAnswer): JsonObject {
  if (isJsonObject(value)) return value;
  throw answer.malformed("sent JSON that is not an object:", { received: JSON.stringify(value) });
}

/**
 * Parses the arguments of a call, for APIs that require an object. Other arguments are sent as `invalid_arguments`: the model wrote
 * them, and the tool's result says what is wrong with them.
 */
export function parseCallArguments(text: string): JsonObject {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(wellFormedJson(text));
    if (value === null) return {};
    if (isJsonObject(value) && !isDeep(value)) return value;
  } catch {
    // The tool's result tells the model.
  }
  return { invalid_arguments: text.toWellFormed() };
}

/** Whether a value is nested deeper than tools accept: serializing it into a request could exhaust the stack. */
export function isDeep(value: object): boolean {
  let level: readonly object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return true;
    level = level.flatMap((parent) => Object.values(parent).filter((child) => Object(child) === child));
  }
  return false;
}

/** Serializes the arguments of a call. @throws MalformedResponseError if they are nested too deeply. */
export function stringifyArguments(args: unknown, answer: PostAnswer): string {
  try {
    return JSON.stringify(args);
  } catch (cause) {
    throw answer.malformed("sent a call whose arguments are nested too deeply.", { cause });
  }
}

/**
 * A piece of a call's arguments; empty if there is none.
 * @throws MalformedResponseError if it is anything but text: without it, the call would be executed with other arguments.
 */
export function argumentsPiece(value: unknown, answer: Pick<PostAnswer, "malformed">): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  throw answer.malformed("sent a piece of a call's arguments that is not a text:", {
    received: JSON.stringify(value),
  });
}

/**
 * A piece of an answer's text; empty if there is none.
 * @throws MalformedResponseError if it is anything but text: without it, the answer would say something else.
 */
export function textPiece(value: unknown, answer: Pick<PostAnswer, "malformed">): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  throw answer.malformed("sent a piece of its answer that is not a text:", {
    received: JSON.stringify(value),
  });
}

/** The arguments of a call, which some servers send as an object instead of its JSON. @throws as `argumentsPiece` */
export function wholeArguments(value: unknown, answer: PostAnswer): string {
  return isJsonObject(value) ? stringifyArguments(value, answer) : argumentsPiece(value, answer);
}
