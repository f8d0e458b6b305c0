import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("a value is created once for each object", () => {
  let count = 0;
  const numberOf = memoize((_: object) => ++count);
  const [one, other] = [{}, {}];
  expect([numberOf(one), numberOf(other), numberOf(one)]).toEqual([1, 2, 1]);
});

test("what throws is tried again", () => {
  let count = 0;
  const second = memoize((_: object) => {
    if (++count === 1) throw new Error("not yet");
    return count;
  });
  const key = {};
  expect(() => second(key)).toThrow("not yet");
  expect(second(key)).toBe(2);
});
