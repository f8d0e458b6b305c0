import type { AssistantMessage, Message } from "./messages.ts";

/**
 * The parts of an answer at the end of a history whose rest is missing: its provider has paused, and goes on where it is called again.
 * What came of the rest before a run was cancelled does not count: the model writes it once more.
 * @param end - How many of the messages to look at.
 */
export function openParts(
  messages: readonly Message[],
  end: number = messages.length,
): readonly AssistantMessage[] {
  const parts: AssistantMessage[] = [];
  for (let index = end - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== "assistant" || !(message.shouldContinue || message.truncated)) break;
    if (message.shouldContinue) parts.unshift(message);
  }
  return parts;
}

/** What an answer says, over all its parts. */
export function textOfAnswers(parts: readonly AssistantMessage[]): string {
  return parts
    .flatMap(({ content }) => content.map((part) => (part.type === "text" ? part.text : "")))
    .join("");
}
