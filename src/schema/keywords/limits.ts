import type { Check, Keyword, Keywords } from "../check.ts";
import { rejectOther } from "../check.ts";
import { codePointLength } from "../json-value.ts";
import { count, countOperand, numberOperand } from "./operands.ts";
import { isObject } from "../../base/util/json.ts";

/**
 * What is measured of a value; `undefined` for a value that the keyword is not about. With a `limit`, only the order of the
 * two need be right.
 */
type Measure = (value: unknown, limit?: number) => number | undefined;

const lengthOf: Measure = (value, limit) => {
  if (typeof value !== "string") return undefined;
  const { length } = value;
  // A character is one or two units long: counting them is seldom needed.
  return limit !== undefined && (length < limit || length > 2 * limit) ? length : codePointLength(value);
};

const numberOf: Measure = (value) => (typeof value === "number" ? value : undefined);

/**
 * A check of what is measured: from below where `sign` is 1, from above where it is -1. `words` stand before the limit in
 * messages, `unit` (singular and plural) behind it.
 */
function bound(
  measure: Measure,
  sign: 1 | -1,
  words: string,
  unit?: readonly [singular: string, plural: string],
  isExclusive = false,
): Keyword {
  return (operand, _schema, compilation) => {
    const limit = (unit ? countOperand : numberOperand)(operand, compilation);
    const expected = `${words} ${unit ? count(limit, ...unit) : limit}`;
    const refuse: Check = (value, state) => rejectOther(state, expected, value, measure(value));
    return (value, state) => {
      const measured = measure(value, limit);
      if (measured === undefined) return true;
      const distance = sign * (measured - limit);
      return (isExclusive ? distance > 0 : distance >= 0) || refuse(value, state);
    };
  };
}

/** The two keywords that bound a size. */
const sizes = (name: string, measure: Measure, ...unit: readonly [string, string]): Keywords => ({
  [`min${name}`]: bound(measure, 1, "at least", unit),
  [`max${name}`]: bound(measure, -1, "at most", unit),
});

/** Whether `value` is a multiple of `divisor`, up to what binary fractions cannot express: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0;
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 4 * Number.EPSILON;
}

const multipleOf: Keyword = (operand, _schema, compilation) => {
  const divisor = numberOperand(operand, compilation);
  if (divisor <= 0) compilation.invalid("must be above 0");
  const expected = `a multiple of ${divisor}`;
  return (value, state) =>
    typeof value !== "number" || isMultiple(value, divisor) || rejectOther(state, expected, value);
};

/** Keywords that bound numbers and sizes. Lengths of texts are counted in Unicode code points. */
export const limitKeywords: Keywords = {
  minimum: bound(numberOf, 1, "a number of at least"),
  maximum: bound(numberOf, -1, "a number of at most"),
  exclusiveMinimum: bound(numberOf, 1, "a number above", undefined, true),
  exclusiveMaximum: bound(numberOf, -1, "a number below", undefined, true),
  multipleOf,
  ...sizes("Length", lengthOf, "character", "characters"),
  ...sizes("Items", (value) => (Array.isArray(value) ? value.length : undefined), "item", "items"),
  ...sizes(
    "Properties",
    (value) => (isObject(value) ? Object.keys(value).length : undefined),
    "property",
    "properties",
  ),
};
