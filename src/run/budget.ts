import { immediate } from "../base/util/callbacks.ts";
import { ConfigurationError } from "../errors.ts";
import { invalidOption } from "../base/options/known-options.ts";
import type { ModelCall } from "./result-types.ts";
import type { CostLimit, RunOptions } from "./types.ts";

/** What a run, and the runs within it, may use. */
export class Budget {
  readonly #maxTokens: number | undefined;
  readonly #maxCost: CostLimit | undefined;
  #counted = 0;
  #tokens = 0;
  #cost = 0;
  #unknown: ConfigurationError | undefined;

  /** @throws ConfigurationError for an invalid limit. */
  constructor({ maxTokens, maxCost }: RunOptions) {
    if (maxCost !== undefined && !(maxCost?.amount >= 0 && typeof maxCost.costOf === "function"))
      throw invalidOption("maxCost must be a limit in money: dollars(0.5) of skein/models, for one.", {
        option: "maxCost",
      });
    this.#maxTokens = maxTokens;
    this.#maxCost = maxCost;
  }

  /**
   * Whether nothing is left after these calls. The list only grows from one time to the next.
   * @throws ConfigurationError (`budget-unknown`) as soon as one does not say what it used, or has no price: the budget could
   * not be kept.
   */
  isSpent(calls: readonly ModelCall[]): boolean {
    for (const call of calls.slice(this.#counted)) this.#count(call);
    this.#counted = calls.length;
    if (this.#unknown) throw this.#unknown;
    const { amount = Infinity } = this.#maxCost ?? {};
    return this.#tokens >= (this.#maxTokens ?? Infinity) || this.#cost >= amount;
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

function unknown({ provider, modelId }: ModelCall, option: string, what: string): ConfigurationError {
  return new ConfigurationError(
    `${option} cannot be kept: it is not known ${what} an answer of ${provider}:${modelId} took. ` +
      (option === "maxCost"
        ? "Give its price: dollars(0.5, { ...prices, ... })."
        : "The provider does not say; use maxTurns instead."),
    { code: "budget-unknown", data: { provider, modelId } },
  );
}
