import { isObject } from "../../base/util/json.ts";

/** Whether a value is an object with texts under these names. */
export function hasTexts(
  value: unknown,
  ...names: readonly string[]
): value is Readonly<Record<string, unknown>> {
  return isObject(value) && names.every((name) => typeof value[name] === "string");
}

/** Whether a value is an array of such items. */
export function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

/** Whether a value is an array of parts of a message. */
export function isContent(value: unknown): boolean {
  return isListOf(value, (part) => hasTexts(part, "type"));
}

/** Whether a value can be stored as JSON. */
export function isStorable(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
