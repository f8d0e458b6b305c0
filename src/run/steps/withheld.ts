import { noUsage } from "../../message/usage.ts";
import type { Generation } from "../../model/types.ts";

/** What is left of an answer of which nobody may read anything. */
type Remains = Pick<Generation, "usage" | "response" | "timing" | "warnings">;

/** An answer without anything that its model wrote: what a run has of one that is blocked. */
export function withheld({ usage, response, timing, warnings }: Remains): Generation {
  return {
    text: "",
    message: { role: "assistant", content: [], toolCalls: [] },
    toolCalls: [],
    finishReason: "content-filter",
    rawFinishReason: undefined,
    usage,
    response,
    timing,
    warnings,
  };
}

/** What stands for the answer of a model that was not called, or was stopped. */
export function notAnswered(modelId: string): Generation {
  const timing = { firstTokenMs: undefined, totalMs: 0, tokensPerSecond: undefined };
  const response = { id: undefined, modelId, headers: {} };
  return withheld({ usage: noUsage, response, timing, warnings: [] });
}
