import type { AssistantMessage } from "./messages.ts";

/** The text of an assistant's message, its parts joined. */
export function assistantText(message: AssistantMessage): string {
  let text = "";
  for (const part of message.content) if (part.type === "text") text += part.text;
  return text;
}
