import type { Message, ToolCall, ToolMessage, ToolResult } from "./messages.ts";

/** The result of a call that has certainly not begun, saying why. */
export function notExecuted(call: ToolCall, why: string): ToolResult {
  const { toolCallId, toolName } = call;
  const text = `${toolName} was not executed: ${why}`;
  return { toolCallId, toolName, content: [{ type: "text", text }], isError: true, outcome: "not-executed" };
}

/**
 * The result of an open call that may have begun, or of which nobody knows: a model that takes it for undone orders once more what was
 * delivered.
 * @param end - What came first, such as "The run was cancelled".
 */
export function unfinished({ toolCallId, toolName }: ToolCall, end: string): ToolResult {
  const text = `${end} before ${toolName} finished. It may or may not have taken effect.`;
  return { toolCallId, toolName, content: [{ type: "text", text }], isError: true, outcome: "cancelled" };
}

/** Whether two calls execute the same tool with the same arguments. */
export function isSameCall(call: ToolCall, other: ToolCall | undefined): boolean {
  return call.toolName === other?.toolName && call.arguments === other.arguments;
}

/** The calls at the end of a history that have no result yet. */
export function unansweredCalls(messages: readonly Message[]): readonly ToolCall[] {
  const answered = new Set<string>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "tool") answered.add(message.result.toolCallId);
    else if (message?.role === "assistant")
      return message.toolCalls.filter((call) => !answered.has(call.toolCallId));
    else return [];
  }
  return [];
}

/** The name of the agent that made the last calls of a history; `undefined` where it is not noted. */
export function callerOf(messages: readonly Message[]): string | undefined {
  return messages.findLast((message) => message.role === "assistant")?.agent;
}

/**
 * A history in which every call has a result before the next message, as providers require. A missing result becomes one
 * that says that the conversation went on. Calls at the very end stay open. Returns the same array if nothing is missing.
 */
export function answerAbandonedCalls(messages: readonly Message[]): readonly Message[] {
  const repaired: Message[] = [];
  let open: readonly ToolCall[] = [];
  for (const message of messages) {
    if (message.role === "tool") open = open.filter((call) => call.toolCallId !== message.result.toolCallId);
    else {
      repaired.push(...open.map(abandonedCall));
      open = message.role === "assistant" ? message.toolCalls : [];
    }
    repaired.push(message);
  }
  return repaired.length === messages.length ? messages : repaired;
}

/** The message for a call that nobody answered before the conversation went on: messages do not show whether it has begun. */
export function abandonedCall(call: ToolCall): ToolMessage {
  return { role: "tool", result: unfinished(call, "The conversation went on") };
}
