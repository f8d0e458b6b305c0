import type { AssistantMessage, ToolCall } from "../../message/messages.ts";
import { UniqueIds } from "../../message/unique-ids.ts";

/** What only ids have that are made for calls within calls: a fingerprint of what was passed on. */
const fingerprinted = /(?:\/|%2F)[0-9a-f]{16}(?:[/%]|$)/;

/**
 * An answer whose calls all have an id, and each another one, which no call within a call has: results and decisions are told apart by
 * it. Returns the same message where the model behaved.
 * @param answered - The ids of calls that have results already.
 */
export function uniqueCallIds(
  message: AssistantMessage,
  answered: ReadonlySet<string> = new Set(),
): AssistantMessage {
  const [call, another] = message.toolCalls;
  // Most answers have one call or none.
  if (!call || (!another && call.toolCallId !== "" && !fingerprinted.test(call.toolCallId))) return message;
  const keptIds = new Set<string>();
  const ids = new UniqueIds(new Set(message.toolCalls.map(({ toolCallId }) => toolCallId)));
  const renamed = message.toolCalls.map(({ toolCallId }) => {
    const isNested = fingerprinted.test(toolCallId);
    if (!answered.has(toolCallId) && (toolCallId === "" || isNested || keptIds.has(toolCallId)))
      return ids.claim(isNested ? toolCallId.replaceAll(/[/%]/g, "_") : toolCallId);
    keptIds.add(toolCallId);
    return toolCallId;
  });
  if (message.toolCalls.every(({ toolCallId }, index) => toolCallId === renamed[index])) return message;
  let next = 0;
  return {
    ...message,
    toolCalls: message.toolCalls.map((each, index) => renameCall(each, renamed[index] ?? each.toolCallId)),
    content: message.content.map((part) =>
      part.type === "tool-call" ? { ...part, toolCallId: renamed[next++] ?? part.toolCallId } : part,
    ),
  };
}

function renameCall(call: ToolCall, toolCallId: string): ToolCall {
  const { toolCallId: originalId } = call;
  if (originalId === toolCallId) return call;
  return { ...call, toolCallId, ...(originalId !== "" && { originalId }) };
}
