import type { ToolCall, ToolOutcome, ToolResult } from "../message/messages.ts";
import { unfinished } from "../message/unanswered-calls.ts";
import { textResult } from "./finalize.ts";
import type { ExecutionScope, SettledCall } from "./types.ts";

type Scope = Pick<ExecutionScope, "mayHaveBegun">;

/** The result of a call whose tool is not called. One that may have begun before says that: nobody must take it for undone. */
export function refusal(call: ToolCall, why: string, outcome: ToolOutcome, scope: Scope): ToolResult {
  const { toolCallId, toolName } = call;
  if (!scope.mayHaveBegun?.(toolCallId))
    return textResult(call, `${toolName} was not called: ${why}`, outcome);
  return textResult(call, `${toolName} was not finished: ${why} ${partlyDone}`, "cancelled");
}

/** The result of a call that the model can correct. */
export function correctionOf(call: ToolCall, text: string, outcome: ToolOutcome, scope: Scope): ToolResult {
  if (!scope.mayHaveBegun?.(call.toolCallId)) return textResult(call, text, outcome);
  return textResult(call, `${call.toolName} was not finished. ${partlyDone}\n${text}`, "cancelled");
}

const partlyDone = "It may or may not have taken effect before.";

/** The outcome of a call that was cancelled before its tool was called. */
export function cancelledBeforeStart(call: ToolCall, scope: Scope): SettledCall {
  const why = "the run was cancelled.";
  const result = scope.mayHaveBegun?.(call.toolCallId)
    ? unfinished(call, "The run was cancelled")
    : refusal(call, why, "cancelled", scope);
  return { isUnstarted: true, result };
}
