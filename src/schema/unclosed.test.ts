import { expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { JsonSchema } from "./types.ts";

const closed = { type: "object", properties: { x: {} }, additionalProperties: false };
const only = (a: JsonSchema): JsonSchema => ({ properties: { a }, additionalProperties: false });

async function isRead(schema: JsonSchema, text: string): Promise<boolean> {
  return (await parseArguments(text, compileSchema(schema))).ok;
}

test("nothing can follow the last property that there may be", async () => {
  expect(await isRead(only({ maxProperties: 1 }), '{"a":{"b":"x"')).toBe(true);
  expect(await isRead(only({ maxProperties: 2 }), '{"a":{"b":"x"')).toBe(false);
});

test("nothing can follow the last item of a tuple", async () => {
  const tuple = only({ prefixItems: [{}, {}], items: false });
  expect(await isRead(tuple, '{"a":["x","y"')).toBe(true);
  expect(await isRead(tuple, '{"a":["x"')).toBe(false);
});

test("the item behind a tuple is one of the other items", async () => {
  const list = only({ prefixItems: [{}], items: closed, maxItems: 2 });
  expect(await isRead(list, '{"a":["s",{"x":"t"')).toBe(true);
  expect(await isRead(list, '{"a":[{"x":"t"},{')).toBe(false);
});

test("a property whose name may fit a pattern has no schema for sure", async () => {
  const others = { maxProperties: 1, additionalProperties: closed };
  expect(await isRead(others, '{"a":{"x":"t"')).toBe(true);
  expect(await isRead({ ...others, patternProperties: { "^a": {} } }, '{"a":{"x":"t"')).toBe(false);
});

test("nothing is closed by a property that every object has", async () => {
  expect(await isRead({ properties: {}, maxProperties: 1 }, '{"toString":{"x":"t"')).toBe(false);
});

test("alternatives that refer to themselves close nothing, and end", async () => {
  const schema = { anyOf: [{ $ref: "#/$defs/r" }], $defs: { r: { $ref: "#/$defs/r" } } };
  expect(await isRead(schema, '{"a":{"x":"t"')).toBe(false);
});
