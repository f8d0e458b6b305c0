import { notExecuted, unansweredCalls, unfinished } from "../../message/unanswered-calls.ts";
import type { Message, ToolMessage } from "../../message/messages.ts";
import type { StoredConversation } from "./stored-conversation.ts";

/**
 * The messages that models see, with a result for each call that is given up: "not executed" only where nobody has decided on it yet.
 * Else it would be a guess, after which a model may order once more what was delivered.
 */
export function withInterruptedCalls(conversation: StoredConversation): readonly Message[] {
  const { view, state } = conversation;
  const unstarted = unstartedCalls(conversation);
  const end = state?.status === "running" ? "The process ended" : "The conversation went on";
  const results = unansweredCalls(view).map((call): ToolMessage => {
    const result = unstarted.has(call.toolCallId)
      ? notExecuted(call, "the conversation went on without it.")
      : unfinished(call, end);
    return { role: "tool", result };
  });
  return results.length === 0 ? view : [...view, ...results];
}

/** The ids of calls without a result that have certainly not begun: nobody has allowed them, or they are beyond a limit. */
export function unstartedCalls({ view, state, decisions }: StoredConversation): ReadonlySet<string> {
  const approvals = new Map(state?.approvals?.map(({ toolCallId, approvalId }) => [toolCallId, approvalId]));
  const idsWithWork = new Set(state?.nested?.map(({ toolCallId }) => toolCallId));
  const ids = unansweredCalls(view).map(({ toolCallId }) => toolCallId);
  return new Set(
    ids.filter((id) => {
      if (idsWithWork.has(id)) return false;
      if (state?.status === "max-tool-calls") return true;
      const approvalId = approvals.get(id);
      return approvalId !== undefined && decisions.get(approvalId)?.decision !== "approve";
    }),
  );
}
