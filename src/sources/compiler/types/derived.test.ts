import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("derived.ts");

/** The properties of a function's input in the fixture. */
function propertiesOf(name: string): unknown {
  const description = described.get(name);
  return description !== undefined && "inputSchema" in description
    ? description.inputSchema["properties"]
    : description;
}

const volume = { type: "number", description: "How loud." };

test("template literals are patterns, or the texts that they come to in declared order", () => {
  const number = "-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?";
  expect(propertiesOf("texts")).toEqual({
    id: { type: "string", pattern: `^user-${number}$` },
    either: {
      anyOf: [
        { type: "string", pattern: "^a-[\\s\\S]*$" },
        { type: "string", pattern: "^b-[\\s\\S]*$" },
      ],
    },
    both: { type: "string", enum: ["b1", "b2", "a1", "a2"] },
    shout: { type: "string", pattern: "^[^a-z]*$" },
    word: { type: "string", enum: ["YES", "NO"] },
  });
});

test("keys and members come in the order in which they were declared", () => {
  const flag = { type: "boolean" };
  expect(propertiesOf("keys")).toEqual({
    key: { type: "string", enum: ["volume", "theme", "muted"] },
    some: { type: "string", enum: ["theme", "muted"] },
    record: {
      type: "object",
      properties: { z: flag, a: flag },
      required: ["z", "a"],
      additionalProperties: false,
    },
    nullable: {
      type: "object",
      properties: {
        volume: { ...volume, type: ["number", "null"] },
        theme: { type: ["string", "null"], enum: ["light", "dark", null] },
        muted: { type: ["boolean", "null"] },
      },
      required: ["volume", "theme"],
      additionalProperties: false,
    },
    indexed: { type: "string", enum: ["light", "dark"] },
    state: { type: "string", enum: ["open", "closed"] },
  });
  const input = described.get("keys");
  expect(JSON.stringify(input)).toContain('"properties":{"z":{"type":"boolean"},"a":{"type":"boolean"}}');
});

test("index signatures say which keys there may be, and a tuple's end is taken anywhere, with a warning", () => {
  const digits = "^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?$";
  expect(propertiesOf("signatures")).toEqual({
    numbered: {
      type: "object",
      propertyNames: { pattern: digits },
      additionalProperties: { type: "string" },
    },
    prefixed: {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      patternProperties: { "^x-[\\s\\S]*$": { type: "number" } },
      additionalProperties: false,
    },
    ends: {
      type: "array",
      prefixItems: [{ type: "string" }],
      items: { anyOf: [{ type: "number" }, { type: "boolean" }] },
      minItems: 2,
    },
  });
  expect(described.get("signatures")).toHaveProperty("warnings", [
    expect.stringMatching(/^parameter "ends": the elements after a tuple's rest .*derived\.ts:50\)$/),
  ]);
});

test("a class without methods is data, this is the type itself, and object and {} are what they say", () => {
  const x = { type: "number", description: "To the right." };
  const point = { properties: { x, y: { type: "number" } }, required: ["x", "y"] };
  expect(propertiesOf("objects")).toEqual({
    point: { type: "object", ...point, additionalProperties: false },
    list: { $ref: "#/$defs/Linked" },
    plain: { type: "object" },
    empty: { type: ["string", "number", "boolean", "object", "array"] },
  });
});

test("a destructured parameter among others has the name that @param gives it", () => {
  expect(described.get("several")).toMatchObject({
    inputSchema: {
      properties: {
        id: { type: "string" },
        where: {
          type: "object",
          description: "In which place",
          properties: {
            city: { type: "string", description: "City name" },
            days: { type: "number", default: 3 },
          },
          required: ["city"],
          additionalProperties: false,
          default: { city: "Paris" },
        },
      },
      required: ["id"],
    },
    parameters: [
      { kind: "property", name: "id" },
      { kind: "property", name: "where" },
    ],
  });
  expect(propertiesOf("undocumented")).toHaveProperty("options.properties.city", { type: "string" });
});

test("a function with properties is a function", () => {
  expect(described.get("callable")).toMatchObject({
    data: { problems: [{ parameter: "call", message: "a function is not JSON" }] },
  });
});
