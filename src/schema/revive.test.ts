import { expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import type { RevivedType } from "./function-schema.ts";
import { parseArguments } from "./parse-arguments.ts";
import { revived } from "./revive.ts";
import type { JsonSchema } from "./types.ts";

const date = { type: "string", format: "date-time" };
const digits = { type: "string", pattern: "^-?(?:0|[1-9]\\d*)$" };

function validate(
  jsonSchema: JsonSchema,
  places: Readonly<Record<string, RevivedType>>,
  value: unknown,
): unknown {
  const validation = revived(compileSchema(jsonSchema), places).validate(value);
  return validation.ok ? validation.value : validation.issues;
}

test("each type is made of its text, arrays and objects", () => {
  const properties = {
    when: date,
    count: digits,
    link: { type: "string", format: "uri" },
    data: { type: "string", contentEncoding: "base64" },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    prices: { type: "object", additionalProperties: { type: "number" } },
    pairs: { type: "array", items: { type: "array", prefixItems: [{ type: "number" }, date], items: false } },
    plain: { type: "string" },
  };
  const places = {
    "#/properties/when": "date",
    "#/properties/count": "bigint",
    "#/properties/link": "url",
    "#/properties/data": "base64",
    "#/properties/tags": "set",
    "#/properties/prices": "map",
    "#/properties/pairs": "map",
    "#/properties/pairs/items/prefixItems/1": "date",
  } as const;
  const value = {
    when: "2026-01-31T09:30:00+01:00",
    count: "-12345678901234567890",
    link: "https://example.com/a?b",
    data: "aGk=",
    tags: ["a", "b"],
    prices: { one: 1, __proto__: null },
    pairs: [[1, "2026-01-31T00:00:00Z"]],
    plain: "2026-01-31T09:30:00Z",
  };
  const before = structuredClone(value);
  expect(validate({ type: "object", properties }, places, value)).toEqual({
    when: new Date("2026-01-31T08:30:00Z"),
    count: -12345678901234567890n,
    link: new URL("https://example.com/a?b"),
    data: new Uint8Array([104, 105]),
    tags: new Set(["a", "b"]),
    prices: new Map([["one", 1]]),
    pairs: new Map([[1, new Date("2026-01-31T00:00:00Z")]]),
    plain: "2026-01-31T09:30:00Z",
  });
  expect(value).toEqual(before);
});

test("types are found through references, records, patterns and keys of maps", () => {
  const event = {
    type: "object",
    properties: { at: date, next: { $ref: "#/$defs/Event" } },
    required: ["at"],
  };
  const schema = {
    type: "object",
    properties: {
      "a/b%~": { $ref: "#/$defs/Event" },
      days: { type: "object", propertyNames: date, additionalProperties: { type: "array", items: digits } },
      open: { type: "object", patternProperties: { "^d-": date }, additionalProperties: digits },
    },
    $defs: { Event: event },
  };
  const places = {
    "#/$defs/Event/properties/at": "date",
    "#/properties/days": "map",
    "#/properties/days/propertyNames": "date",
    "#/properties/days/additionalProperties/items": "bigint",
    "#/properties/open/patternProperties/^d-": "date",
    "#/properties/open/additionalProperties": "bigint",
    "#/properties/gone": "date",
  } as const;
  const day = "2026-01-31T00:00:00.000Z";
  const value = {
    "a/b%~": { at: day, next: { at: day } },
    days: { [day]: ["1"] },
    open: { "d-1": day, other: "7" },
  };
  expect(validate(schema, places, value)).toEqual({
    "a/b%~": { at: new Date(day), next: { at: new Date(day) } },
    days: new Map([[new Date(day), [1n]]]),
    open: { "d-1": new Date(day), other: 7n },
  });
});

test("of a union, the first branch counts that takes the value and can make it", () => {
  const anyOf = [date, { type: "object", properties: { at: date }, required: ["at"] }, { type: "string" }];
  const schema = { type: "object", properties: { value: { anyOf }, maybe: { type: ["string", "null"] } } };
  const places = {
    "#/properties/value/anyOf/0": "date",
    "#/properties/value/anyOf/1/properties/at": "date",
    "#/properties/maybe": "date",
  } as const;
  const of = (value: unknown): unknown => validate(schema, places, { value, maybe: null });
  const day = "2026-01-31T00:00:00Z";
  expect(of(day)).toEqual({ value: new Date(day), maybe: null });
  expect(of({ at: day })).toEqual({ value: { at: new Date(day) }, maybe: null });
  expect(of("soon")).toEqual({ value: "soon", maybe: null });
  expect(of("2016-12-31T23:59:60Z")).toEqual({ value: "2016-12-31T23:59:60Z", maybe: null });
});

test("a value that fits the schema but not the type is an issue at its place", () => {
  const schema = {
    type: "object",
    properties: {
      list: { type: "array", items: date },
      link: { type: "string", format: "uri" },
      data: { type: "string", contentEncoding: "base64" },
    },
  };
  const places = {
    "#/properties/list/items": "date",
    "#/properties/link": "url",
    "#/properties/data": "base64",
  } as const;
  const value = { list: ["2016-12-31T23:59:60Z"], link: "http://example.com:99999", data: "a" };
  expect(validate(schema, places, value)).toMatchObject([
    { path: ["list", 0], message: "is not a valid date value", received: "2016-12-31T23:59:60Z" },
    { path: ["link"], message: "is not a valid url value" },
    { path: ["data"], message: "is not a valid base64 value" },
  ]);
});

test("a number for a bigint is mended before, and an invalid value stays an issue of the schema", async () => {
  const schema = compileSchema({ type: "object", properties: { count: digits }, required: ["count"] });
  const counted = revived(schema, { "#/properties/count": "bigint" });
  expect(await parseArguments('{"count":5}', counted)).toEqual({ ok: true, value: { count: 5n } });
  expect(await parseArguments('{"count":"five"}', counted)).toMatchObject({
    ok: false,
    issues: [{ path: ["count"] }],
  });
});

test("a map whose pairs have one key twice is an issue", async () => {
  const pairs = {
    type: "array",
    items: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }] },
  };
  const schema = compileSchema({ type: "object", properties: { pairs } });
  const map = revived(schema, { "#/properties/pairs": "map" });
  for (const text of ['{"pairs":[[7,1],[8,2],[7,3]]}', '{"pairs":[[7,1],[8,2],["7",1]]}']) {
    expect(await parseArguments(text, map)).toMatchObject({
      ok: false,
      issues: [{ path: ["pairs", 2], message: "has a key that another pair has. Write each key once" }],
    });
  }
});

test("a union that cannot make a value by one branch makes it by the next", () => {
  const anyOf = [date, { type: "string" }];
  const leap = "2016-12-31T23:59:60Z";
  expect(validate({ anyOf }, { "#/anyOf/0": "date" }, leap)).toBe(leap);
  expect(validate({ anyOf: [date] }, { "#/anyOf/0": "date" }, leap)).toMatchObject([
    { path: [], message: "is not a valid date value" },
  ]);
});

test("a set may have pairs that begin with the same", () => {
  const pairs = [
    ["a", 1],
    ["a", 2],
  ];
  expect(validate({ type: "array" }, { "#": "set" }, pairs)).toEqual(new Set(pairs));
});
