import type { Message, UserMessage } from "../message/messages.ts";

/** What the user said last: the messages behind the last answer, as text. */
export function newestUserText(messages: readonly Message[]): string {
  const from = messages.findLastIndex(({ role }) => role === "assistant" || role === "tool") + 1;
  return messages
    .slice(from)
    .flatMap((message) => (message.role === "user" ? [textOfUser(message)] : []))
    .join("\n");
}

/** A message of the user as text: images and files by their kind. */
export function textOfUser({ content }: UserMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => ("text" in part ? part.text : `[${part.type}]`)).join("\n");
}

/** About how many bytes the messages behind the first `counted` have. */
export function sizeOfMessages(messages: readonly Message[], counted: number): number {
  return messages.slice(counted).reduce((sum, message) => sum + JSON.stringify(message).length, 0);
}
