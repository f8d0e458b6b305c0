import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("revived.ts");

/** The properties of a function's input in the fixture, the definitions beside them, and what is revived. */
function partsOf(name: string): unknown {
  const description = described.get(name);
  if (description === undefined || !("inputSchema" in description)) return description;
  const { inputSchema, revive } = description;
  return { properties: inputSchema["properties"], $defs: inputSchema["$defs"], revive };
}

const date = { type: "string", format: "date-time" };
const digits = "^-?(?:0|[1-9]\\d*)$";

test("types that JSON lacks are texts, and the schema's places say of what type", () => {
  expect(partsOf("values")).toEqual({
    properties: {
      when: date,
      count: { type: "string", pattern: digits },
      link: { type: "string", format: "uri" },
      data: { type: "string", contentEncoding: "base64" },
      one: { type: "string", const: "1" },
      some: { type: ["string", "null"], enum: ["1", "2", null] },
    },
    revive: {
      "#/properties/when": "date",
      "#/properties/count": "bigint",
      "#/properties/link": "url",
      "#/properties/data": "base64",
      "#/properties/one": "bigint",
      "#/properties/some": "bigint",
    },
  });
});

test("sets are arrays of different items, maps are objects or arrays of pairs", () => {
  const pair = {
    type: "array",
    prefixItems: [{ type: "number" }, date],
    items: false,
    minItems: 2,
    maxItems: 2,
  };
  expect(partsOf("collections")).toEqual({
    properties: {
      tags: { type: "array", items: { type: "string", enum: ["z", "a"] }, uniqueItems: true },
      days: { type: "array", items: date, uniqueItems: true },
      prices: { type: "object", additionalProperties: { type: "number" } },
      perDay: {
        type: "object",
        propertyNames: date,
        additionalProperties: { type: "string", pattern: digits },
      },
      pairs: { type: "array", items: pair },
    },
    revive: {
      "#/properties/tags": "set",
      "#/properties/days": "set",
      "#/properties/days/items": "date",
      "#/properties/prices": "map",
      "#/properties/perDay": "map",
      "#/properties/perDay/propertyNames": "date",
      "#/properties/perDay/additionalProperties": "bigint",
      "#/properties/pairs": "map",
      "#/properties/pairs/items/prefixItems/1": "date",
    },
  });
});

test("they are revived wherever they stand; a text that may be a date comes after the date", () => {
  const at = { type: "string", description: "Its beginning.", format: "date-time" };
  const closed = { required: ["at"], additionalProperties: false };
  expect(partsOf("nested")).toEqual({
    properties: {
      event: { $ref: "#/$defs/Event" },
      list: { type: "array", items: date },
      pair: {
        type: "array",
        prefixItems: [date, { type: "string" }],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
      record: { type: "object", additionalProperties: date },
      either: { anyOf: [date, { type: "string" }, { type: "object", properties: { at: date }, ...closed }] },
      maybe: { type: ["string", "null"], format: "date-time" },
    },
    $defs: { Event: { type: "object", properties: { at, next: { $ref: "#/$defs/Event" } }, ...closed } },
    revive: {
      "#/properties/list/items": "date",
      "#/properties/pair/prefixItems/0": "date",
      "#/properties/record/additionalProperties": "date",
      "#/properties/either/anyOf/0": "date",
      "#/properties/either/anyOf/2/properties/at": "date",
      "#/properties/maybe": "date",
      "#/$defs/Event/properties/at": "date",
    },
  });
});

test("writes defaults as JSON where they are the same at every call", () => {
  expect(partsOf("given")).toMatchObject({
    properties: {
      when: { ...date, default: "2026-01-31T00:00:00.000Z" },
      later: date,
      count: { type: "string", pattern: digits, default: "-10" },
      tags: { type: "array", default: ["a"] },
      prices: { type: "object", default: { one: 1 } },
      link: { type: "string", format: "uri", default: "https://example.com/a" },
    },
  });
  expect(described.get("given")).toHaveProperty("inputSchema.properties.later", date);
});

test("a rest of dates is revived item by item", () => {
  expect(described.get("rest")).toEqual({
    name: "rest",
    inputSchema: {
      type: "object",
      properties: { days: { type: "array", items: date } },
      additionalProperties: false,
    },
    parameters: [{ kind: "rest", name: "days" }],
    revive: { "#/properties/days/items": "date" },
  });
});

test("a class of the library stays what it is where a package declares it again", async () => {
  const { inputSchema, revive } = Object(await describeFixture("reopened.ts")).get("openLink");
  expect(inputSchema.properties).toEqual({ link: { type: "string", format: "uri" } });
  expect(revive).toEqual({ "#/properties/link": "url" });
});
