import { isPlainObject } from "./json.ts";

/** Whether two values are the same as JSON, whatever the order of their keys. What JSON has no form for is like nothing else. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  if (!isPlainObject(left) || !isPlainObject(right)) return false;
  const names = definedNames(left);
  return (
    names.length === definedNames(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  );
}

/** JSON leaves out the others. */
function definedNames(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}
