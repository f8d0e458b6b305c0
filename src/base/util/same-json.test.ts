import { expect, test } from "vitest";
import { sameJson } from "./same-json.ts";

const own = (text: string): unknown => JSON.parse(text);

test.each<[unknown, unknown]>([
  [1, 1],
  [null, null],
  ["a", "a"],
  [
    [1, [2]],
    [1, [2]],
  ],
  [
    { a: 1, b: { c: [] } },
    { b: { c: [] }, a: 1 },
  ],
  [{ a: 1, b: undefined }, { a: 1 }],
  [own('{"__proto__":{"a":1}}'), own('{"__proto__":{"a":1}}')],
])("%j is the same as %j", (left, right) => {
  expect(sameJson(left, right)).toBe(true);
  expect(sameJson(right, left)).toBe(true);
});

test.each<[unknown, unknown]>([
  [1, "1"],
  [null, undefined],
  [null, {}],
  [[], {}],
  [[1], [1, 2]],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: { b: 1 } }, { a: { b: 2 } }],
  [{ toString: Object.prototype.toString }, {}],
  [own('{"__proto__":{"a":1}}'), {}],
  [new Date(0), new Date(0)],
  [new Map(), new Map()],
])("%j is not the same as %j", (left, right) => {
  expect(sameJson(left, right)).toBe(false);
  expect(sameJson(right, left)).toBe(false);
});
