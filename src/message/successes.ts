import type { Message } from "./messages.ts";

/** The names of the tools that succeeded in a message, or in the messages that it stands for. */
export function successesIn(message: Message): readonly string[] {
  if (message.role === "user") return message.succeeded ?? [];
  return message.role === "tool" && message.result.outcome === "success" ? [message.result.toolName] : [];
}
