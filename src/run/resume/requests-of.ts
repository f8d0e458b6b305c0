import type { NestedRequest } from "../../executor/types.ts";
import type { PendingCall } from "../../message/run-state.ts";

/** The requests for decisions on calls that wait within another, as they were made. */
export function requestsOf(calls: readonly PendingCall[]): readonly NestedRequest[] {
  return calls
    .filter(({ approvalId }) => approvalId !== undefined)
    .map(({ toolCallId, toolName, arguments: text, approvalId = "", input, agent = "" }) => {
      const toolCall = { toolCallId, toolName, arguments: text };
      return { approvalId, toolCall, input, agent };
    });
}
