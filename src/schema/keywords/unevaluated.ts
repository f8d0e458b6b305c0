import type { Keyword, Keywords } from "../check.ts";
import { checkAt, every } from "../check.ts";
import { isObject } from "../../base/util/json.ts";

/** Checks the members that no other keyword has looked at, in the schema itself and those that it applies to the same value. */
const unevaluated =
  (membersOf: (value: unknown) => Iterable<[string | number, unknown]>): Keyword =>
  (operand, _schema, compilation) => {
    const node = compilation.compile(operand);
    return (value, state) =>
      every(
        membersOf(value),
        state,
        ([key, member]) =>
          state.evaluated?.has(key) === true || member === undefined || checkAt(node, key, member, state),
      );
  };

/** Keywords about what the others left over. They come last, and the schema's check runs by `track`. */
export const unevaluatedKeywords: Keywords = {
  unevaluatedItems: unevaluated((value) => (Array.isArray(value) ? value.entries() : [])),
  unevaluatedProperties: unevaluated((value) => (isObject(value) ? Object.entries(value) : [])),
};
