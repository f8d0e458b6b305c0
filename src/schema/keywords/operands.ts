import type { Compilation } from "../check.ts";
import { isObject } from "../json-value.ts";
import { preview } from "../words.ts";

/** The operand as a number; an invalid schema if it is none. */
export function numberOperand(operand: unknown, compilation: Compilation): number {
  if (typeof operand === "number" && Number.isFinite(operand)) return operand;
  return compilation.invalid("must be a number");
}

/** The operand as a count; an invalid schema if it is none. */
export function countOperand(operand: unknown, compilation: Compilation): number {
  if (typeof operand === "number" && Number.isInteger(operand) && operand >= 0) return operand;
  return compilation.invalid("must be a whole number, 0 or more");
}

/** The operand as the members of an object; an invalid schema if it is none. */
export function membersOperand(operand: unknown, compilation: Compilation): [string, unknown][] {
  return isObject(operand) ? Object.entries(operand) : compilation.invalid("must be an object");
}

/** The operand as an array; an invalid schema if it is none. */
export function listOperand(operand: unknown, compilation: Compilation): readonly unknown[] {
  return Array.isArray(operand) ? operand : compilation.invalid("must be an array");
}

/** The operand as an array of strings; an invalid schema if it is none. */
export function namesOperand(operand: unknown, compilation: Compilation): string[] {
  return listOperand(operand, compilation).map((name) =>
    typeof name === "string" ? name : compilation.invalid("must list strings"),
  );
}

/** A pattern as a regular expression, in Unicode mode where its syntax allows; an invalid schema if it is none. */
export function patternOperand(operand: unknown, compilation: Compilation): RegExp {
  if (typeof operand !== "string") return compilation.invalid("must be a string");
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(operand, flags);
    } catch {
      // What Unicode mode refuses, such as "\\-", may be fine without it.
    }
  }
  return compilation.invalid(`is no regular expression: ${preview(operand)}`);
}

/** A number of things: `"1 item"`, `"2 items"`. */
export function count(amount: number, singular: string, plural: string): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}
