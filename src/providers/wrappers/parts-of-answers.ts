import type { Message } from "../../message/messages.ts";
import type { AssistantPart } from "../../message/parts.ts";

/** The parts of each answer among messages, which a program may have written by hand: what is not a part is left out. */
export function partsOfAnswers(source: Message | readonly Message[]): readonly (readonly AssistantPart[])[] {
  const messages: readonly Message[] = isList(source) ? source : [source];
  return messages.flatMap((message) =>
    Object(message) === message && message.role === "assistant" && Array.isArray(message.content)
      ? [message.content.filter((part) => Object(part) === part)]
      : [],
  );
}

function isList(source: Message | readonly Message[]): source is readonly Message[] {
  return Array.isArray(source);
}
