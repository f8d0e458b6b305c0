import type { AssistantMessage } from "../../message/messages.ts";

/** An answer with a call of `look_up` for each id. */
export function callsOf(args: string, ids: readonly string[]): AssistantMessage {
  const toolCalls = ids.map((toolCallId) => ({ toolCallId, toolName: "look_up", arguments: args }));
  return {
    role: "assistant",
    content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId })),
    toolCalls,
  };
}
