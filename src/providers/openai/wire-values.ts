import type { TokenLogprob } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";

const emptyObject: JsonObject = Object.freeze({});
const none: readonly JsonObject[] = Object.freeze([]);

/** Whether a value that `JSON.parse` made is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `value` as an object, or an empty one: a server may leave out or misspell anything. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : emptyObject;
}

/** The objects in an array. */
export function asObjects(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return none;
  // Nearly always they all are: then there is nothing to copy.
  return value.every(isObject) ? value : value.filter(isObject);
}

/** `value` as text, or an empty one. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** `value`, if it is a number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Reads `{ token, logprob, top_logprobs }`, which both protocols share. */
export function logprobOf(value: JsonObject): TokenLogprob {
  const alternatives = asObjects(value["top_logprobs"]).map(tokenOf);
  return { ...tokenOf(value), ...(alternatives.length > 0 && { topLogprobs: alternatives }) };
}

function tokenOf(value: JsonObject): { token: string; logprob: number } {
  return { token: asText(value["token"]), logprob: asNumber(value["logprob"]) ?? Number.NEGATIVE_INFINITY };
}
