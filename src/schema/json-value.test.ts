import { describe, expect, test } from "vitest";
import { canonicalText, codePointLength, jsonEqual } from "./json-value.ts";

/** A list with `levels` others, each within the next. */
function nested(levels: number, inner: unknown = 1): unknown {
  let value = inner;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe("values that are the same", () => {
  test.each([
    [1, 1],
    [null, null],
    ["a", "a"],
    [[], []],
    [
      { a: 1, b: [{ c: null }] },
      { b: [{ c: null }], a: 1 },
    ],
  ])("%j and %j", (one, other) => {
    expect(jsonEqual(one, other)).toBe(true);
    expect(canonicalText(one)).toBe(canonicalText(other));
  });

  test.each([
    [1, "1"],
    [0, false],
    [null, {}],
    [{}, null],
    [[], {}],
    [{}, []],
    [[1], [1, 2]],
    [[1, 2], [1]],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ toString: 1 }, {}],
    [["a"], { 0: "a" }],
    [{ a: { b: [1] } }, { a: { b: [2] } }],
  ])("not %j and %j", (one, other) => {
    expect(jsonEqual(one, other)).toBe(false);
    expect(canonicalText(one)).not.toBe(canonicalText(other));
  });

  test("are own properties alone", () => {
    expect(jsonEqual({ toString: Object.prototype.toString }, { a: 1 })).toBe(false);
    expect(jsonEqual({ a: undefined }, { b: undefined })).toBe(false);
  });

  test("are compared for 500 levels", () => {
    expect(jsonEqual(nested(501), nested(501))).toBe(true);
    expect(jsonEqual(nested(502), nested(502))).toBe(false);
    const [one, other] = [{ a: {} }, { a: {} }];
    one.a = one;
    other.a = other;
    expect(jsonEqual(one, other)).toBe(false);
    expect(jsonEqual(one, one)).toBe(true);
  });
});

test("what is not JSON has no canonical text", () => {
  const own: unknown[] = [];
  own.push(own);
  expect([canonicalText(own), canonicalText(1n), canonicalText(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  ["", 0],
  ["abc", 3],
  ["é", 1],
  ["😀", 1],
  ["a😀b😀", 4],
  ["\ud83d", 1],
  ["\ude00\ud83d", 2],
  ["\ud83d\ud83d\ude00", 2],
  ["\ud83d\ude00\ude00", 2],
  ["\ud7ff\udc00", 2],
  ["\ud800\ue000", 2],
])("the characters of %j are %i", (text, length) => {
  expect(codePointLength(text)).toBe(length);
});
