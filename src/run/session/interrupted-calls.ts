import { notExecuted, unansweredCalls, unfinished } from "../../message/unanswered-calls.ts";
import type { Message, ToolMessage } from "../../message/messages.ts";
import type { StoredConversation } from "./stored-conversation.ts";

/**
 * The messages that models see, with a result for each call that is given up: "not executed" only where nobody has decided on it yet.
 * Else it would be a guess, after which a model may order once more what was delivered.
 */
export function withInterruptedCalls({ view, state, decisions }: StoredConversation): readonly Message[] {
  const approvals = new Map(state?.approvals?.map(({ toolCallId, approvalId }) => [toolCallId, approvalId]));
  const idsWithWork = new Set(state?.nested?.map(({ toolCallId }) => toolCallId));
  const end = state?.status === "running" ? "The process ended" : "The conversation went on";
  const results = unansweredCalls(view).map((call): ToolMessage => {
    const approvalId = idsWithWork.has(call.toolCallId) ? undefined : approvals.get(call.toolCallId);
    const isUndecided = approvalId !== undefined && decisions.get(approvalId)?.decision !== "approve";
    // Beyond the limit nothing was begun.
    const isBeyond = state?.status === "max-tool-calls" && !idsWithWork.has(call.toolCallId);
    const result =
      isUndecided || isBeyond
        ? notExecuted(call, "the conversation went on without it.")
        : unfinished(call, end);
    return { role: "tool", result };
  });
  return results.length === 0 ? view : [...view, ...results];
}
