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

/**
 * The ids of calls without a result that have certainly not begun: nobody has allowed them, they are beyond a limit, or the run failed
 * before it came to them.
 */
export function unstartedCalls({ view, state, decisions }: StoredConversation): ReadonlySet<string> {
  const { approvals = [], nested = [], underWay = [], interrupted, status } = state ?? {};
  const approvalIds = new Map(approvals.map(({ toolCallId, approvalId }) => [toolCallId, approvalId]));
  const reached = new Set([...nested.map(({ toolCallId }) => toolCallId), ...underWay]);
  const isCertain = !interrupted && (state?.underWay !== undefined || status === "max-tool-calls");
  const isUnstarted = (id: string): boolean => {
    if (reached.has(id) || isCertain) return !reached.has(id);
    const approvalId = approvalIds.get(id);
    if (approvalId === undefined) return false;
    if (interrupted) return !interrupted.includes(approvalId);
    // A run that goes on says so before it carries anything out.
    return status === "paused" || decisions.get(approvalId)?.decision !== "approve";
  };
  return new Set(
    unansweredCalls(view)
      .map(({ toolCallId }) => toolCallId)
      .filter(isUnstarted),
  );
}
