import { expect, test } from "vitest";
import { argumentsText } from "./arguments-text.ts";

const noPrototype: Record<string, unknown> = Object.create(null);
noPrototype["a"] = 1;

test.each<[unknown, string]>([
  [undefined, "{}"],
  [null, "{}"],
  [{ a: 1, b: [true, null, "x"], c: undefined }, '{"a":1,"b":[true,null,"x"]}'],
  [noPrototype, '{"a":1}'],
  [
    { at: new Date(0), url: new URL("https://a.example/b") },
    '{"at":"1970-01-01T00:00:00.000Z","url":"https://a.example/b"}',
  ],
  [{ wei: 12345678901234567890n }, '{"wei":"12345678901234567890"}'],
  [{ tags: new Set(["a", 1n]) }, '{"tags":["a","1"]}'],
  [{ prices: new Map([["tea", new Set([2])]]) }, '{"prices":{"tea":[2]}}'],
  [
    { days: new Map([[new Date(0), 1]]), ids: new Map([[5n, "x"]]) },
    '{"days":{"1970-01-01T00:00:00.000Z":1},"ids":{"5":"x"}}',
  ],
  [{ pairs: new Map([[{ a: 1 }, 2]]) }, '{"pairs":[[{"a":1},2]]}'],
  [
    { bytes: new Uint8Array([1, 2]), buffer: Buffer.from([3]), raw: new Uint8Array([4]).buffer },
    '{"bytes":"AQI=","buffer":"Aw==","raw":"BA=="}',
  ],
  [new Map([["city", "Rome"]]), '{"city":"Rome"}'],
])("%o is written as %s", (args, text) => {
  expect(argumentsText(args)).toBe(text);
});

test.each<[unknown, string]>([
  [{ a: { user: Promise.resolve(1) } }, 'the argument "user" is a Promise, which a call cannot have'],
  [{ when: () => 1 }, 'the argument "when" is a function'],
  [{ what: Symbol("x") }, 'the argument "what" is a symbol'],
  [{ euros: Number.NaN }, 'the argument "euros" is NaN'],
  [{ euros: [Number.POSITIVE_INFINITY] }, 'the argument "0" is Infinity'],
  [{ at: new Date("never") }, 'the argument "at" is an invalid Date'],
  [{ pattern: /x/ }, 'the argument "pattern" is a RegExp'],
  [{ list: [new Float32Array(2)] }, 'the argument "0" is a Float32Array'],
  [Promise.resolve({}), "the arguments are a Promise"],
  [() => ({}), "the arguments are a function"],
])("%o is refused, since JSON would have nothing of it", (args, words) => {
  expect(() => argumentsText(args)).toThrow(words);
});
