import { expect, test } from "vitest";
import { copyJson } from "./copy-json.ts";
import { toJson } from "./to-json.ts";

test("what JSON has no form for is written as a reader would expect", () => {
  const { value, notes } = toJson({
    when: new Date("2026-01-31T09:30:00Z"),
    link: new URL("https://example.com/a"),
    big: 12345678901234567890n,
    bytes: new Uint8Array([0, 1, 254, 255]),
    buffer: new Uint8Array([104, 105]).buffer,
    set: new Set(["a", 1n]),
    map: new Map([
      ["one", 1],
      ["two", 2],
    ]),
    dates: new Map([[new Date(0), "epoch"]]),
    numbers: new Map([
      [1, "one"],
      [2, "two"],
    ]),
    error: new RangeError("too far", { cause: "the map" }),
    gone: undefined,
    list: [undefined, null],
  });
  expect(value).toEqual({
    when: "2026-01-31T09:30:00.000Z",
    link: "https://example.com/a",
    big: "12345678901234567890",
    bytes: "AAH+/w==",
    buffer: "aGk=",
    set: ["a", "1"],
    map: { one: 1, two: 2 },
    dates: { "1970-01-01T00:00:00.000Z": "epoch" },
    numbers: [
      [1, "one"],
      [2, "two"],
    ],
    error: { name: "RangeError", message: "too far", cause: "the map" },
    list: [null, null],
  });
  expect(notes).toEqual([]);
});

test("what is lost is noted, and a value that refers to itself has an end", () => {
  const cyclic: Record<string, unknown> = { nothing: Number.NaN };
  cyclic["self"] = cyclic;
  cyclic["map"] = new Map([["back", cyclic]]);
  const { value, notes } = toJson(cyclic);
  expect(value).toEqual({ nothing: "NaN", self: "[circular]", map: { back: "[circular]" } });
  expect(notes).toHaveLength(3);
});

test("a map whose keys are alike as text is an array of pairs", () => {
  const { value } = toJson(
    new Map<unknown, number>([
      ["1", 1],
      [1n, 2],
    ]),
  );
  expect(value).toEqual([
    ["1", 1],
    ["1", 2],
  ]);
});

test("a key called __proto__ is a key like any other", () => {
  expect(JSON.stringify(toJson(new Map([["__proto__", 1]])).value)).toBe('{"__proto__":1}');
});

test.each([
  [
    "a property of a list",
    { list: Object.assign([1], { next: "x", none: undefined }) },
    { list: [1] },
    "$.list is a list with properties, which are left out: next",
  ],
  [
    "a key that is a symbol",
    { [Symbol("k")]: 1, a: 2 },
    { a: 2 },
    "$ has symbols as keys, which are left out: Symbol(k)",
  ],
  [
    "a symbol as the key of a list",
    Object.assign([1], { [Symbol("k")]: 1 }),
    [1],
    "$ is a list with properties, which are left out: Symbol(k)",
  ],
  [
    "a field of an error",
    { e: Object.assign(new Error("m"), { code: "C", secret: "s", cause: 1 }) },
    { e: { name: "Error", message: "m", cause: 1 } },
    "$.e is an error with properties besides its message, which are left out: code, secret",
  ],
  [
    "an iterator beside properties",
    {
      total: 1,
      *[Symbol.iterator](): Generator<number> {
        yield 1;
      },
    },
    { total: 1 },
    "$ has symbols as keys, which are left out: Symbol(Symbol.iterator)",
  ],
])("%s is left out with a note", (_, value, json, note) => {
  expect(toJson(value)).toEqual({ value: json, notes: [note], opaque: [], isCut: false });
  expect(copyJson(value)).toBeUndefined();
});

test("a note names some of many properties, and no long name whole", () => {
  const many = Object.assign([1], Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`p${at}`, at])));
  expect(toJson(many).notes).toEqual([
    "$ is a list with properties, which are left out: p0, p1, p2, p3, p4 and 94 more",
  ]);
  const [note = ""] = toJson(Object.assign([], { ["x".repeat(9_999)]: 1 })).notes;
  expect(note.length).toBeLessThan(300);
});

test("holes of a list are null, without a note about properties", () => {
  const list: unknown[] = [1];
  list[3] = 4;
  expect(toJson(list)).toMatchObject({ value: [1, null, null, 4], notes: [] });
});

test("the errors of an AggregateError are written as errors are", () => {
  const { value, notes } = toJson(new AggregateError([new TypeError("one"), "two"], "both"));
  expect(value).toEqual({
    name: "AggregateError",
    message: "both",
    errors: [{ name: "TypeError", message: "one" }, "two"],
  });
  expect(notes).toEqual([]);
});

test("an object that only iterates is a list, and an asynchronous one is opaque", () => {
  const iterable = {
    *[Symbol.iterator](): Generator<number> {
      yield 1;
      yield 2;
    },
  };
  expect(copyJson({ iterable })).toBeUndefined();
  expect(toJson({ iterable })).toMatchObject({ value: { iterable: [1, 2] }, notes: [], opaque: [] });
  const pages = {
    async *[Symbol.asyncIterator](): AsyncGenerator<number> {
      yield 1;
    },
  };
  expect(copyJson(pages)).toBeUndefined();
  expect(toJson({ pages }).opaque).toEqual([{ path: "$.pages", what: "an asynchronous iterable" }]);
});
