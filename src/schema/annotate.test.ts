import { array, assert, jsonValue, nat, oneof, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { annotate } from "./annotate.ts";
import type { Issue } from "./types.ts";

const number = (...path: Issue["path"]): Issue => ({
  path,
  message: "expected a number, received a string",
  expected: "a number",
  received: "x",
});

function lines(value: unknown, issues: readonly Issue[], room = 4_000): readonly string[] {
  return annotate(value, issues, room).split("\n");
}

describe("a value with its wrong places marked", () => {
  test("each mark stands at its place; what is right is written on one line", () => {
    const value = { items: [{ price: 1 }, { price: "x", tags: ["a", "b"] }], unit: "EUR" };
    expect(lines(value, [number("items", 1, "price")])).toEqual([
      "{",
      '  "items": [',
      '    {"price":1},',
      "    {",
      '      "price": "x",  <-- expected a number',
      '      "tags": ["a","b"]',
      "    }",
      "  ],",
      '  "unit": "EUR"',
      "}",
    ]);
  });

  test("names a missing value at its place", () => {
    const missing: Issue = { path: ["to", "zip"], message: "is required", expected: "a string" };
    expect(lines({ to: { city: "Paris" } }, [missing])).toEqual([
      "{",
      '  "to": {',
      '    "city": "Paris"',
      '    "zip" is missing  <-- expected a string',
      "  }",
      "}",
    ]);
  });

  test("several mistakes at one place share its mark", () => {
    const few: Issue = { path: [], message: "expected at least 2 properties, received 1" };
    expect(lines({ a: "x" }, [number("a"), { path: ["a"], message: "is not a name" }, few])).toEqual([
      "{  <-- expected at least 2 properties, received 1",
      '  "a": "x"  <-- expected a number; is not a name',
      "}",
    ]);
  });

  test("a place within a value that has none is marked at that value", () => {
    expect(lines({ at: '{"x":"1"}' }, [number("at", "x")])).toEqual([
      "{",
      String.raw`  "at": "{\"x\":\"1\"}"  <-- expected a number`,
      "}",
    ]);
    expect(lines("text", [number("a", 0)])).toEqual(['"text"  <-- expected a number']);
  });

  test("keys called like members of every object are ordinary ones", () => {
    expect(lines({ constructor: "x" }, [number("constructor"), number("toString")])).toEqual([
      "{",
      '  "constructor": "x"  <-- expected a number',
      '  "toString" is missing  <-- expected a number',
      "}",
    ]);
  });
});

test("for any mistakes, the text is bounded and has every mark that fits", () => {
  const path = array(oneof(string(), nat({ max: 20 })), { maxLength: 4 });
  const wrong = array(
    path.map((at): Issue => ({ path: at, message: "is wrong" })),
    { maxLength: 8 },
  );
  const check = (value: unknown, issues: readonly Issue[], room: number): void => {
    expect(annotate(value, issues, room).length).toBeLessThanOrEqual(room + 2);
    const whole = annotate(value, issues.slice(0, 1), 1_000_000);
    expect(whole.split("<-- is wrong").length - 1).toBe(Math.min(issues.length, 1));
  };
  assert(property(jsonValue(), wrong, nat({ max: 2_000 }), check), { numRuns: 1_000 });
});

describe("a large value", () => {
  test("only the neighbours of wrong items are shown", () => {
    const items = Array.from({ length: 1_000 }, (_, index) => (index === 500 ? "x" : index));
    expect(lines(items, [number(500)])).toEqual([
      "[",
      "  … 499 more",
      "  499,",
      '  "x",  <-- expected a number',
      "  501,",
      "  … 498 more",
      "]",
    ]);
  });

  test("of eight members all are shown, of nine the neighbours, as far as there are any", () => {
    const items = (count: number, ...wrong: readonly number[]) =>
      lines(
        Array.from({ length: count }, (_, index) => index),
        wrong.map((index) => number(index)),
      ).slice(1, -1);
    expect(items(8, 0)).toHaveLength(8);
    expect(items(9, 0)).toEqual(["  0,  <-- expected a number", "  1,", "  … 7 more"]);
    expect(items(9, 8)).toEqual(["  … 7 more", "  7,", "  8  <-- expected a number"]);
    expect(items(9, 2, 4)).toEqual([
      "  … 1 more",
      "  1,",
      "  2,  <-- expected a number",
      "  3,",
      "  4,  <-- expected a number",
      "  5,",
      "  … 3 more",
    ]);
  });

  test("a mark has 160 characters at most, and there are three at most in a line", () => {
    const marked = (...messages: readonly string[]) =>
      annotate(
        7,
        messages.map((message) => ({ path: [], message })),
        4_000,
      );
    expect(marked("m".repeat(160))).toBe(`7  <-- ${"m".repeat(160)}`);
    expect(marked("m".repeat(161))).toBe(`7  <-- ${"m".repeat(160)}…`);
    expect(marked("a", "b", "c", "d")).toBe("7  <-- a; b; c");
  });

  test("a line is shown that fits with the line break behind it", () => {
    expect(annotate(1234, [], 5)).toBe("1234");
    expect(annotate(1234, [], 4)).toBe("…");
    expect(annotate([1], [number(0)], "[\n  1  <-- expected a number\n]\n".length)).toMatch(/\n\]$/);
  });

  test("long values are cut", () => {
    const value = { text: "a".repeat(10_000), count: "b".repeat(10_000) };
    for (const line of lines(value, [number("count")])) expect(line.length).toBeLessThan(140);
  });

  test("the whole is no longer than it may be", () => {
    const items = Array.from({ length: 1_000 }, () => ({ price: "x".repeat(100) }));
    const issues = items.map((_, index) => number(index, "price"));
    const text = annotate(items, issues, 500);
    expect(text.length).toBeLessThan(510);
    expect(text).toMatch(/\n…$/);
  });

  test("neither long keys nor long marks nor deep nesting make it longer", () => {
    const path = Array.from({ length: 500 }, () => "k".repeat(100));
    let value: unknown = "x";
    for (const key of path) value = { [key]: value };
    const issue: Issue = { path, message: "m".repeat(10_000) };
    expect(annotate(value, [issue], 1_000).length).toBeLessThan(1_010);
  });
});
