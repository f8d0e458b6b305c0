import type { Usage } from "../../message/messages.ts";
import { describeValue, invalidOption } from "../../base/options/known-options.ts";
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
 * The cost of a run or of a single model call, in the currency of the prices (US dollars by default). The cost of a run includes
 * the model calls of agents that it used as tools. `undefined` if a price is unknown or a provider did not report its usage as
 * counts: a cost is never too low.
 * @throws ConfigurationError for a price of your own that is not a number of at least 0, or that has no `input` or `output`.
 */
export function costOf(
  source: ModelCall | { readonly modelCalls: readonly ModelCall[] },
  prices: Prices = knownPrices,
): number | undefined {
  let total = 0;
  for (const call of "modelCalls" in source ? source.modelCalls : [source]) {
    const price = priceOf(call, prices) ?? (hasNoTokens(call) ? free : undefined);
    if (price && prices !== knownPrices) assertPrice(`${call.provider}:${call.modelId}`, price);
    const cost = price && costAt(price, call.usage);
    if (cost === undefined) return undefined;
    total += call.batch ? cost * shareInBatch : cost;
  }
  return total;
}

/** What no tokens cost, whatever one would: the stand-in of `skein/offline` has none. */
const free: Price = { input: 0, output: 0 };

function hasNoTokens({ usage: { inputTokens, outputTokens } }: ModelCall): boolean {
  return inputTokens === 0 && outputTokens === 0;
}

function costAt(price: Price, usage: Usage): number | undefined {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const { long } = price;
  const {
    input,
    output,
    cachedInput = input,
    cacheWrite = input,
  } = long && inputTokens > long.above ? long : price;
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
