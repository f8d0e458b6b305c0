/** Histories that become shorter: their summaries say how far the models have come. */
import type { Compaction, Message } from "skein";

export const isRequest = (message: Message): boolean =>
  message.role === "user" && message.summaryOf === undefined;

const textOf = (message: Message): string =>
  message.role === "assistant" || message.role === "user" ? JSON.stringify(message.content) : "";

/** How many answers there are for each goal and call, in messages and summaries of them. */
export function countAnswers(messages: readonly Message[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (id: string, count: number): void => {
    counts.set(id, (counts.get(id) ?? 0) + count);
  };
  for (const message of messages) {
    if (message.role === "assistant") {
      const [, id] = /for (g\d[-\w]*)/.exec(textOf(message)) ?? [];
      if (id !== undefined) add(id, 1);
    } else if (message.role === "user" && message.summaryOf !== undefined)
      for (const [, id = "", count] of textOf(message).matchAll(/(g\d[-\w]*)=(\d+)/g)) add(id, Number(count));
  }
  return counts;
}

/** Leaves out what is old, in requests of so many tokens. */
export const compactionOf = (maxTokens: number): Compaction => ({
  maxTokens,
  keep: Math.floor(maxTokens / 20),
  pruneResults: { keepLast: 1, maxChars: 200 },
  summarize: (messages) => [...countAnswers(messages)].map(([id, count]) => `${id}=${count}`).join(),
});
