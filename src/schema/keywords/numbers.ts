import type { Keyword, Keywords } from "../check.ts";
import { reject } from "../check.ts";
import { numberOperand } from "./operands.ts";

/** A keyword that compares a number with its operand. `words` go before the operand in messages. */
function comparison(name: string, words: string, fits: (value: number, limit: number) => boolean): Keyword {
  return (operand, _schema, compilation) => {
    const limit = numberOperand(name, operand, compilation);
    const expected = `${words} ${limit}`;
    return (value, state) =>
      typeof value !== "number" ||
      fits(value, limit) ||
      reject(state, `expected ${expected}, received ${value}`, value, expected);
  };
}

/** Whether `value` is a multiple of `divisor`, up to what binary fractions cannot express: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0;
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 4 * Number.EPSILON;
}

const multipleOf: Keyword = (operand, schema, compilation) => {
  const divisor = numberOperand("multipleOf", operand, compilation);
  if (divisor <= 0) compilation.invalid('"multipleOf" must be above 0');
  return comparison("multipleOf", "a multiple of", isMultiple)(operand, schema, compilation);
};

/** Keywords about numbers. */
export const numberKeywords: Keywords = {
  minimum: comparison("minimum", "a number of at least", (value, limit) => value >= limit),
  maximum: comparison("maximum", "a number of at most", (value, limit) => value <= limit),
  exclusiveMinimum: comparison("exclusiveMinimum", "a number above", (value, limit) => value > limit),
  exclusiveMaximum: comparison("exclusiveMaximum", "a number below", (value, limit) => value < limit),
  multipleOf,
};
