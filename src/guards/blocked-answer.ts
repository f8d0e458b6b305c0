import { noUsage } from "../message/usage.ts";
import type { ModelEvent } from "../model/types.ts";
import { withheld } from "../run/steps/withheld.ts";
import type { ModelStepInfo } from "../tool/step-middleware.ts";

/** What stands for the answer of a model that was not asked, or was stopped. */
export function blockedAnswer({ model: { modelId } }: Pick<ModelStepInfo, "model">): ModelEvent {
  const timing = { firstTokenMs: undefined, totalMs: 0, tokensPerSecond: undefined };
  const response = { id: undefined, modelId, headers: {} };
  return { type: "finish", generation: withheld({ usage: noUsage, response, timing, warnings: [] }) };
}
