import type { Message, ToolResult } from "./messages.ts";

/** The names of the tools that succeeded in a message, or in the messages that it stands for. */
export function successesIn(message: Message): readonly string[] {
  if (message.role === "user") return message.succeeded ?? [];
  return message.role === "tool" ? successesOf(message.result) : [];
}

/** The names of the tools that succeeded in a call: its own, and those that were called on its behalf, however it ended itself. */
export function successesOf({ outcome, toolName, usedTool, succeeded = [] }: ToolResult): readonly string[] {
  if (outcome !== "success") return succeeded;
  return [toolName, ...(usedTool === undefined ? [] : [usedTool]), ...succeeded];
}
