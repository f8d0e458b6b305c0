import { expect, test } from "vitest";
import { outlineInput } from "./input-outline.ts";
import type { JsonSchema } from "./types.ts";

const cases: readonly [string, JsonSchema, JsonSchema][] = [
  [
    "types, names, descriptions and defaults of two levels, without what limits values",
    {
      type: "object",
      properties: {
        city: { type: "string", description: "Which.", minLength: 1 },
        days: { type: "integer", default: 3 },
        trip: { type: "object", properties: { to: { type: "object", properties: { x: {} } } } },
      },
      required: ["city"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: {
        city: { type: "string", description: "Which." },
        days: { type: "number", default: 3 },
        trip: { type: "object", properties: { to: { type: "object" } } },
      },
      required: ["city"],
      additionalProperties: false,
    },
  ],
  [
    "what references name, with the description beside them",
    {
      properties: { a: { $ref: "#/$defs/A", description: "Here." }, b: { $ref: "#/$defs/Missing" } },
      $defs: { A: { type: "object", description: "Any.", properties: { next: { $ref: "#/$defs/A" } } } },
    },
    {
      properties: {
        a: {
          type: "object",
          description: "Here.",
          properties: { next: { type: "object", description: "Any." } },
        },
        b: {},
      },
    },
  ],
  [
    "the types of literals, and of alternatives",
    {
      properties: {
        unit: { enum: ["m", 1, null] },
        one: { const: [] },
        any: { anyOf: [{ type: "string" }, {}] },
        both: { anyOf: [{ type: "string" }, { type: "object", properties: { x: {} }, required: ["x"] }] },
      },
    },
    {
      properties: {
        unit: { type: ["string", "number", "null"] },
        one: { type: "array" },
        any: {},
        both: { type: ["string", "object"], properties: { x: {} }, required: ["x"] },
      },
    },
  ],
  [
    "the members of all alternatives, and what each of them requires",
    {
      anyOf: [
        { type: "object", properties: { kind: { const: "a" }, x: {} }, required: ["kind", "x"] },
        { type: "object", properties: { kind: { const: 1 } }, required: ["kind"] },
      ],
    },
    { type: "object", properties: { kind: { type: ["string", "number"] }, x: {} }, required: ["kind"] },
  ],
  [
    "no members where one of the alternatives may have any",
    {
      properties: {
        a: { anyOf: [{ type: "object", properties: { x: {} } }, { type: "object" }] },
        b: { anyOf: [{ type: "object" }, { type: "object", properties: { x: {} } }] },
      },
    },
    { properties: { a: { type: "object" }, b: { type: "object" } } },
  ],
  [
    "what parts say together",
    {
      type: "object",
      properties: { a: {} },
      allOf: [{ properties: { b: { type: "string" } }, required: ["b"] }],
    },
    { type: "object", properties: { a: {}, b: { type: "string" } }, required: ["b"] },
  ],
  [
    "no further members where one of the parts allows none",
    {
      type: "object",
      properties: { a: {} },
      allOf: [{ properties: { b: {} } }, { properties: {}, additionalProperties: false }],
    },
    { type: "object", properties: { a: {}, b: {} }, additionalProperties: false },
  ],
  [
    "nothing of members where no part names any",
    { type: "object", allOf: [{ additionalProperties: false }] },
    { type: "object" },
  ],
  [
    "no member of an object that may have others by pattern is the last",
    { type: "object", properties: {}, patternProperties: { "^x": {} }, additionalProperties: false },
    { type: "object", properties: {} },
  ],
];

test.each(cases)("an outline has %s", (_, schema, expected) => {
  expect(outlineInput(schema)).toEqual(expected);
  expect(outlineInput(outlineInput(schema))).toEqual(expected);
});

test("an outline says what a function gets instead of JSON, where nothing else can be there", () => {
  const schema = {
    properties: {
      when: { type: "string" },
      event: { $ref: "#/$defs/Event" },
      either: { anyOf: [{ type: "string" }, { type: "number" }] },
    },
    $defs: { Event: { type: "object", properties: { "a/b": { type: "string" } } } },
  };
  const outline = outlineInput(schema, {
    "#/properties/when": "date",
    "#/$defs/Event/properties/a~1b": "bigint",
    "#/properties/either/anyOf/0": "url",
  });
  const expected = {
    properties: {
      when: { type: "string", revived: "date" },
      event: { type: "object", properties: { "a/b": { type: "string", revived: "bigint" } } },
      either: { type: ["string", "number"] },
    },
  };
  expect(outline).toEqual(expected);
  expect(outlineInput(outline)).toEqual(expected);
});

test("an outline follows ten references, one after the other", () => {
  const chain = (links: number): JsonSchema => ({
    properties: { a: { $ref: "#/$defs/1" } },
    $defs: Object.fromEntries(
      Array.from({ length: links }, (_, index) => [
        index + 1,
        index + 1 === links ? { type: "string" } : { $ref: `#/$defs/${index + 2}` },
      ]),
    ),
  });
  expect(outlineInput(chain(10))).toEqual({ properties: { a: { type: "string" } } });
  expect(outlineInput(chain(11))).toEqual({ properties: { a: {} } });
});

test("the places of what a function gets are written as in a URI", () => {
  const schema = { properties: { "a%~/b": { type: "string" } } };
  expect(outlineInput(schema, { "#/properties/a%25~0~1b": "date" })).toEqual({
    properties: { "a%~/b": { type: "string", revived: "date" } },
  });
});

test("an outline of what no value can be has no type in its list", () => {
  expect(outlineInput({ allOf: [{ type: "string" }, { type: "number" }] })).toEqual({ type: [] });
});
