import type { AssistantMessage } from "../../message/messages.ts";

/**
 * An answer whose calls all have an id, and each another one: results are told apart by it. Gives back the same
 * message where the model behaved.
 */
export function uniqueCallIds(message: AssistantMessage): AssistantMessage {
  const [first, second] = message.toolCalls;
  if (!second && first?.toolCallId !== "") return message;
  const ids = new Set(message.toolCalls.map((call) => call.toolCallId));
  if (ids.size === message.toolCalls.length && !ids.has("")) return message;
  const usedIds = new Set<string>();
  const renamed = message.toolCalls.map(({ toolCallId }, index) => {
    let id = toolCallId === "" ? `call_${index + 1}` : toolCallId;
    while (usedIds.has(id) || (id !== toolCallId && ids.has(id))) id = `${id}_${index + 1}`;
    usedIds.add(id);
    return id;
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
