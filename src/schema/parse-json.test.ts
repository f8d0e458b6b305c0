import { expect, test } from "vitest";
import { isExact, parsePlain } from "./parse-json.ts";

test.each([
  ['{"a":1,"b":[{"c":"d:"}]}', { a: 1, b: [{ c: "d:" }] }],
  [' { "a" \t\r\n : 1 } ', { a: 1 }],
  ['[1,"x",null,true]', [1, "x", null, true]],
  ['"x"', "x"],
  ['{"a":-1.5e3}', { a: -1_500 }],
  ['{"a":0.001}', { a: 0.001 }],
])("%s is read as it was written", (text, value) => {
  expect(parsePlain(text)).toEqual({ value });
});

test.each([
  ["what is not JSON", "{a:1}"],
  ["a key that stands twice", '{"a":1,"a":2}'],
  ["a key that stands twice, within others", '[{"b":{"a":1,"a":1}}]'],
  ["a number that has lost digits", '{"a":9007199254740993}'],
  ["a number that is infinite", '{"a":1e999}'],
  ["a number that became 0", '{"a":1e-400}'],
  ["a number that became 0, with all its digits", `{"a":0.${"0".repeat(400)}1}`],
  ["a text that may have a key in it", String.raw`{"a":"\" : "}`],
])("%s is left to be looked at", (_, text) => {
  expect(parsePlain(text)).toBeUndefined();
});

test("keys __proto__ are dropped at every depth", () => {
  const { value } = parsePlain('{"__proto__":1,"a":[{"__proto__":{"b":1},"c":2}]}') ?? {};
  expect(JSON.stringify(value)).toBe('{"a":[{"c":2}]}');
});

test("512 levels are read", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect(parsePlain(nested(512))).toBeDefined();
  expect(parsePlain(nested(513))).toBeUndefined();
  const objects = (levels: number) => '{"a":'.repeat(levels) + "1" + "}".repeat(levels);
  expect(parsePlain(objects(512))).toBeDefined();
  expect(parsePlain(objects(513))).toBeUndefined();
});

test("a number is exact if it is finite, and its digits if it is whole", () => {
  for (const number of [0, -1, 1.5, 2 ** 53 - 1, 1e-300]) expect(isExact(number)).toBe(true);
  for (const number of [2 ** 53, -(2 ** 53), 1e300, Infinity, Number.NaN])
    expect(isExact(number)).toBe(false);
});
