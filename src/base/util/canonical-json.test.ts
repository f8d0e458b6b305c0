import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

test("the order of keys makes no difference, at any depth", () => {
  expect(canonicalJson({ b: { d: 1, c: [{ y: 1, x: 2 }] }, a: "" })).toBe(
    '{"a":"","b":{"c":[{"x":2,"y":1}],"d":1}}',
  );
  expect(canonicalJson({ 10: "a", b: 1, 9: "c" })).toBe(canonicalJson({ b: 1, 9: "c", 10: "a" }));
});

test("the order of items does", () => {
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test.each([
  [{ a: 1 }, { a: "1" }],
  [{ a: 1n }, { a: 1 }],
  [{ a: 1n }, { a: 2n }],
  [new Map([["a", 1]]), new Map([["a", 2]])],
  [new Set([1]), new Set([2])],
  [{ at: new Date(0) }, { at: new Date(1) }],
  [new URL("https://a.example"), new URL("https://b.example")],
  [Uint8Array.of(1), Uint8Array.of(2)],
  [Number.NaN, null],
  [{ ["__proto__"]: 1 }, {}],
  [JSON.parse('{"__proto__": 1, "a": 1}'), { a: 1 }],
  [{ a: "\ud800" }, { a: "\ud801" }],
])("%o and %o are told apart", (left, right) => {
  expect(canonicalJson(left)).not.toBe(canonicalJson(right));
});

test("what is undefined is not there", () => {
  expect(canonicalJson({ a: undefined, b: 1 })).toBe(canonicalJson({ b: 1 }));
  expect(canonicalJson(undefined)).toBe("null");
});

test("what it wrote is canonical when it is read again", () => {
  const text = canonicalJson({ z: 1n, a: new Map([["k", new Set([new Date(0)])]]), m: Infinity });
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});

test.each([[/a/], [() => 1], [Symbol("s")], [new WeakMap()]])("%o is refused", (value) => {
  expect(() => canonicalJson({ value })).toThrow(TypeError);
});
