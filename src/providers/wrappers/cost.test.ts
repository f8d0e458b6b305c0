import { ConfigurationError } from "skein";
import { describe, expect, test } from "vitest";
import type { Usage } from "../../message/messages.ts";
import { costOf, dollars, priceOf } from "./cost.ts";
import { prices, type Prices } from "./prices.ts";

const usage = (inputTokens?: number, outputTokens?: number, more: Partial<Usage> = {}): Usage => ({
  inputTokens,
  outputTokens,
  totalTokens: undefined,
  ...more,
});
const sonnet = { provider: "anthropic", modelId: "claude-sonnet-5-5" };

test("the cost of a call is that of its tokens: input, cache reads, cache writes and output", () => {
  expect(costOf({ ...sonnet, usage: usage(1_000_000, 0) })).toBe(2);
  expect(costOf({ ...sonnet, usage: usage(0, 1_000_000) })).toBe(10);
  const cached = usage(1_000_000, 0, { cachedInputTokens: 400_000, cacheWriteTokens: 200_000 });
  expect(costOf({ ...sonnet, usage: cached })).toBeCloseTo(0.4 * 2 + 0.4 * 0.1 + 0.2 * 2.5);
});

test("a request above the limit of its price has the higher price for all its tokens", () => {
  const call = { provider: "openai", modelId: "gpt-6.1-sol" };
  expect(costOf({ ...call, usage: usage(272_000, 1000) })).toBeCloseTo(0.272 * 2 + 0.001 * 10);
  expect(costOf({ ...call, usage: usage(272_001, 1000) })).toBeCloseTo(0.272001 * 4 + 0.001 * 15);
});

test.each([
  ["a promise", Promise.resolve({ modelCalls: [] }), "not a promise: await it."],
  ["nothing", undefined, "not undefined"],
  ["the usage alone", usage(1, 1), "not an object."],
  ["a result whose calls are not a list", { modelCalls: 7 }, "not an object"],
])("what has no model calls is refused, with what to pass: %s", (_, source, problem) => {
  const cost = (): unknown => Reflect.apply(costOf, undefined, [source]);
  expect(cost).toThrow(expect.objectContaining({ code: "invalid-option" }));
  expect(cost).toThrow("must be a result with its modelCalls, such as that of run() or of a durable run");
  expect(cost).toThrow(problem);
});

test("a date at the end of a model's id is ignored, unless the table has a price for it", () => {
  const dated = { provider: "openai", modelId: "gpt-6.1-sol-2026-09-29" };
  expect(priceOf(dated)).toBe(prices["openai:gpt-6.1-sol"]);
  expect(priceOf({ provider: "anthropic", modelId: "claude-haiku-4-5-20251001" })).toMatchObject({
    input: 1,
  });
  const own = { ...prices, "openai:gpt-6.1-sol-2026-09-29": { input: 7, output: 7 } };
  expect(priceOf(dated, own)).toEqual({ input: 7, output: 7 });
});

test.each([
  ["an unknown model", { provider: "openai", modelId: "gpt-6.1-sol-pro" }],
  ["another provider's model of that name", { provider: "azure", modelId: "gpt-5.2" }],
  ["the name of a property of every object", { provider: "openai", modelId: "constructor" }],
])("%s has no price and no cost", (_what, model) => {
  expect(priceOf(model)).toBeUndefined();
  expect(costOf({ ...model, usage: usage(1, 1) })).toBeUndefined();
});

test("unreported tokens have no cost, and neither has a sum that includes them", () => {
  expect(costOf({ ...sonnet, usage: usage(1) })).toBeUndefined();
  expect(costOf({ ...sonnet, usage: usage(undefined, 1) })).toBeUndefined();
  const call = { ...sonnet, usage: usage(500_000, 100_000) };
  expect(costOf({ modelCalls: [call, call] })).toBe(4);
  expect(costOf({ modelCalls: [call, { ...sonnet, usage: usage() }] })).toBeUndefined();
  expect(costOf({ modelCalls: [] })).toBe(0);
});

test("cache counts that exceed the total are charged in full", () => {
  expect(costOf({ ...sonnet, usage: usage(10, 0, { cachedInputTokens: 1_000_000 }) })).toBeCloseTo(0.1);
});

test("the caller's prices replace Skein's, also for a limit", () => {
  const own = { "groq:some-model": { input: 0.5, output: 1 } };
  const call = { provider: "groq", modelId: "some-model", usage: usage(1_000_000, 1_000_000) };
  expect(costOf(call, own)).toBe(1.5);
  expect(dollars(3, own).costOf(call)).toBe(1.5);
  expect(dollars(3, own).amount).toBe(3);
  // @ts-expect-error -- as a program without types writes it
  expect(() => dollars("1")).toThrow('The amount of dollars() is "1". Expected a number of at least 0.');
  expect(() => dollars(-1)).toThrow("at least 0");
  expect(() => dollars(Number.NaN)).toThrow("at least 0");
});

test("every price in the table is an amount, and a long request never costs less", () => {
  for (const [name, { long, ...price }] of Object.entries(prices)) {
    expect(name).toMatch(/^(?:openai|anthropic|google):[a-z0-9.-]+$/);
    for (const amount of Object.values(price)) expect(amount).toBeGreaterThan(0);
    expect(price.cachedInput).toBeLessThan(price.input);
    expect(long?.input ?? Infinity).toBeGreaterThan(price.input);
    expect(long?.output ?? Infinity).toBeGreaterThan(price.output);
  }
});

test("Google's models have prices", () => {
  const flash = { provider: "google", modelId: "gemini-3.5-flash" };
  const cached = usage(1_000_000, 1_000_000, { cachedInputTokens: 500_000 });
  expect(costOf({ ...flash, usage: cached })).toBeCloseTo(0.5 * 1.5 + 0.5 * 0.15 + 9);
});

test("usage that is not a count has no cost", () => {
  for (const count of [Number.NaN, Infinity, -1]) {
    expect(costOf({ ...sonnet, usage: usage(count, 1) })).toBeUndefined();
    expect(costOf({ ...sonnet, usage: usage(1, count) })).toBeUndefined();
    expect(costOf({ ...sonnet, usage: usage(1, 1, { cachedInputTokens: count }) })).toBeUndefined();
  }
});

describe("a price that is not one", () => {
  const name = "groq:some-model";
  const call = { provider: "groq", modelId: "some-model", usage: usage(1000, 1000) };
  const long = { above: 10, input: 1, output: 1 };

  test.each<[string, object, string]>([
    ["without output", { input: 0.5 }, "output is undefined"],
    ["without input", { output: 0.5 }, "input is undefined"],
    ["that is NaN", { input: Number.NaN, output: 1 }, "input is NaN"],
    ["that is a text", { input: 1, output: "1" }, 'output is "1"'],
    ["below 0", { input: 1, output: 1, cachedInput: -1 }, "cachedInput is -1"],
    ["without a bound", { input: 1, output: 1, cacheWrite: Infinity }, "cacheWrite is Infinity"],
    [
      "of long requests, without output",
      { input: 1, output: 1, long: { above: 10, input: 1 } },
      "long.output is undefined",
    ],
    [
      "of long requests, without above",
      { input: 1, output: 1, long: { ...long, above: undefined } },
      "long.above is undefined",
    ],
  ])("is refused by name: %s", (_, price, problem) => {
    const own: Prices = JSON.parse("{}");
    Object.assign(own, { [name]: price });
    const message = `The price of ${name} is not one: ${problem}. Expected a number of at least 0.`;
    expect(() => costOf(call, own)).toThrow(message);
    expect(() => costOf({ modelCalls: [call] }, own)).toThrow(ConfigurationError);
    expect(() => dollars(1, own)).toThrow(message);
  });

  test("is refused by name: not an object", () => {
    const own: Prices = JSON.parse(`{ "${name}": 3 }`);
    expect(() => costOf(call, own)).toThrow(
      `The price of ${name} is 3. Expected { input, output } per million tokens.`,
    );
  });

  test("of another model does not matter to a cost, and parts that are undefined have their defaults", () => {
    const own: Prices = { "a:b": { input: Number.NaN, output: 1 }, [name]: { input: 1, output: 1, long } };
    Object.assign(own[name] ?? {}, { cachedInput: undefined });
    expect(costOf(call, own)).toBe(0.002);
  });
});
