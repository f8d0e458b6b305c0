import type { Compilation } from "../check.ts";
import { readPattern } from "../patterns/pattern.ts";
import type { Pattern } from "../patterns/types.ts";
import { isObject } from "../../base/util/json.ts";

/** A reader of operands that fit; an invalid schema where one does not, which `words` say. */
const operand =
  <T>(fits: (value: unknown) => value is T, words: string) =>
  (value: unknown, compilation: Compilation): T =>
    fits(value) ? value : compilation.invalid(`must be ${words}`);

const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isCount = (value: unknown): value is number => isNumber(value) && Number.isInteger(value) && value >= 0;

type Operand<T> = (value: unknown, compilation: Compilation) => T;

/** The operand as a number. */
export const numberOperand: Operand<number> = operand(isNumber, "a number");

/** The operand as a count. */
export const countOperand: Operand<number> = operand(isCount, "a whole number, 0 or more");

/** The operand as a string. */
export const textOperand: Operand<string> = operand((value) => typeof value === "string", "a string");

/** The operand as an array. */
export const listOperand: Operand<readonly unknown[]> = operand(Array.isArray, "an array");

const objectOperand = operand(isObject, "an object");

/** The operand as the members of an object. */
export const membersOperand: Operand<[string, unknown][]> = (value, compilation) =>
  Object.entries(objectOperand(value, compilation));

/** The operand as an array of strings. */
export const namesOperand: Operand<string[]> = (value, compilation) =>
  listOperand(value, compilation).map((name) => textOperand(name, compilation));

/** A pattern that can be tested in bounded time. */
export const patternOperand: Operand<Pattern> = (value, compilation) => {
  const pattern = readPattern(textOperand(value, compilation));
  return typeof pattern === "string" ? compilation.invalid(pattern) : pattern;
};

/** A number of things: `"1 item"`, `"2 items"`. */
export function count(amount: number, singular: string, plural: string): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}
