import type { TokenLogprob } from "../model/types.ts";
import type { JsonObject } from "../util/json.ts";

const emptyObject: JsonObject = Object.freeze({});
const none: readonly JsonObject[] = Object.freeze([]);

/** Whether a value that `JSON.parse` made is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object at `key`, or an empty one: a server may leave out or misspell anything. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : emptyObject;
}

/** The objects in the array at `key`. */
export function objectsAt(value: JsonObject, key: string): readonly JsonObject[] {
  const found = value[key];
  if (!Array.isArray(found)) return none;
  // Nearly always they all are: then there is nothing to copy.
  return found.every(isObject) ? found : found.filter(isObject);
}

/** The text at `key`, or an empty one. */
export function textAt(value: JsonObject, key: string): string {
  const found = value[key];
  return typeof found === "string" ? found : "";
}

/** The number at `key`. */
export function numberAt(value: JsonObject, key: string): number | undefined {
  const found = value[key];
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** Reads `{ token, logprob, top_logprobs }`, which both protocols share. */
export function logprobOf(value: JsonObject): TokenLogprob {
  const alternatives = objectsAt(value, "top_logprobs").map(tokenOf);
  return { ...tokenOf(value), ...(alternatives.length > 0 && { topLogprobs: alternatives }) };
}

function tokenOf(value: JsonObject): { token: string; logprob: number } {
  return { token: textAt(value, "token"), logprob: numberAt(value, "logprob") ?? Number.NEGATIVE_INFINITY };
}
