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
  const outcome = await parseArguments('{"a":{"x":"t"', compileSchema(schema));
  expect(outcome).toMatchObject({
    issues: [{ message: expect.stringContaining("more could follow there") }],
  });
});

test("a property that fits a pattern may follow where no other may", async () => {
  expect(await isRead(closed, '{"x":"t"')).toBe(true);
  expect(await isRead({ ...closed, patternProperties: { "^y": {} } }, '{"x":"t"')).toBe(false);
});

test("an object that is a part of a literal may become it", async () => {
  const whole = { properties: { a: { const: { p: "1", q: "2" } } }, additionalProperties: false };
  const text = '{"a":{"p":"1"';
  expect(await isRead({ anyOf: [only({ maxProperties: 1 })] }, text)).toBe(true);
  expect(await isRead({ anyOf: [whole, only({ maxProperties: 1 })] }, text)).toBe(false);
});

test("what is dropped need not be closed", async () => {
  expect(await isRead({ maxProperties: 0 }, '{"__proto__":{"x":"t"')).toBe(false);
  expect(await isRead({ maxProperties: 0, additionalProperties: {} }, '{"__proto__":{"x":"t"')).toBe(true);
});
