import type { Keyword, Keywords } from "../check.ts";
import { reject } from "../check.ts";
import { codePointLength, isObject } from "../json-value.ts";
import { count, countOperand, numberOperand } from "./operands.ts";

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

/** A keyword that bounds what is measured: from below where `sign` is 1, from above where it is -1. */
function bound(
  keyword: string,
  sign: 1 | -1,
  measure: Measure,
  words: (limit: number) => string,
  isExclusive = false,
): Readonly<Record<string, Keyword>> {
  const read = measure === numberOf ? numberOperand : countOperand;
  return {
    [keyword]: (operand, _schema, compilation) => {
      const limit = read(operand, compilation);
      const expected = words(limit);
      return (value, state) => {
        const measured = measure(value, limit);
        if (measured === undefined) return true;
        const distance = (measured - limit) * sign;
        return (
          distance > 0 ||
          (distance === 0 && !isExclusive) ||
          reject(state, `expected ${expected}, received ${measure(value)}`, value, expected)
        );
      };
    },
  };
}

/** The two keywords that bound a size. */
function sizes(name: string, measure: Measure, singular: string, plural?: string): Keywords {
  return {
    ...bound(`min${name}`, 1, measure, (limit) => `at least ${count(limit, singular, plural)}`),
    ...bound(`max${name}`, -1, measure, (limit) => `at most ${count(limit, singular, plural)}`),
  };
}

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
    typeof value !== "number" ||
    isMultiple(value, divisor) ||
    reject(state, `expected ${expected}, received ${value}`, value, expected);
};

/** Keywords that bound numbers and sizes. Lengths of texts are counted in Unicode code points. */
export const limitKeywords: Keywords = {
  ...bound("minimum", 1, numberOf, (limit) => `a number of at least ${limit}`),
  ...bound("maximum", -1, numberOf, (limit) => `a number of at most ${limit}`),
  ...bound("exclusiveMinimum", 1, numberOf, (limit) => `a number above ${limit}`, true),
  ...bound("exclusiveMaximum", -1, numberOf, (limit) => `a number below ${limit}`, true),
  multipleOf,
  ...sizes("Length", lengthOf, "character"),
  ...sizes("Items", (value) => (Array.isArray(value) ? value.length : undefined), "item"),
  ...sizes(
    "Properties",
    (value) => (isObject(value) ? Object.keys(value).length : undefined),
    "property",
    "properties",
  ),
};
