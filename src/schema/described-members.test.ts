import { describe, expect, test } from "vitest";
import { provideMatcher } from "./patterns/pattern.ts";
import { matchLinear } from "./patterns/match-linear.ts";
import { anything, describeMembers, stateDefault } from "./described-members.ts";
import type { JsonSchema } from "./types.ts";

provideMatcher(matchLinear);

const members = (schema: JsonSchema) => describeMembers([schema], schema);
const text = { type: "string" };
const number = { type: "number" };

describe("the properties of a value", () => {
  test("are those of all schemas that hold for it, in their order", () => {
    const { names, property } = members({
      properties: { a: text },
      required: ["b", "a"],
      allOf: [{ properties: { c: text, a: number } }],
      if: { properties: { d: text } },
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
      then: { properties: { e: text } },
      else: { properties: { f: text } },
      dependentSchemas: { a: { properties: { g: text } } },
      anyOf: [{ properties: { h: text } }],
      oneOf: [{ properties: { i: text } }],
      $ref: "#/$defs/more",
      $defs: { more: { properties: { j: text } } },
    });
    expect([...names].toSorted((one, other) => (one < other ? -1 : 1)).join("")).toBe("abcdefghij");
    expect(names.slice(0, 2)).toEqual(["a", "b"]);
    expect(property("a")).toEqual([text, number]);
    expect(property("b")).toEqual([true]);
    expect(property("x")).toBeUndefined();
  });

  test("without a name are those that a pattern or the rest describes", () => {
    const schema = {
      properties: { a: text, "x-a": text },
      patternProperties: { "^x-": number },
      additionalProperties: { type: "null" },
    };
    const { property } = members(schema);
    expect(property("a")).toEqual([text]);
    expect(property("x-a")).toEqual([text, number]);
    expect(property("x-b")).toEqual([number]);
    expect(property("b")).toEqual([{ type: "null" }]);
    expect(members({ properties: {}, unevaluatedProperties: number }).property("b")).toEqual([number]);
    expect(members({ additionalProperties: false }).property("b")).toBeUndefined();
  });

  test.each([
    [{}, true],
    [{ type: "object" }, true],
    [{ type: ["null", "object"] }, true],
    [{ type: "string" }, false],
    [{ enum: ["a", {}] }, true],
    [{ enum: ["a"] }, false],
    [{ const: {} }, true],
    [{ const: "a" }, false],
    [{ anyOf: [text, {}] }, true],
    [{ anyOf: [text, number] }, false],
    [{ anyOf: [text, { properties: { a: text } }] }, false],
    [{ properties: { a: text }, anyOf: [{}] }, false],
  ])("of %j may be any: %s", (schema, isOpen) => {
    expect(members(schema).property("x")).toBe(isOpen ? anything : undefined);
  });

  test("are found in a schema that refers to itself", () => {
    const schema = { properties: { a: text }, anyOf: [{ $ref: "#" }, { properties: { b: text } }] };
    expect(members(schema).names).toEqual(["a", "b"]);
    expect(stateDefault([schema], schema)).toBe(false);
  });

  test("are the same list for the same name", () => {
    const { property } = members({ properties: { a: text } });
    expect(property("a")).toBe(property("a"));
  });
});

describe("the items of a list", () => {
  test("are those at its place, or the rest", () => {
    const { item } = members({ prefixItems: [text, number], items: { type: "null" } });
    expect([0, 1, 2, 9].map((index) => item(index))).toEqual([
      [text],
      [number],
      [{ type: "null" }],
      [{ type: "null" }],
    ]);
    const older = members({ items: [text], additionalItems: number });
    expect([older.item(0), older.item(1)]).toEqual([[text], [number]]);
    expect(members({ prefixItems: [text] }).item(1)).toBe(anything);
  });

  test("are the same list for all places that are alike", () => {
    const { item } = members({ prefixItems: [text], items: number });
    expect(item(0)).toBe(item(0));
    expect(item(1)).toBe(item(5));
  });

  test("are those of all schemas that hold for it", () => {
    const { item } = members({ allOf: [{ prefixItems: [text] }, { items: number }] });
    expect([item(0), item(1)]).toEqual([[text, number], [number]]);
  });
});

test("a default is stated where any schema that holds has one, which is not null", () => {
  const states = (schema: JsonSchema) => stateDefault([schema], schema);
  expect(states({ default: 0 })).toBe(true);
  expect(states({ default: null })).toBe(false);
  expect(states({ anyOf: [text, { default: "a" }] })).toBe(true);
  expect(states({ $ref: "#/$defs/a", $defs: { a: { allOf: [{ default: false }] } } })).toBe(true);
  expect(states({ properties: { a: { default: 1 } } })).toBe(false);
  expect(stateDefault([text, { default: 1 }], {})).toBe(true);
});
