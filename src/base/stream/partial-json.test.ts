import {
  array,
  assert,
  boolean,
  constantFrom,
  json as jsonText,
  nat,
  property,
  string,
  tuple,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { PartialJson } from "./partial-json.ts";

function partial(...pieces: readonly string[]): unknown {
  const json = new PartialJson();
  for (const piece of pieces) json.push(piece);
  return json.value;
}

/** Whether `part` may be the beginning of `whole`: everything in it is there, the last of it may be cut. */
function isPrefix(part: unknown, whole: unknown): boolean {
  if (part === undefined) return true;
  if (typeof part === "string") return typeof whole === "string" && whole.startsWith(part);
  if (typeof part !== "object" || part === null) return Object.is(part, whole);
  if (typeof whole !== "object" || whole === null || Array.isArray(part) !== Array.isArray(whole))
    return false;
  const members = new Map(Object.entries(whole));
  const keys = Object.keys(part);
  return Object.entries(part).every(
    ([key, value], index) =>
      members.has(key) &&
      (index < keys.length - 1
        ? isPrefix(value, members.get(key)) && isPrefix(members.get(key), value)
        : isPrefix(value, members.get(key))),
  );
}

describe("what has come so far", () => {
  test.each([
    ["", undefined],
    ["  ", undefined],
    ["{", {}],
    ['{"ci', {}],
    ['{"city"', {}],
    ['{"city":', {}],
    ['{"city":"', { city: "" }],
    ['{"city":"Par', { city: "Par" }],
    ['{"city":"Paris"}', { city: "Paris" }],
    ['{"days":1', {}],
    ['{"days":12 ', { days: 12 }],
    ['{"days":12}', { days: 12 }],
    ['{"is":true', {}],
    ['{"is":true,', { is: true }],
    ['{"a":[', { a: [] }],
    ['{"a":[1,2', { a: [1] }],
    ['{"a":[1,"x', { a: [1, "x"] }],
    ['{"a":[[{"b":"c', { a: [[{ b: "c" }]] }],
    [String.raw`{"a":"x\u00e`, { a: "x" }],
    [String.raw`{"a":"x\u00e9\n`, { a: "xé\n" }],
    ['{"a":"x\\', { a: "x" }],
    ['"text', "text"],
    ["12\n", 12],
  ])("%s", (text, value) => {
    expect(partial(text)).toEqual(value);
    expect(partial(...text.split(""))).toEqual(value);
  });

  test("the same objects grow", () => {
    const json = new PartialJson();
    json.push('{"a":[1,');
    const first = json.value;
    json.push("2]}");
    expect(json.value).toBe(first);
    expect(first).toEqual({ a: [1, 2] });
  });

  test("keys __proto__ are dropped with all that is in them", () => {
    const value = partial('{"__proto__":{"admin":[true]},"a":{"\\u005f_proto__":1,"b":"__proto__"},"c":1}');
    expect(value).toEqual({ a: { b: "__proto__" }, c: 1 });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("admin");
  });

  test("keys called like members of objects are ordinary ones", () => {
    const text = '{"constructor":"c","toString":[1],"hasOwnProperty":null,"length":2}';
    expect(partial(...text.split(""))).toEqual(JSON.parse(text));
  });
});

describe("text that is not JSON", () => {
  test.each([
    ['{"a":1,}', { a: 1 }],
    ['{"a":1]', { a: 1 }],
    ['{"a" 1}', {}],
    ["{a:1}", {}],
    ['{"a":01}', {}],
    ['{"a":tru}', {}],
    ['{"a":[1,]}', { a: [1] }],
    ['{"a":[,1]}', { a: [] }],
    [String.raw`{"a":"x\y","b":1}`, { a: "x" }],
    [String.raw`{"a":"x\u12g4","b":1}`, { a: "x" }],
    ['{"a":1} {"b":2}', { a: 1 }],
    ["1,2]", 1],
    ["1]2", 1],
    ["nonsense ", undefined],
    ["]", undefined],
    ["```json\n{}", undefined],
  ])("%s ends the reading, and what has come stays", (text, value) => {
    expect(partial(text, ',"more":1}')).toEqual(value);
  });

  test("nothing deeper than 100 levels is read", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(partial(nested(100))).toEqual(JSON.parse(nested(100)));
    expect(JSON.stringify(partial(nested(10_000)))).toBe(nested(101));
  });

  test("never throws, for any value cut at any place", () => {
    const pieces = array(string({ unit: constantFrom(...'{}[]",:\\u0eE-1 \ntrfalsn'.split("")) }));
    const read = (texts: readonly string[]): void =>
      void texts.reduce((json, text) => {
        json.push(text);
        void json.value;
        return json;
      }, new PartialJson());
    expect(() => assert(property(pieces, read), { numRuns: 2_000 })).not.toThrow();
  });
});

describe("any document, cut anywhere", () => {
  const texts = tuple(
    jsonText({ maxDepth: 6, stringUnit: "binary" }).filter((text) => !text.includes("__proto__")),
    constantFrom(0, 2),
    boolean(),
  );
  const written = texts.map(([text, indent, escaped]) => {
    const spaced = JSON.stringify(JSON.parse(text), undefined, indent);
    return escaped ? spaced.replaceAll(/[^\p{ASCII}]/gu, escapeUnits) : spaced;
  });

  test("every value so far is a prefix of the whole, and the last is the whole", () => {
    assert(
      property(written, array(nat({ max: 300 })), (text, cuts) => {
        const whole: unknown = JSON.parse(text);
        const json = new PartialJson();
        let from = 0;
        for (const cut of [...cuts.toSorted((left, right) => left - right), text.length]) {
          json.push(text.slice(from, cut));
          from = Math.max(from, cut);
          expect(isPrefix(json.value, whole)).toBe(true);
        }
        json.push("\n");
        expect(json.value).toEqual(whole);
      }),
      { numRuns: 2_000 },
    );
  });
});

function escapeUnits(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => String.raw`\u` + character.charCodeAt(index).toString(16).padStart(4, "0"))
    .join("");
}
