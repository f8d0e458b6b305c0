import type { Message } from "./messages.ts";

/** The names of the tools that succeeded in a message, or in the messages that it stands for. */
export function successesIn(message: Message): readonly string[] {
  if (message.role === "user") return message.succeeded ?? [];
  if (message.role !== "tool" || message.result.outcome !== "success") return [];
  const { toolName, usedTool } = message.result;
  return usedTool === undefined ? [toolName] : [toolName, usedTool];
}
