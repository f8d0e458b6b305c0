import type { Message, UserMessage } from "../message/messages.ts";
import type { AssistantPart } from "../message/parts.ts";

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

/** About how many bytes the messages behind the first `counted` have: their texts, without writing them as JSON in the middle of a run. */
export function sizeOfMessages(messages: readonly Message[], counted: number): number {
  return messages.slice(counted).reduce((sum, message) => sum + 100 + sizeOfMessage(message), 0);
}

function sizeOfMessage(message: Message): number {
  if (message.role === "tool") {
    const { content, structuredContent } = message.result;
    // A value is about as large as the text that the model reads of it.
    return sizeOfParts(content) * (structuredContent === undefined ? 1 : 2);
  }
  const calls = message.role === "assistant" ? message.toolCalls : [];
  return calls.reduce((sum, call) => sum + call.arguments.length, sizeOfParts(message.content));
}

function sizeOfParts(content: string | readonly AssistantPart[]): number {
  if (typeof content === "string") return content.length;
  return content.reduce(
    (sum, part) => sum + ("text" in part ? part.text.length : "url" in part ? part.url.length : 100),
    0,
  );
}
