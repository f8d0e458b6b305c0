import type { Message, ToolCall, ToolMessage, ToolResult } from "./messages.ts";

/** The result of a call that was never started, saying why. */
export function notExecuted(call: ToolCall, why: string): ToolResult {
  const { toolCallId, toolName } = call;
  const text = `${toolName} was not executed: ${why}`;
  return { toolCallId, toolName, content: [{ type: "text", text }], isError: true, outcome: "not-executed" };
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

/** The message for a call that nobody answered before the conversation went on. */
export function abandonedCall(call: ToolCall): ToolMessage {
  return { role: "tool", result: notExecuted(call, "the conversation went on without it.") };
}
