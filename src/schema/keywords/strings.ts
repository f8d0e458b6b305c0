import type { Keyword, Keywords } from "../check.ts";
import { rejectLong, rejectOther } from "../check.ts";
import { formats } from "./formats.ts";
import { patternOperand } from "./operands.ts";

/** A check of strings by `test`. */
function textual(expected: string, test: (text: string) => boolean): ReturnType<Keyword> {
  return (value, state) => typeof value !== "string" || test(value) || rejectOther(state, expected, value);
}

const pattern: Keyword = (operand, _schema, compilation) => {
  const expression = patternOperand(operand, compilation);
  return (value, state) => {
    if (typeof value !== "string") return true;
    const fits = expression.test(value, state);
    if (fits === undefined) return rejectLong(state);
    return fits || rejectOther(state, `a string matching ${expression.source}`, value);
  };
};

const format: Keyword = (operand) => {
  const formatPattern =
    typeof operand === "string" && Object.hasOwn(formats, operand) ? formats[operand] : undefined;
  return formatPattern && textual(...formatPattern);
};

/** Keywords about strings. */
export const stringKeywords: Keywords = { pattern, format };
