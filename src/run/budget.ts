import { immediate } from "../base/util/callbacks.ts";
import { ConfigurationError } from "../errors.ts";
import { invalidOption } from "../base/options/known-options.ts";
import type { CostLimit, ModelCall } from "../model/model-call.ts";
import type { Meters } from "./state/meters.ts";
import type { RunOptions } from "./types.ts";

/** What answers have taken. */
export interface Spent {
  readonly tokens: number;
  /** As `costOf` of `maxCost` counts; 0 without that. */
  readonly cost: number;
}

/** What a run, and the runs within it, may use. */
export class Budget {
  readonly #maxTokens: number | undefined;
  readonly #maxCost: CostLimit | undefined;
  readonly #modelCalls: readonly ModelCall[];
  readonly #outer: Budget | undefined;
  readonly #earlier: readonly ModelCall[];
  #counted = 0;
  #tokens: number;
  #cost: number;
  #unknown: ConfigurationError | undefined;

  /**
   * @param meters - Those of the run that has the limits.
   * @param outer - The budget of the run around it.
   * @param earlier - Answers from before the run paused that count, too.
   * @param spent - What others have taken that count, too.
   * @throws ConfigurationError for an invalid limit.
   */
  constructor(
    { maxTokens, maxCost }: RunOptions,
    { modelCalls }: Pick<Meters, "modelCalls">,
    outer: Budget | undefined,
    earlier: readonly ModelCall[] = [],
    spent: Spent = nothing,
  ) {
    if (maxCost !== undefined && !(maxCost?.amount >= 0 && typeof maxCost.costOf === "function"))
      throw invalidOption("maxCost must be a limit in money: dollars(0.5) of skein/models, for one.", {
        option: "maxCost",
      });
    this.#maxTokens = maxTokens;
    this.#maxCost = maxCost;
    this.#modelCalls = modelCalls;
    this.#outer = outer;
    this.#earlier = earlier;
    this.#tokens = spent.tokens;
    this.#cost = spent.cost;
    for (const call of earlier) this.#count(call);
  }

  /** All answers that count. */
  get calls(): readonly ModelCall[] {
    return [...this.#earlier, ...this.#modelCalls];
  }

  /** What all of them have taken. */
  get spent(): Spent {
    return { tokens: this.#tokens, cost: this.#cost };
  }

  /**
   * Whether nothing is left, here or of the budget around it.
   * @throws ConfigurationError (`budget-unknown`) as soon as one does not say what it used, or has no price: the budget could
   * not be kept.
   */
  isSpent(): boolean {
    for (const call of this.#modelCalls.slice(this.#counted)) this.#count(call);
    this.#counted = this.#modelCalls.length;
    if (this.#unknown) throw this.#unknown;
    const { amount = Infinity } = this.#maxCost ?? {};
    if (this.#tokens >= (this.#maxTokens ?? Infinity) || this.#cost >= amount) return true;
    return this.#outer?.isSpent() ?? false;
  }

  #count(call: ModelCall): void {
    const { totalTokens } = call.usage;
    if (totalTokens !== undefined) this.#tokens += totalTokens;
    else if (this.#maxTokens !== undefined) this.#unknown ??= unknown(call, "maxTokens", "how many tokens");
    if (!this.#maxCost) return;
    const cost = immediate(this.#maxCost.costOf(call), () =>
      invalidOption("costOf of maxCost must return an amount, not a promise.", { option: "maxCost" }),
    );
    if (cost !== undefined && cost >= 0) this.#cost += cost;
    else this.#unknown ??= unknown(call, "maxCost", "how much money");
  }
}

const nothing: Spent = { tokens: 0, cost: 0 };

/**
 * What answers have taken in all, of what is limited.
 * @param before - What answers before them have taken.
 */
export function spentWith(
  options: RunOptions,
  modelCalls: readonly ModelCall[],
  before: Spent | undefined,
): Spent {
  return new Budget(options, { modelCalls: [] }, undefined, modelCalls, before).spent;
}

function unknown({ provider, modelId, usage }: ModelCall, option: string, what: string): ConfigurationError {
  const remedy =
    usage.totalTokens === undefined
      ? "Its answer reports no usage: use maxTurns instead (in a scripted turn, write usage)."
      : "Give its price: dollars(0.5, { ...prices, ... }).";
  return new ConfigurationError(
    `${option} cannot be kept: it is not known ${what} an answer of ${provider}:${modelId} took. ${remedy}`,
    { code: "budget-unknown", data: { provider, modelId } },
  );
}
