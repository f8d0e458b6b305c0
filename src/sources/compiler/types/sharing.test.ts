import { expect, test } from "vitest";
import { compileSchema } from "../../../schema/compile-schema.ts";
import type { FunctionSchema } from "../../../schema/function-schema.ts";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("shared.ts");

function schemaOf(name: string): FunctionSchema {
  const description = described.get(name);
  if (description === undefined || description instanceof Error) throw new Error(`${name} has no schema`);
  return description;
}

const home = { street: "Main 1", city: "Rome", country: "IT", since: "2026-01-31T00:00:00Z" };

test("what is short, or said twice only, stands where it is used", () => {
  const { inputSchema, revive } = schemaOf("few");
  expect(inputSchema).not.toHaveProperty("$defs");
  expect(inputSchema["properties"]).toMatchObject({
    from: { properties: { city: { type: "string" } } },
    other: { properties: { x: { type: "number" } } },
  });
  expect(Object.keys(revive ?? {})).toEqual([
    "#/properties/from/properties/since",
    "#/properties/to/properties/since",
  ]);
});

test("puts a repeated type in $defs, also in lists, in records, with null and with a comment of its own", () => {
  const { inputSchema, revive } = schemaOf("many");
  expect(inputSchema).toMatchObject({
    properties: {
      from: { $ref: "#/$defs/Home" },
      to: { description: "Where it goes.", $ref: "#/$defs/Home" },
      back: { anyOf: [{ $ref: "#/$defs/Home" }, { type: "null" }] },
      over: { type: "array", items: { $ref: "#/$defs/Home" } },
      by: { type: "object", additionalProperties: { $ref: "#/$defs/Home" } },
      first: { $ref: "#/$defs/Carrier" },
      small: { type: "object", properties: { x: { type: "number" } } },
    },
    $defs: {
      Home: {
        type: "object",
        description: "Where people live.",
        required: ["street", "city", "country", "since"],
      },
      Carrier: {
        description: "How a parcel travels, and how fast.",
        anyOf: [{}, { properties: { home: { $ref: "#/$defs/Home" } } }],
      },
    },
  });
  expect(Object.keys(inputSchema["$defs"] ?? {})).toEqual(["Home", "Carrier"]);
  expect(revive).toEqual({ "#/$defs/Home/properties/since": "date" });
});

test("definitions take and refuse what the types do", () => {
  const { validate } = compileSchema(schemaOf("many").inputSchema);
  const ship = { kind: "ship", ship: "Ada", days: 3 };
  const values = {
    from: home,
    to: home,
    back: null,
    over: [home],
    by: { a: home },
    first: ship,
    last: { kind: "plane", flight: "X 1", home },
    spare: ship,
    small: { x: 1 },
    other: { x: 2 },
  };
  expect(validate(values)).toMatchObject({ ok: true });
  expect(validate({ ...values, back: home })).toMatchObject({ ok: true });
  expect(validate({ ...values, from: null })).toMatchObject({ ok: false });
  expect(validate({ ...values, over: [{ ...home, city: 1 }] })).toMatchObject({ ok: false });
  expect(validate({ ...values, last: { kind: "plane", flight: "X 1" } })).toMatchObject({ ok: false });
});

test("writes what a comment changes within a type at its place, and shares the rest", () => {
  const { inputSchema } = schemaOf("annotated");
  expect(inputSchema["properties"]).toMatchObject({
    from: { $ref: "#/$defs/Home" },
    to: { description: "The goal.", properties: { city: { description: "The city to go to." } } },
    over: { items: { $ref: "#/$defs/Home" } },
  });
});

test("recursive types are definitions among others", () => {
  const { inputSchema } = schemaOf("recursive");
  expect(inputSchema).toMatchObject({
    properties: { route: { $ref: "#/$defs/Route" }, from: { $ref: "#/$defs/Home" } },
    $defs: {
      Route: { properties: { next: { $ref: "#/$defs/Route" }, home: { $ref: "#/$defs/Home" } } },
      Home: { type: "object" },
    },
  });
});

test("output schemas share as well", () => {
  const { outputSchema } = schemaOf("returned");
  expect(outputSchema).toMatchObject({
    properties: { a: { $ref: "#/$defs/Home" }, e: { $ref: "#/$defs/Home" } },
    $defs: { Home: { type: "object" } },
  });
});
