import type { Generation } from "../../model/types.ts";

/** An answer without anything that its model wrote: what a run has of one that is blocked. */
export function withheld({
  usage,
  response,
  timing,
  warnings,
}: Pick<Generation, "usage" | "response" | "timing" | "warnings">): Generation {
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
