import { expect, test } from "vitest";
import { passHat, quantile, wilsonInterval } from "./statistics.ts";

// The figures of R: binom::binom.confint(x, n, methods = "wilson").
test.each([
  [0, 10, 0, 0.2775328],
  [10, 10, 0.7224672, 1],
  [8, 10, 0.4901625, 0.9433178],
  [1, 2, 0.0945312, 0.9054688],
  [50, 100, 0.4038315, 0.5961685],
])("the interval of %i in %i", (successes, trials, low, high) => {
  const [from, to] = wilsonInterval(successes, trials);
  expect(from).toBeCloseTo(low, 4);
  expect(to).toBeCloseTo(high, 4);
});

test("nothing is known after no trial", () => {
  expect(wilsonInterval(0, 0)).toEqual([0, 1]);
});

test("pass^k is the share of all choices of k runs that are successes only", () => {
  for (let trials = 1; trials <= 6; trials += 1) {
    for (let successes = 0; successes <= trials; successes += 1) {
      for (let k = 1; k <= trials; k += 1) {
        const choices = choose(trials, k);
        const good = choices.filter((choice) => choice.every((index) => index < successes)).length;
        expect(passHat(k, successes, trials)).toBeCloseTo(good / choices.length, 12);
      }
    }
  }
  expect(passHat(3, 2, 2)).toBeUndefined();
});

function choose(count: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]];
  return Array.from({ length: Math.max(0, count - from) }, (_, index) => from + index).flatMap((first) =>
    choose(count, k - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

test("quantiles are by rank", () => {
  expect(quantile([], 0.5)).toBeUndefined();
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([3, 1, 2, 4], 0.95)).toBe(4);
  expect(quantile([7], 0)).toBe(7);
});
