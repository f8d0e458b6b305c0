import type { ToolCall } from "../message/messages.ts";
import type { StepKey } from "../message/step-key.ts";
import type { ExecutionScope } from "./types.ts";

/** The key of the step that executes a call. */
export function stepOfCall({ toolCallId }: ToolCall, { runId, turn = 0, step }: ExecutionScope): StepKey {
  return { runId, turn, kind: "tool", id: toolCallId, ...(step && { parent: step }) };
}
