import { textResult } from "../../executor/finalize.ts";
import { unansweredCalls } from "../../message/unanswered-calls.ts";
import type { Message, ToolMessage } from "../../message/messages.ts";
import type { StoredConversation } from "./stored-conversation.ts";

/**
 * The messages that models see, with a result for each call that was under way when the process of its run died: "not executed" would be
 * a guess, after which a model may order once more what was delivered.
 */
export function withInterruptedCalls({ view, state, decisions }: StoredConversation): readonly Message[] {
  if (state?.status !== "running") return view;
  const approvals = new Map(state.approvals?.map(({ toolCallId, approvalId }) => [toolCallId, approvalId]));
  const results = unansweredCalls(view).flatMap((call): ToolMessage[] => {
    const approvalId = approvals.get(call.toolCallId);
    if (approvalId !== undefined && decisions.get(approvalId)?.decision !== "approve") return [];
    const text = `The process ended before ${call.toolName} finished. It may or may not have taken effect.`;
    return [{ role: "tool", result: textResult(call, text, "cancelled") }];
  });
  return results.length === 0 ? view : [...view, ...results];
}
