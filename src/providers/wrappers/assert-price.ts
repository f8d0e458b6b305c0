import { describeValue, invalidOption } from "../../base/options/known-options.ts";
import { isObject } from "../../base/util/json.ts";
import type { Price } from "./prices.ts";

const required = ["input", "output"] as const;
const optional = ["cachedInput", "cacheWrite"] as const;

/**
 * Refuses a price that nothing can be computed with.
 * @param name - The model's: `groq:some-model`.
 * @throws ConfigurationError unless each part is a number of at least 0.
 */
export function assertPrice(name: string, price: Price): void {
  if (!isObject(price))
    throw refusal(
      `The price of ${name} is ${describeValue(price)}. Expected { input, output } per million tokens.`,
    );
  assertAmounts(name, price, required, "");
  if (price.long !== undefined) assertAmounts(name, { ...price.long }, ["above", ...required], "long.");
}

function assertAmounts(
  name: string,
  price: Partial<Omit<Price, "long">> & { readonly above?: number },
  needed: readonly ("above" | "input" | "output")[],
  place: string,
): void {
  for (const part of [...needed, ...optional.filter((each) => price[each] !== undefined)]) {
    const amount: unknown = price[part];
    if (typeof amount === "number" && Number.isFinite(amount) && amount >= 0) continue;
    throw refusal(
      `The price of ${name} is not one: ${place}${part} is ${describeValue(amount)}. Expected a number of at least 0.`,
    );
  }
}

function refusal(message: string): Error {
  return invalidOption(message, { option: "prices" });
}
