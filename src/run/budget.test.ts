import { describe, expect, test } from "vitest";
import { noUsage } from "../message/usage.ts";
import type { ModelCall } from "../model/model-call.ts";
import { Budget } from "./budget.ts";
import { Meters } from "./state/meters.ts";

/** An answer of a model that took `totalTokens`. */
const answer = (totalTokens: number | undefined, modelId = "m"): ModelCall => ({
  provider: "p",
  modelId,
  usage: { ...noUsage, totalTokens },
});

/** A limit of `amount`, where a token costs one. */
const money = (amount: number) => ({ amount, costOf: ({ usage }: ModelCall) => usage.totalTokens });

test("a budget is spent once it is used up, and not before", () => {
  for (const limits of [{ maxTokens: 10 }, { maxCost: money(10) }, { maxTokens: 10, maxCost: money(99) }]) {
    const meters = new Meters();
    const budget = new Budget(limits, meters, undefined);
    meters.addModelCall(answer(4));
    meters.addModelCall(answer(5));
    expect([budget.isSpent(), budget.isSpent()]).toEqual([false, false]);
    meters.addModelCall(answer(1));
    expect(budget.isSpent()).toBe(true);
  }
});

test("answers from before the run paused count once", () => {
  const meters = new Meters();
  const budget = new Budget({ maxTokens: 10 }, meters, undefined, [answer(6, "before")]);
  meters.addModelCall(answer(3));
  expect(budget.isSpent()).toBe(false);
  expect(budget.calls).toEqual([answer(6, "before"), answer(3)]);
  meters.addModelCall(answer(1));
  expect(budget.isSpent()).toBe(true);
});

test("a budget within another is spent with that", () => {
  const outerMeters = new Meters();
  const outer = new Budget({ maxTokens: 10 }, outerMeters, undefined);
  const meters = new Meters(outerMeters);
  const budget = new Budget({ maxTokens: 100 }, meters, outer);
  meters.addModelCall(answer(9));
  expect(budget.isSpent()).toBe(false);
  outerMeters.addModelCall(answer(1));
  expect(budget.isSpent()).toBe(true);
});

describe("what cannot be counted", () => {
  const problem = (limits: ConstructorParameters<typeof Budget>[0], ...answers: readonly ModelCall[]) => {
    const meters = new Meters();
    const budget = new Budget(limits, meters, undefined);
    for (const call of answers) meters.addModelCall(call);
    return () => budget.isSpent();
  };

  test("is an error that names the first answer, and the first limit", () => {
    const [one, two] = [answer(undefined, "one"), answer(undefined, "two")];
    expect(problem({ maxTokens: 1 }, one, two)).toThrow(/^maxTokens .* an answer of p:one took/);
    expect(problem({ maxCost: money(1) }, one, two)).toThrow(/^maxCost .* an answer of p:one took/);
    expect(problem({ maxTokens: 1, maxCost: money(1) }, one)).toThrow(
      /^maxTokens .* use maxTurns instead \(in a scripted turn, write usage\)\.$/,
    );
    expect(problem({ maxCost: money(1) }, one)).toThrow(/^maxCost .* write usage\)\.$/);
    expect(problem({ maxCost: { amount: 1, costOf: () => undefined } }, answer(5))).toThrow(
      /^maxCost .* Give its price: /,
    );
  });

  test("stays one, however often it is asked for", () => {
    const isSpent = problem({ maxTokens: 1 }, answer(undefined));
    for (let times = 0; times < 2; times++) expect(isSpent).toThrow("maxTokens cannot be kept");
  });

  test("is none where that is not limited", () => {
    const costs = { amount: 5, costOf: () => 1 };
    expect(problem({ maxCost: costs }, answer(undefined))()).toBe(false);
    expect(problem({}, answer(undefined))()).toBe(false);
  });
});

test("a limit in money is an amount and what tells costs", () => {
  const wrong: readonly unknown[] = [
    { amount: -1, costOf: () => 1 },
    { amount: 1 },
    { costOf: () => 1 },
    null,
    5,
  ];
  for (const maxCost of wrong)
    expect(() => new Budget(Object({ maxCost }), new Meters(), undefined)).toThrow(
      "maxCost must be a limit in money",
    );
  expect(
    () => new Budget({ maxCost: { amount: 0, costOf: () => 1 } }, new Meters(), undefined),
  ).not.toThrow();
});
