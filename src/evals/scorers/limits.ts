import type { CostLimit } from "../../model/model-call.ts";
import type { Scorer } from "../types.ts";
import { scorer, verdict } from "./verdict.ts";

/** At most `most` model calls. */
export function turnsAtMost(most: number): Scorer {
  return scorer("turns", ({ turns }) =>
    verdict(turns <= most, () => `${turns} model calls; ${most} at most`),
  );
}

/** At most `most` tokens, of requests and answers together. Fails where the provider does not report them. */
export function tokensAtMost(most: number): Scorer {
  return scorer("tokens", ({ usage: { totalTokens } }) =>
    verdict(
      totalTokens !== undefined && totalTokens <= most,
      () => `${totalTokens ?? "unknown"} tokens; ${most} at most`,
    ),
  );
}

/** Costs at most this amount: `costAtMost(dollars(0.01))` with `skein/models`. Fails where the cost is not known. */
export function costAtMost({ amount, costOf }: CostLimit): Scorer {
  return scorer("cost", ({ modelCalls }) => {
    let cost: number | undefined = 0;
    for (const call of modelCalls) {
      const each = costOf(call);
      cost = each === undefined || cost === undefined ? undefined : cost + each;
    }
    return verdict(
      cost !== undefined && cost <= amount,
      () => `cost ${cost ?? "unknown"}; ${amount} at most`,
    );
  });
}

/** Takes at most `most` milliseconds, over the whole conversation. */
export function latencyAtMost(most: number): Scorer {
  return scorer("latency", ({ durationMs }) =>
    verdict(durationMs <= most, () => `${Math.round(durationMs)} ms; ${most} at most`),
  );
}
