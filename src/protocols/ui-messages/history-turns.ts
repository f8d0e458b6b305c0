import type { AssistantMessage, Message, ToolResult, UserMessage } from "../../message/messages.ts";

/** A turn of a history: what a model answered, and the results of its calls. */
export interface HistoryTurn {
  readonly message: AssistantMessage;
  readonly results: Map<string, ToolResult>;
}

/** What becomes a message of a page: what the user wrote, or all turns of the assistant up to the next such message. */
export type HistoryEntry = { readonly index: number } & (
  | { readonly user: UserMessage }
  | { readonly turns: [HistoryTurn, ...HistoryTurn[]]; end: number }
);

/**
 * Groups a history by who speaks. What Skein itself reports to the model (corrections, summaries) and instructions are left out.
 * `index` and `end` are where an entry begins and ends in the history.
 */
export function historyEntries(messages: readonly Message[]): readonly HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const [index, message] of messages.entries()) {
    const last = entries.at(-1);
    if (message.role === "user") {
      if (!message.correction && message.summaryOf === undefined) entries.push({ index, user: message });
    } else if (message.role === "assistant") {
      const turn: HistoryTurn = { message, results: new Map() };
      if (last && "turns" in last) {
        last.turns.push(turn);
        last.end = index + 1;
      } else entries.push({ index, turns: [turn], end: index + 1 });
    } else if (message.role === "tool" && last && "turns" in last) {
      last.turns.at(-1)?.results.set(message.result.toolCallId, message.result);
      last.end = index + 1;
    }
  }
  return entries;
}
