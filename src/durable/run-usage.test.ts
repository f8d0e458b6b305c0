import { costOf, prices } from "skein/models";
import { expect, test } from "vitest";
import type { Usage } from "../message/messages.ts";
import type { ModelCall } from "../model/model-call.ts";
import { progressAfter, tokensOf, usageOf, withCall, withTurn } from "./run-usage.ts";
import type { RunUsage } from "./stored-run.ts";

const none: RunUsage = { turns: 0, modelCalls: [] };
const sol = { provider: "openai", modelId: "gpt-6.1-sol" };

function usage(inputTokens?: number, outputTokens?: number): Usage {
  return { inputTokens, outputTokens, totalTokens: undefined };
}

function sumOf(calls: readonly ModelCall[]): RunUsage {
  return calls.reduce(withCall, none);
}

/** As a store returns it. */
function stored(used: RunUsage): RunUsage {
  return usageOf(JSON.parse(JSON.stringify({ next: 1, used })));
}

test("thousands of answers have a few sums, which cost what the answers cost", () => {
  const calls = Array.from({ length: 3_000 }, (_, number): ModelCall => {
    const length = 1_000 * (1 + (number % 400));
    return { ...sol, usage: { ...usage(length, 7), cachedInputTokens: 500 } };
  });
  const sums = stored(sumOf(calls));
  expect(sums.modelCalls.length).toBeLessThanOrEqual(6);
  expect(costOf(sums)).toBeCloseTo(costOf({ modelCalls: calls }) ?? -1, 6);
  expect(tokensOf(sums)).toMatchObject({ outputTokens: 21_000, cachedInputTokens: 1_500_000 });
});

test("answers from batches are summed apart, at half the price", () => {
  const call = { ...sol, usage: usage(1_000_000, 0) };
  const sums = stored(sumOf([call, { ...call, batch: true }, { ...call, batch: true }]));
  expect(sums.modelCalls.map(({ batch, sum }) => [batch, sum?.calls])).toEqual([
    [undefined, 1],
    [true, 2],
  ]);
  expect(costOf(sums)).toBeCloseTo(8);
});

test.each([
  ["reports nothing", usage()],
  ["reports its input alone", usage(5)],
  ["reports no number", usage(Number.NaN, 3)],
  ["reports less than nothing", usage(-4, 3)],
])("the cost is not known where one answer %s, whatever others report", (_, missing) => {
  const whole = { ...sol, usage: usage(10, 10) };
  const sums = stored(
    sumOf([whole, { ...sol, usage: missing }, whole, { ...sol, usage: usage(undefined, 9) }]),
  );
  expect(costOf(sums)).toBeUndefined();
  expect(costOf(stored(sumOf([whole, whole])))).toBeCloseTo(0.00024, 8);
});

test("a sum of requests some of which are too long for a price has none of it", () => {
  const sums = sumOf([50, 60].map((length) => ({ ...sol, usage: usage(length, 0) })));
  const priceAbove = (above: number): object => ({
    "openai:gpt-6.1-sol": { input: 1, output: 1, long: { above, input: 2, output: 2 } },
  });
  const cost = (above: number): number | undefined => costOf(sums, { ...prices, ...priceAbove(above) });
  expect([cost(60), cost(55), cost(49)]).toEqual([0.00011, undefined, 0.00022]);
});

test("a server that names each of its models differently does not make the row grow", () => {
  const calls = Array.from({ length: 500 }, (_, number): ModelCall => {
    return { provider: "proxy", modelId: `m${number}${"x".repeat(5_000)}`, usage: usage(1, 1) };
  });
  const sums = sumOf(calls);
  expect(sums.modelCalls.length).toBeLessThan(80);
  expect(JSON.stringify(sums).length).toBeLessThan(40_000);
  expect(tokensOf(sums)).toMatchObject({ inputTokens: 500 });
  expect(costOf(sums)).toBeUndefined();
});

test("what an earlier version of Skein has not summed is not known, and stays so", () => {
  expect(costOf(usageOf({ next: 0 }))).toBe(0);
  const earlier = usageOf({ next: 9, turn: 2 });
  expect([earlier.turns, costOf(earlier)]).toEqual([2, undefined]);
  const later = withTurn(withCall(earlier, { ...sol, usage: usage(3, 4) }), 3);
  expect(stored(later)).toMatchObject({ turns: 3, modelCalls: [{ provider: "unknown" }, sol] });
  expect([costOf(stored(later)), tokensOf(stored(later)).inputTokens]).toEqual([undefined, 3]);
});

test("a turn whose events are void was paid for all the same", () => {
  const used = withTurn(withCall(none, { ...sol, usage: usage(3, 4) }), 1);
  const progress = progressAfter({ next: 4, turn: 1, turnAt: 0, hasEntries: true, used }, 5);
  expect(progress).toEqual({ next: 5, hasEntries: true, used });
});
