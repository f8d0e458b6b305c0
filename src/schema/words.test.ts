import { describe, expect, test } from "vitest";
import { alternatives, kindOf, preview } from "./words.ts";

describe("a preview", () => {
  test("is the value's JSON where it is short", () => {
    const value = { a: [1, "two", null, true], "b c": {} };
    expect(preview(value)).toBe(JSON.stringify(value));
    expect(preview("line\nbreak")).toBe(String.raw`"line\nbreak"`);
  });

  test("is cut where it is long, without writing the whole", () => {
    const large = { list: Array.from({ length: 1_000_000 }, () => "item") };
    expect(preview(large, 20)).toBe('{"list":["item","ite…');
    expect(preview("a".repeat(1_000_000), 5)).toBe('"aaaa…');
  });

  test("does not look into what there is no room for", () => {
    expect(preview([[[{}]]], 4)).toBe("[[…]…");
    expect(preview([[[{}]]], 8)).toBe("[[[{}]]]");
  });

  test("names what is not JSON, and ends for cycles", () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(preview([1n, undefined, Number.NaN])).toBe("[a bigint,nothing,NaN]");
    expect(preview(cyclic).length).toBeLessThan(100);
  });
});

test("alternatives read as a sentence, once each, and a long list is cut", () => {
  expect(alternatives([])).toBe("");
  expect(alternatives(["a"])).toBe("a");
  expect(alternatives(["a", "b", "a", "c"])).toBe("a, b or c");
  expect(alternatives(["a", "b", "c"], 3)).toBe("a, b or c");
  expect(alternatives(["a", "b", "c", "d"], 2)).toBe("a, b or one of 2 more");
});

test.each([
  [null, "null"],
  [undefined, "nothing"],
  [[], "an array"],
  [{}, "an object"],
  [1, "a number"],
  [Number.NaN, "NaN"],
  ["", "a string"],
])("the kind of %j is %s", (value, kind) => {
  expect(kindOf(value)).toBe(kind);
});
