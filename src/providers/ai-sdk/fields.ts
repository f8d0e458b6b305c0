import type { JsonObject } from "../../base/util/json.ts";

/** Whether a value from a provider is an object. Its fields are checked where they are used. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The string in a field; `undefined` for any other value. */
export function textIn(object: JsonObject | undefined, field: string): string | undefined {
  const value = object?.[field];
  return typeof value === "string" ? value : undefined;
}

/** The whole number in a field; `undefined` for any other value, also below zero, which no count can be. */
export function countIn(object: JsonObject | undefined, field: string): number | undefined {
  const value = object?.[field];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The object in a field; `undefined` for any other value. */
export function objectIn(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const value = object?.[field];
  return isObject(value) ? value : undefined;
}
