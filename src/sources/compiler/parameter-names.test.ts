import { expect, test } from "vitest";
import type { ParameterPlan } from "../../schema/function-schema.ts";
import { findOtherNames } from "./parameter-names.ts";

const from: ParameterPlan = { kind: "property", name: "from" };
const to: ParameterPlan = { kind: "property", name: "to" };
const notes: ParameterPlan = { kind: "rest", name: "notes" };
const context: ParameterPlan = { kind: "context" };

test("names at other places are moved, names of their own are not", () => {
  expect(findOtherNames([from, to], ["to", "sender"])).toEqual([
    { name: "to", expected: "from", isMoved: true },
    { name: "sender", expected: "to", isMoved: false },
  ]);
});

test.each([
  ["the same names", ["from", "to"]],
  ["names of parameters that are not used", ["_from", "_"]],
  ["names to which esbuild has added a number", ["from2", "to3"]],
  ["fewer parameters", ["from"]],
  ["more parameters", ["from", "to", "speed"]],
  ["a rest, which is passed on", ["...args"]],
  ["an object that is taken apart", ["{to}", "to"]],
])("%s do not differ", (_title, names) => {
  expect(findOtherNames([from, to], names)).toEqual([]);
});

test("what takes the place of a rest, or takes it apart, is different", () => {
  expect(findOtherNames([notes], ["notes"])).toEqual([{ name: "notes", expected: "notes", isMoved: false }]);
  expect(findOtherNames([notes], ["...notes"])).toEqual([]);
  expect(findOtherNames([from, to], ["...[]"])).toEqual([{ name: "[]", expected: "from", isMoved: false }]);
});

test("the place of a context has no name", () => {
  expect(findOtherNames([context, to], ["caller", "to"])).toEqual([]);
});
