import { expect, test } from "vitest";
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
