import { isPlainObject } from "../base/util/json.ts";

/** How deep two values are compared. */
const deepest = 100;

/**
 * Whether two values read the same: texts as `plainText` makes them, numbers by their value, lists in order, objects with the
 * same properties in any order.
 */
export function isLike(left: unknown, right: unknown, depth = 0): boolean {
  if (typeof left === "string" && typeof right === "string") return plainText(left) === plainText(right);
  if (depth > deepest) return false;
  if (Array.isArray(left))
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isLike(item, right[index], depth + 1))
    );
  if (!isPlainObject(left) || !isPlainObject(right)) return left === right || Object.is(left, right);
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isLike(left[key], right[key], depth + 1))
  );
}

/**
 * A text without spaces, `,./-_*^` and differences of case and quotes: "April 1, 2024" is "april 1 2024". The same rule as the
 * Berkeley Function-Calling Leaderboard's.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(/[ ,./\-_*^]/g, "")
    .toLowerCase()
    .replaceAll("'", '"');
}
