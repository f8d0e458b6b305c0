import { closest } from "../../base/util/closest.ts";
import type { Check, Keyword, Keywords } from "../check.ts";
import { rejectOther } from "../check.ts";
import { enumMembersOf } from "../enum-members.ts";
import { alternatives, kindOf, preview, typeWords } from "../words.ts";
import { listOperand } from "./operands.ts";
import { isObject } from "../../base/util/json.ts";

/** One test for each type. A number is finite, as in JSON; 1.0 is an integer. */
const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

const type: Keyword = (operand, _schema, compilation) => {
  const names: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const tests = names.map((name) => {
    const test = typeof name === "string" && Object.hasOwn(typeTests, name) ? typeTests[name] : undefined;
    return test ?? compilation.invalid(`names no type: ${preview(name)}`);
  });
  const [first] = tests;
  if (first === undefined) return compilation.invalid("names no type");
  const expected = alternatives(names.map((name) => typeWords[String(name)] ?? ""));
  const test = tests.length === 1 ? first : (value: unknown) => tests.some((fits) => fits(value));
  const received = (value: unknown): unknown =>
    typeof value === "number" && names.includes("integer") ? value : kindOf(value);
  const refuse: Check = (value, state) => rejectOther(state, expected, value, received(value));
  // The most frequent one of all, without a call within the call.
  if (tests.length === 1 && first === typeTests["string"])
    return (value, state) => typeof value === "string" || refuse(value, state);
  return (value, state) => test(value) || refuse(value, state);
};

/** The check of `enum` and `const`: one of `members` and nothing else. */
function oneOfValues(members: readonly unknown[]): Check {
  const enumMembers = enumMembersOf(members);
  const names = members.filter((member) => typeof member === "string");
  let expected: string | undefined;
  return (value, state) => {
    if (enumMembers.has(value)) return true;
    if (state.issues === undefined) return false;
    const isHinted = typeof value === "string" && members.length > 5 && state.hints-- > 0;
    const [near] = isHinted ? closest(value, names, 1) : [];
    const hint = near === undefined ? "" : `; did you mean ${preview(near)}?`;
    expected ??= alternatives(members.map((member) => preview(member)));
    return rejectOther(state, expected, value, preview(value) + hint);
  };
}

/** The keyword `const`. */
export const constKeyword: Keywords = { const: (operand) => oneOfValues([operand]) };

/** The keyword `enum`. */
export const enumKeyword: Keywords = {
  enum: (operand, _schema, compilation) => oneOfValues(listOperand(operand, compilation)),
};

/** The keyword `type`. */
export const typeKeyword: Keywords = { type };
