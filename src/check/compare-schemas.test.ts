import { describe, expect, test } from "vitest";
import { compareSchemas } from "./compare-schemas.ts";
import type { JsonSchema } from "../schema/types.ts";

const object = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const changes = (before: JsonSchema, after: JsonSchema): string[] =>
  compareSchemas(before, after).map(({ path, kind, message }) => `${kind}: ${path} ${message}`);

const text = { type: "string" };
const number = { type: "number" };

describe("of one value", () => {
  test.each<[string, JsonSchema, JsonSchema, string[]]>([
    ["the same in another order", { type: "string", minLength: 1 }, { minLength: 1, type: "string" }, []],
    ["another type", text, number, ["narrowed: x no longer takes string", "widened: x also takes number"]],
    ["one type more", text, { type: ["string", "null"] }, ["widened: x also takes null"]],
    ["one type less", { type: ["null", "string"] }, text, ["narrowed: x no longer takes null"]],
    [
      "integers where numbers were",
      number,
      { type: "integer" },
      ["narrowed: x no longer takes number", "widened: x also takes integer"].slice(0, 1),
    ],
    ["numbers where integers were", { type: "integer" }, number, ["widened: x also takes number"]],
    ["any type", text, {}, ["widened: x takes any type"]],
    ["a type where any was", {}, text, ["narrowed: x takes string only"]],
    ["one value less", { enum: ["a", "b"] }, { enum: ["a"] }, ['narrowed: x no longer takes "b"']],
    ["one value more", { const: "a" }, { enum: ["a", "b"] }, ['widened: x also takes "b"']],
    [
      "values in another order",
      { enum: ["a", "b"] },
      { enum: ["b", "a"] },
      ["wording: x lists its values in another order"],
    ],
    ["values where any text was", text, { type: "string", enum: ["a"] }, ['narrowed: x takes "a" only']],
    [
      "any text where values were",
      { type: "string", enum: ["a"] },
      text,
      ["widened: x takes other values, too"],
    ],
    [
      "a higher minimum",
      { ...number, minimum: 0 },
      { ...number, minimum: 1 },
      ["narrowed: x has minimum 1 where it had 0"],
    ],
    [
      "a lower minimum",
      { ...number, minimum: 1 },
      { ...number, minimum: 0 },
      ["widened: x has minimum 0 where it had 1"],
    ],
    [
      "a lower maximum",
      { ...text, maxLength: 9 },
      { ...text, maxLength: 5 },
      ["narrowed: x has maxLength 5 where it had 9"],
    ],
    ["a pattern", text, { ...text, pattern: "^a" }, ['narrowed: x has pattern "^a" where it had none']],
    [
      "no pattern any more",
      { ...text, pattern: "^a" },
      text,
      ['widened: x has pattern none where it had "^a"'],
    ],
    [
      "another pattern",
      { ...text, pattern: "^a" },
      { ...text, pattern: "a" },
      // Neither takes what the other one does.
      ['narrowed: x has pattern "a" where it had "^a"', 'widened: x has pattern "a" where it had "^a"'],
    ],
    [
      "another type than the values had",
      { enum: ["a", 1] },
      { type: "boolean" },
      [
        "narrowed: x no longer takes string",
        "narrowed: x no longer takes integer",
        "widened: x also takes boolean",
        "widened: x takes other values, too",
      ],
    ],
    [
      "a type for some of the values",
      { enum: ["a", null] },
      { type: "string", enum: ["a", null] },
      ["narrowed: x no longer takes null"],
    ],
    ["the type that the values have", { const: 1 }, { type: "integer", const: 1 }, []],
    [
      "any value of their type",
      { const: 1 },
      { type: "number" },
      ["widened: x also takes number", "widened: x takes other values, too"],
    ],
    ["another description", text, { ...text, description: "Where" }, ["wording: x has a description now"]],
    [
      "another default",
      { ...number, default: 1 },
      { ...number, default: 2 },
      ["wording: x has another default"],
    ],
    [
      "other elements",
      { type: "array", items: text },
      { type: "array", items: { type: ["string", "null"] } },
      ["widened: x[] also takes null"],
    ],
    [
      "one alternative less",
      { anyOf: [text, number] },
      { anyOf: [number] },
      ['narrowed: x no longer takes {"type":"string"}'],
    ],
    ["one alternative more", text, { anyOf: [text, number] }, ['widened: x also takes {"type":"number"}']],
    ["alternatives in another order", { anyOf: [text, number] }, { oneOf: [number, text] }, []],
    [
      "an alternative that changed",
      { anyOf: [number, object({ a: text })] },
      { anyOf: [number, object({ a: text }, ["a"])] },
      ["narrowed: x.a is required now"],
    ],
  ])("%s", (_, before, after, expected) => {
    expect(changes(object({ x: before }), object({ x: after }))).toEqual(expected);
  });
});

describe("of an object", () => {
  test.each<[string, JsonSchema, JsonSchema, string[]]>([
    ["a new property", object({}), object({ city: text }), ["added: city is new and optional"]],
    [
      "a new required one",
      object({}),
      object({ city: text }, ["city"]),
      ["narrowed: city is new and required"],
    ],
    ["one that is gone", object({ city: text }), object({}), ["removed: city was removed"]],
    [
      "one that became required",
      object({ city: text }),
      object({ city: text }, ["city"]),
      ["narrowed: city is required now"],
    ],
    [
      "one that became optional",
      object({ city: text }, ["city"]),
      object({ city: text }),
      ["widened: city is optional now"],
    ],
    [
      "what is within",
      object({ a: object({ b: text }) }),
      object({ a: object({ b: number }) }),
      ["narrowed: a.b no longer takes string", "widened: a.b also takes number"],
    ],
    [
      "other properties allowed",
      object({}),
      { type: "object", properties: {} },
      ["widened:  takes other properties, too"],
    ],
    [
      "other properties refused",
      { type: "object", properties: {} },
      object({}),
      ["narrowed:  no longer takes any other property"],
    ],
    [
      "the values of a record",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: {} },
      ["widened: * takes any type"],
    ],
    [
      "a property called __proto__",
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      { type: "object", properties: {} },
      ["removed: __proto__ was removed"],
    ],
  ])("%s", (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});

test("references are followed, and a type that contains itself is compared once", () => {
  const tree = (value: JsonSchema): JsonSchema => ({
    ...object({ root: { $ref: "#/$defs/Node" } }),
    $defs: { Node: object({ value, children: { type: "array", items: { $ref: "#/$defs/Node" } } }) },
  });
  expect(changes(tree(text), tree(text))).toEqual([]);
  expect(changes(tree(text), tree({ type: ["string", "null"] }))).toEqual([
    "widened: root.value also takes null",
  ]);
});

test("a definition that was inlined changes nothing", () => {
  const before = { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: text } };
  expect(changes(before, object({ a: text }))).toEqual([]);
});
