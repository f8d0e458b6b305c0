import type { ToolOutcome } from "./messages.ts";

/** Whether a call was answered with a correction: the model's own mistake, in a message that says how to do better. */
export function isCorrection(outcome: ToolOutcome): boolean {
  return outcome === "invalid-arguments" || outcome === "unknown-tool";
}
