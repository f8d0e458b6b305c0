import type { JsonObject } from "../../base/util/json.ts";

/** Whether a value of a provider's is an object. What is in it is looked at where it is used. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text that stands in a field, or none. */
export function textIn(object: JsonObject | undefined, field: string): string | undefined {
  const value = object?.[field];
  return typeof value === "string" ? value : undefined;
}

/** The finite number that stands in a field, or none. */
export function numberIn(object: JsonObject | undefined, field: string): number | undefined {
  const value = object?.[field];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The object that stands in a field, or none. */
export function objectIn(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const value = object?.[field];
  return isObject(value) ? value : undefined;
}
