import { isObject } from "../../base/util/json.ts";
import { describeArgument, describeValue, invalidOption } from "../../base/options/known-options.ts";
import type { CostLimit, ModelCall } from "../../model/model-call.ts";
import { assertPrice } from "./assert-price.ts";
import { type Price, prices as knownPrices, type Prices } from "./prices.ts";

const million = 1_000_000;

/** What of its price an answer costs that came from a batch: half, with OpenAI and Anthropic, reads and writes of their caches included. */
const shareInBatch = 0.5;

/** A date at the end of a model's id: `-2026-09-29` or `-20260929`. */
const date = /-\d{4}-?\d\d-?\d\d$/;

/**
 * The price of a model, also if its id ends with a date; `undefined` if the price is unknown.
 * @param prices - Replaces the prices that Skein knows: `{ ...prices, "groq:some-model": { input: 0.1, output: 0.3 } }`.
 */
export function priceOf(
  { provider, modelId }: Pick<ModelCall, "provider" | "modelId">,
  prices: Prices = knownPrices,
): Price | undefined {
  const name = `${provider}:${modelId}`;
  return [name, name.replace(date, "")]
    .filter((key) => Object.hasOwn(prices, key))
    .map((key) => prices[key])[0];
}

/**
 * The cost of a run, a durable one too, or of a single model call, in the currency of the prices (US dollars by default). The cost of a
 * run includes the model calls of agents that it used as tools. `undefined` if a price is unknown or a provider did not report its usage
 * as counts: a cost is never too low.
 * @param source - What `run` returned, a result of a durable run or an item of its `list()`, or one of the `modelCalls` of these.
 * @throws ConfigurationError for a price of your own that is not a number of at least 0, or that has no `input` or `output`, and for
 * anything else as `source`.
 */
export function costOf(
  source: ModelCall | { readonly modelCalls: readonly ModelCall[] },
  prices: Prices = knownPrices,
): number | undefined {
  let total = 0;
  for (const call of callsOf(source)) {
    const price = priceOf(call, prices) ?? (hasNoTokens(call) ? free : undefined);
    if (price && prices !== knownPrices) assertPrice(`${call.provider}:${call.modelId}`, price);
    const cost = price && costAt(price, call);
    if (cost === undefined) return undefined;
    total += call.batch ? cost * shareInBatch : cost;
  }
  return total;
}

/** @throws ConfigurationError unless it is what has used tokens. */
function callsOf(source: ModelCall | { readonly modelCalls: readonly ModelCall[] }): readonly ModelCall[] {
  const calls: unknown = isObject(source) && "modelCalls" in source ? source.modelCalls : [source];
  if (Array.isArray(calls) && calls.every(isModelCall)) return calls;
  throw invalidOption(
    `The argument of costOf() must be a result with its modelCalls, such as that of run() or of a durable run, or one of them, not ${describeArgument(source)}.`,
    { option: "source" },
  );
}

function isModelCall(value: unknown): value is ModelCall {
  if (!isObject(value)) return false;
  const { provider, modelId, usage } = value;
  return typeof provider === "string" && typeof modelId === "string" && isObject(usage);
}

/** What no tokens cost, whatever one would: the stand-in of `skein/offline` has none. */
const free: Price = { input: 0, output: 0 };

function hasNoTokens({ usage: { inputTokens, outputTokens } }: ModelCall): boolean {
  return inputTokens === 0 && outputTokens === 0;
}

/** The price of requests that are as long; `undefined` if they are a sum, and only some of them are long. */
function priceAt(
  price: Price,
  { usage: { inputTokens = 0 }, sum }: ModelCall,
): Omit<Price, "long"> | undefined {
  const { long } = price;
  const { least, most } = sum?.inputTokens ?? { least: inputTokens, most: inputTokens };
  if (!long || most <= long.above) return price;
  return least > long.above ? long : undefined;
}

function costAt(price: Price, call: ModelCall): number | undefined {
  const { usage } = call;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const rates = priceAt(price, call);
  if (!rates) return undefined;
  const { input, output, cachedInput = input, cacheWrite = input } = rates;
  const counts = [inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens];
  if (!counts.every((count) => Number.isFinite(count) && count >= 0)) return undefined;
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  return (
    (fresh * input +
      cachedInputTokens * cachedInput +
      cacheWriteTokens * cacheWrite +
      outputTokens * output) /
    million
  );
}

/**
 * A limit in US dollars: `run(agent, input, { maxCost: dollars(0.5) })`.
 * @param prices - Replaces the prices that Skein knows.
 * @throws ConfigurationError unless `amount` and each of the prices is a number of at least 0.
 */
export function dollars(amount: number, prices: Prices = knownPrices): CostLimit {
  if (typeof amount !== "number" || !(amount >= 0))
    throw invalidOption(
      `The amount of dollars() is ${describeValue(amount)}. Expected a number of at least 0.`,
      {
        option: "maxCost",
      },
    );
  if (prices !== knownPrices)
    for (const [name, price] of Object.entries(prices)) if (price !== undefined) assertPrice(name, price);
  return { amount, costOf: (call) => costOf(call, prices) };
}
