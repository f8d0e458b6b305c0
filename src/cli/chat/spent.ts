import type { Usage } from "../../message/messages.ts";
import { addUsage, noUsage } from "../../message/usage.ts";
import type { ModelCall } from "../../model/model-call.ts";

/** What a conversation has used, what was taken back included. */
export interface Spent {
  readonly modelCalls: number;
  readonly usage: Usage;
  /** In US dollars, of the calls whose price is known. */
  readonly cost: number;
  /** How many calls are not in `cost`. */
  readonly unpriced: number;
}

/** Before the first model call. */
export const nothingSpent: Spent = { modelCalls: 0, usage: noUsage, cost: 0, unpriced: 0 };

/** Adds the calls of a run. */
export async function addSpent(spent: Spent, calls: readonly ModelCall[]): Promise<Spent> {
  const { costOf } = await import("../../providers/wrappers/cost.ts");
  const costs = calls.map((call) => costOf(call));
  return {
    modelCalls: spent.modelCalls + calls.length,
    usage: calls.reduce((sum, { usage }) => addUsage(sum, usage), spent.usage),
    cost: costs.reduce<number>((sum, cost = 0) => sum + cost, spent.cost),
    unpriced: spent.unpriced + costs.filter((cost) => cost === undefined).length,
  };
}

/** What was spent, in a sentence: `2 model calls, 1,200 tokens in and 80 out, $0.0012`. */
export function describeSpent({ modelCalls, usage, cost, unpriced }: Spent): string {
  const { inputTokens, outputTokens, cachedInputTokens } = usage;
  const parts = [count(modelCalls, "model call")];
  if (inputTokens !== undefined || outputTokens !== undefined) {
    const cached = cachedInputTokens ? ` (${amount(cachedInputTokens)} of them cached)` : "";
    parts.push(`${amount(inputTokens ?? 0)} tokens in${cached} and ${amount(outputTokens ?? 0)} out`);
  }
  if (cost > 0) parts.push(`$${cost.toFixed(cost < 1 ? 4 : 2)}`);
  if (unpriced > 0) parts.push(`the price of ${count(unpriced, "call")} is not known`);
  return parts.join(", ");
}

function count(number: number, what: string): string {
  return `${amount(number)} ${what}${number === 1 ? "" : "s"}`;
}

function amount(number: number): string {
  return number.toLocaleString("en-US");
}
