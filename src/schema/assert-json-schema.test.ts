import { expect, test } from "vitest";
import { ConfigurationError, tool } from "../index.ts";
import { assertObjectSchema, assertShallowSchema } from "./assert-json-schema.ts";

const place = "the input of the tool getWeather";

test.each([
  [{ type: "object" }],
  [{ type: ["object", "null"] }],
  [{ properties: { city: {} } }],
  [{ $ref: "#/$defs/input", $defs: { input: { type: "object" } } }],
  [{ anyOf: [{ type: "object" }] }],
  [{}],
  [{ $schema: "https://json-schema.org/draft/2020-12/schema" }],
])("%j may describe a tool's arguments", (schema) => {
  expect(() => assertObjectSchema(schema, place)).not.toThrow();
});

test.each([
  [5, "is a number, no object"],
  ["object", "is a string, no object"],
  [null, "is null, no object"],
  [undefined, "is nothing, no object"],
  [[], "is an array, no object"],
  [{ type: "string" }, 'has the type "string"'],
  [{ type: ["array", "null"] }, 'has the type ["array","null"]'],
  [{ city: { type: "string" } }, 'says neither "type" nor "properties", only ["city"]'],
  [{ type: { type: "string" } }, 'says neither "type" nor "properties", only ["type"]'],
])("%j cannot, and the error says why and how to write one", (schema, problem) => {
  expect(() => assertObjectSchema(schema, place)).toThrow(ConfigurationError);
  expect(() => assertObjectSchema(schema, place)).toThrow(
    `The JSON Schema of ${place} ${problem}. A tool takes`,
  );
});

test("an argument named __proto__ is refused where the tool is defined, since no call can have it", () => {
  const define = (schema: string): unknown =>
    tool({ name: "typed", input: JSON.parse(schema), execute: () => "" });
  for (const schema of [
    '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
    '{"type":"object","required":["__proto__"]}',
  ])
    expect(() => define(schema)).toThrow(
      'The JSON Schema of the input of the tool typed has an argument named "__proto__", which is dropped from every call. Rename it.',
    );
  expect(() => define('{"type":"object","properties":{"constructor":{"type":"string"}}}')).not.toThrow();
});

/** A schema with `levels` others one within another. */
function nested(levels: number): object {
  let schema: object = {};
  for (let level = 0; level < levels; level++) schema = level % 2 === 0 ? { not: schema } : { items: schema };
  return schema;
}

test("a schema is nested 300 levels at most, and does not contain itself", () => {
  expect(() => assertShallowSchema(nested(300), place)).not.toThrow();
  expect(() => assertShallowSchema(nested(301), place)).toThrow(
    `The JSON Schema of ${place} is nested deeper than 300 levels. Write what repeats once, in $defs.`,
  );
  const own = { not: {} };
  own.not = [own];
  expect(() => assertShallowSchema(own, place)).toThrow("nested deeper");
});

test("a schema is looked at once, unless it was refused", () => {
  let reads = 0;
  const counting = (inner: object): object =>
    Object.defineProperty({}, "not", { enumerable: true, get: () => (reads++, inner) });
  const schema = counting({});
  for (let times = 0; times < 3; times++) assertShallowSchema(schema, place);
  expect(reads).toBe(1);
  const deep = counting(nested(300));
  for (let times = 0; times < 2; times++) expect(() => assertShallowSchema(deep, place)).toThrow("deeper");
  expect(reads).toBe(3);
});

test("a reference with a title may lead to objects", () => {
  const schema = { $ref: "#/$defs/a", title: "A", $defs: { a: { type: "object" } } };
  expect(() => assertObjectSchema(schema, "the input of the tool a")).not.toThrow();
});
