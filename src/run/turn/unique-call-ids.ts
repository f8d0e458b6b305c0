import type { AssistantMessage } from "../../message/messages.ts";
import { UniqueIds } from "../../message/unique-ids.ts";

/**
 * An answer whose calls all have an id, and each another one: results are told apart by it. Returns the same message where
 * the model behaved.
 */
export function uniqueCallIds(message: AssistantMessage): AssistantMessage {
  const [first, second] = message.toolCalls;
  if (!second && first?.toolCallId !== "") return message;
  const all = new Set(message.toolCalls.map((call) => call.toolCallId));
  if (all.size === message.toolCalls.length && !all.has("")) return message;
  const keptIds = new Set([""]);
  const ids = new UniqueIds(all);
  const renamed = message.toolCalls.map(({ toolCallId }) => {
    if (keptIds.has(toolCallId)) return ids.claim(toolCallId);
    keptIds.add(toolCallId);
    return toolCallId;
  });
  let next = 0;
  return {
    ...message,
    toolCalls: message.toolCalls.map((call, index) => ({
      ...call,
      toolCallId: renamed[index] ?? call.toolCallId,
    })),
    content: message.content.map((part) =>
      part.type === "tool-call" ? { ...part, toolCallId: renamed[next++] ?? part.toolCallId } : part,
    ),
  };
}
