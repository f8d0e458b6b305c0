import type { Keyword, Keywords } from "../check.ts";
import { reject } from "../check.ts";
import { codePointLength } from "../json-value.ts";
import { preview } from "../words.ts";
import { count, countOperand, patternOperand } from "./operands.ts";

const minLength: Keyword = (operand, _schema, compilation) => {
  const limit = countOperand("minLength", operand, compilation);
  const expected = `at least ${count(limit, "character")}`;
  return (value, state) => {
    if (typeof value !== "string" || value.length >= 2 * limit) return true;
    const length = codePointLength(value);
    return length >= limit || reject(state, `expected ${expected}, received ${length}`, value, expected);
  };
};

const maxLength: Keyword = (operand, _schema, compilation) => {
  const limit = countOperand("maxLength", operand, compilation);
  const expected = `at most ${count(limit, "character")}`;
  return (value, state) => {
    if (typeof value !== "string" || value.length <= limit) return true;
    const length = codePointLength(value);
    return length <= limit || reject(state, `expected ${expected}, received ${length}`, value, expected);
  };
};

const pattern: Keyword = (operand, _schema, compilation) => {
  const expression = patternOperand("pattern", operand, compilation);
  const expected = `a string matching ${expression.source}`;
  return (value, state) =>
    typeof value !== "string" ||
    expression.test(value) ||
    reject(state, `expected ${expected}, received ${preview(value)}`, value, expected);
};

/** Keywords about strings. Lengths are counted in Unicode code points. */
export const stringKeywords: Keywords = { minLength, maxLength, pattern };
