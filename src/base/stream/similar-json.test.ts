import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  array,
  assert,
  constantFrom,
  integer,
  jsonValue,
  oneof,
  property,
  record,
  string,
  tuple,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { SimilarJson } from "./similar-json.ts";

/** What came of a text. */
function outcome(parse: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parse(text) };
  } catch (error) {
    return (error as Error).name;
  }
}

/** Expects the values of `JSON.parse`, whatever came before. */
function expectSame(texts: readonly string[]): void {
  const similar = new SimilarJson(0);
  for (const text of texts) {
    const expected = outcome(JSON.parse, text);
    expect(outcome((each) => similar.parse(each), text)).toStrictEqual(expected);
  }
}

const chunk = (content: unknown, more: object = {}): string =>
  JSON.stringify({
    id: "c",
    created: 1,
    choices: [{ index: 0, delta: { content }, logprobs: null }],
    ...more,
  });
const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word ${index}`);

/** What a learned parser makes of a text. */
function afterMany(text: string): unknown {
  const similar = new SimilarJson(0);
  for (const word of words(20)) similar.parse(chunk(word));
  return outcome((each) => similar.parse(each), text);
}

describe("texts that are alike", () => {
  test.each<[string, readonly string[]]>([
    ["in one text", words(50).map((word) => chunk(word))],
    ["in a text and a number", words(50).map((word, index) => chunk(word, { sequence: index }))],
    ["in numbers of all forms", words(50).map((_, index) => chunk([-0.5e-3, 1e21, 0, 7e-7][index % 4]))],
    ["in texts with escapes", words(50).map((word) => chunk(`"\\\n\u2028${word}\u00e9\\"`))],
    ["in texts that are empty now and then", words(50).map((word, index) => chunk(index % 3 ? word : ""))],
    [
      "with blanks between",
      words(50).map((word) => chunk(word).replaceAll(":", " : ").replaceAll(",", " ,\t")),
    ],
    [
      "behind empty objects and lists",
      words(50).map((word) => `{"a":[{},1,[],{}],"b":{},"c":${JSON.stringify(word)}}`),
    ],
    ["in lists", words(50).map((word) => JSON.stringify([[1, [word, 2]], word]))],
    ["at the root", words(50).map((word) => JSON.stringify(word))],
    ["in a member called __proto__", words(50).map((word) => `{"a":{"__proto__":${JSON.stringify(word)}}}`)],
    ["in keys that are numbers", words(50).map((word) => `{"b":1,"7":${JSON.stringify(word)},"1":2}`)],
    ["in one of two members of one name", words(50).map((word) => `{"a":"${word}","a":2}`)],
    [
      "in one of two members of one name, written in two ways",
      words(50).map((word) => `{"a":"${word} 1","\\u0061":"${word}"}`),
    ],
    ["and the same now and then", words(60).map((_, index) => chunk(`word ${Math.floor(index / 12)}`))],
    [
      "but for the last",
      [...words(50).map((word) => chunk(word)), chunk(null), chunk("x", { usage: { n: 1 } })],
    ],
  ])("%s are parsed as JSON.parse does", (_, texts) => {
    expectSame(texts);
  });

  test.each([
    chunk("x").slice(0, -1),
    `${chunk("x")} `,
    chunk("x").replace('"x"', '"x\n"'),
    chunk("x").replace('"x"', '"\\x"'),
    chunk("x").replace('"x"', '"x\\"'),
    chunk("x").replace('"x"', '"x","more":"y"'),
    chunk("x").replace('"x"', "1"),
    chunk("x").replace('"id":"c"', '"id":"d"'),
    "",
    "null",
  ])("%s is parsed as JSON.parse does behind them", (text) => {
    expect(afterMany(text)).toStrictEqual(outcome(JSON.parse, text));
  });

  test("that are nested deeply, or have many leaves, are parsed as JSON.parse does, and cost no more", () => {
    const deep = (leaf: string): string =>
      `${"[".repeat(4_000)}${`${leaf},`.repeat(1_000)}1${"]".repeat(4_000)}`;
    const before = process.memoryUsage().heapUsed;
    expectSame(
      words(9)
        .map((_, leaf) => String(leaf))
        .flatMap((leaf) => [deep(leaf), `{"a":[${`"${leaf}",`.repeat(3_000)}1]}`]),
    );
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  });

  test("that are long leave nothing behind, and neither do those of which a value is kept", () => {
    const similar = new SimilarJson(0);
    const values: unknown[] = [];
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 40; count++) {
      const batch = words(40).map((word) => chunk(`${word} of a long answer ${count}`));
      // As a piece of what came over the network, which is long.
      const received = `${batch.join("\n\n")}${"p".repeat(5_000_000)}`;
      for (const text of received.slice(0, 8_000).split("\n\n").slice(0, -1))
        values.push(Object(similar.parse(text)).choices[0].delta.content);
      similar.parse(JSON.stringify({ pad: "p".repeat(5_000_000) }));
    }
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    expect(values.length).toBeGreaterThan(1_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  });

  test("of several kinds in turn, and of one answer after another, are parsed as JSON.parse does", () => {
    const answers = Array.from({ length: 30 }, (_, turn) => [
      chunk(null, { id: `answer ${turn}`, created: turn }),
      ...words(5).map((word) => chunk(word, { id: `answer ${turn}`, created: turn })),
      chunk(null, { id: `answer ${turn}`, created: turn, usage: { tokens: turn, of: [turn, -turn] } }),
      '{"type":"ping"}',
      JSON.stringify({ [`odd ${turn}`]: turn }),
    ]);
    expectSame(answers.flat());
  });

  test("have values of their own, and share what is the same", () => {
    const similar = new SimilarJson(0);
    const values = words(20).map((word) => similar.parse(chunk(word, { usage: { tokens: [1] } })));
    const usages = new Set(values.slice(10).map((value) => Object(value).usage));
    expect([new Set(values).size, usages.size]).toEqual([20, 1]);
    expect(Object.isFrozen([...usages][0].tokens)).toBe(true);
  });
});

test("whatever is parsed one after the other comes to what JSON.parse makes of it", () => {
  const leaf = oneof(string({ unit: "binary" }), integer(), constantFrom("a", 1.5, 1e300));
  const alike = tuple(
    jsonValue(),
    jsonValue(),
    array(tuple(leaf, leaf), { minLength: 9, maxLength: 14 }),
  ).map(([one, other, leaves]) =>
    leaves.map(([first, second]) => JSON.stringify({ one, a: [{ first, other }], second })),
  );
  // No backslash: behind a key that ends with one, JSON.parse of V8 takes it for a key of the same text with an escaped quote.
  const spoiled = record({
    place: integer({ min: 0, max: 200 }),
    character: constantFrom('"', "1", ",", "}", ""),
  });
  assert(
    property(
      array(
        oneof(
          alike,
          jsonValue().map((value) => [JSON.stringify(value)]),
        ),
        { maxLength: 4 },
      ),
      spoiled,
      (groups, { place, character }) => {
        const texts = groups.flat();
        const last = texts.at(-1) ?? "";
        expectSame([...texts, last.slice(0, place) + character + last.slice(place + 1), last]);
      },
    ),
    { numRuns: 500 },
  );
});
