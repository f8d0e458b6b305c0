import { expect, test } from "vitest";
import { changesOf } from "./context-changes.ts";

class Handle {
  readonly id = 1;
}

test("what is new, and what is not the same, is changed; what is gone is not", () => {
  const outer = { a: 1, b: [1, { c: 2 }], d: { e: 3 }, gone: 1, nan: Number.NaN };
  expect(changesOf({ ...outer, gone: undefined, a: 2, more: null }, outer)).toEqual({
    a: 2,
    gone: undefined,
    more: null,
  });
  expect(changesOf({ a: 1, b: [1, { c: 2 }], d: { e: 3 }, nan: Number.NaN }, outer)).toEqual({});
  expect(changesOf({ b: [1, { c: 3 }], d: { e: "3" } }, outer)).toEqual({ b: [1, { c: 3 }], d: { e: "3" } });
});

test("of other classes each instance is another value", () => {
  const handle = new Handle();
  expect(changesOf({ handle }, { handle })).toEqual({});
  const other = new Handle();
  expect(changesOf({ handle: other }, { handle })["handle"]).toBe(other);
  expect(changesOf({ handle: { id: 1 } }, { handle })).toEqual({});
});

test("what cannot be written is changed unless it is the same object", () => {
  const own = { big: 1n };
  expect(changesOf({ own }, { own })).toEqual({});
  expect(changesOf({ own: { big: 1n } }, { own })).toEqual({ own: { big: 1n } });
});

test("a context that is not a plain object has no changes, and takes all where the outer one is none", () => {
  expect(changesOf(new Handle(), {})).toEqual({});
  expect(changesOf({ a: 1 }, undefined)).toEqual({ a: 1 });
  expect(Object.keys(changesOf(JSON.parse('{"__proto__":1,"toString":2}'), {}))).toEqual([
    "__proto__",
    "toString",
  ]);
});
