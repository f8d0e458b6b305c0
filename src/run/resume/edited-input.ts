import { isPlainObject } from "../../base/util/json.ts";
import { isSameInput } from "../../executor/policies/shown-input.ts";

/**
 * Whether what a schema has made of arguments is what a person wrote, with defaults added and in another notation at most. What stands
 * there as the model wrote it is an edit of the model's arguments, which the schema may transform.
 * @param original - What the model wrote there.
 */
export function isAsWritten(edited: unknown, original: unknown, result: unknown): boolean {
  if (isSameInput(edited, result) || (original !== undefined && isSameInput(edited, original))) return true;
  if (Array.isArray(edited))
    return (
      Array.isArray(result) &&
      result.length === edited.length &&
      edited.every((item, index) => isAsWritten(item, memberOf(original, index), result[index]))
    );
  if (isPlainObject(edited))
    return (
      isPlainObject(result) &&
      Object.entries(edited).every(([name, member]) => {
        const before = memberOf(original, name);
        // One that the schema makes into others was not shown: it is of the model's arguments.
        return Object.hasOwn(result, name) ? isAsWritten(member, before, result[name]) : before !== undefined;
      })
    );
  return isSameNotation(edited, result);
}

function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** `"5"` for 5, and a time in another notation. */
function isSameNotation(edited: unknown, result: unknown): boolean {
  if (!isScalar(edited) || !isScalar(result)) return false;
  if (String(edited) === String(result)) return true;
  if (typeof edited !== "string" || typeof result !== "string") return false;
  const time = Date.parse(edited);
  return !Number.isNaN(time) && new Date(time).toISOString() === result;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
