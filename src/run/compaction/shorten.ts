import type { Message, ToolMessage, UserMessage } from "../../message/messages.ts";
import { successesIn } from "../../message/successes.ts";
import type { Compaction } from "./options.ts";
import { tokensOf } from "./estimate.ts";

/** What is left out of a history, and what stays. */
export interface Shortened {
  readonly dropped: readonly Message[];
  /** Without the summary, which comes between them. */
  readonly before: readonly Message[];
  readonly after: readonly Message[];
}

/**
 * Which messages to leave out so that about `keep` tokens of the newest stay; the latest answer stays in any case.
 * @param lasting - The names of tools whose latest result stays, with the answer that it is for.
 */
export function shorten(
  messages: readonly Message[],
  keep: number,
  lasting: ReadonlySet<string> = none,
): Shortened {
  const cut = placeOfCut(messages, keep);
  const lastUser = messages.findLastIndex(isOfUser);
  const isKept = (message: Message, index: number): boolean =>
    message.role === "system" || index === lastUser;
  const old = messages.slice(0, cut);
  const turns = lastingTurns(messages, lasting);
  return {
    dropped: old.filter((message, index) => !isKept(message, index) && !turns.has(index)),
    before: old.filter(isKept),
    // No history begins with an answer: these come behind the summary.
    after: [...old.filter((_, index) => turns.has(index)), ...messages.slice(cut)],
  };
}

const none: ReadonlySet<string> = new Set();

/** The places of the turns that have the latest results of these tools. */
function lastingTurns(messages: readonly Message[], lasting: ReadonlySet<string>): ReadonlySet<number> {
  const places = new Set<number>();
  for (const place of latestResults(messages, lasting)) {
    const start = messages.findLastIndex(({ role }, index) => index < place && role !== "tool");
    if (messages[start]?.role !== "assistant") continue;
    for (let index = start; index === start || messages[index]?.role === "tool"; index++) places.add(index);
  }
  return places;
}

/** Where the latest success of each of these tools is. */
function latestResults(messages: readonly Message[], lasting: ReadonlySet<string>): ReadonlySet<number> {
  const isLatest = (message: Message, name: string): boolean =>
    message.role === "tool" && message.result.toolName === name && message.result.outcome === "success";
  return new Set(Array.from(lasting, (name) => messages.findLastIndex((message) => isLatest(message, name))));
}

/** Whether a message is the user's own: neither a summary, nor what the run says of an answer. */
function isOfUser(message: Message): boolean {
  return message.role === "user" && message.summaryOf === undefined && !message.correction;
}

/** Results stay with their calls: no cut comes before one. */
function placeOfCut(messages: readonly Message[], keep: number): number {
  let cut = messages.length;
  let tokens = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (!message) continue;
    tokens += tokensOf(message);
    if (message.role === "tool") continue;
    if (tokens > keep && cut < messages.length) break;
    cut = index;
  }
  return cut;
}

/** The message in place of those that were dropped. */
export function summaryMessage(dropped: readonly Message[], summary: string | undefined): UserMessage {
  const count = dropped.reduce((sum, message) => sum + weight(message), 0);
  const content =
    summary === undefined
      ? `[${count} earlier messages were left out.]`
      : `[Summary of ${count} earlier messages]\n${summary}`;
  const succeeded = [...new Set(dropped.flatMap(successesIn))];
  return { role: "user", content, summaryOf: count, ...(succeeded.length > 0 && { succeeded }) };
}

/** How many messages a message stands for. */
function weight(message: Message): number {
  return (message.role === "user" && message.summaryOf) || 1;
}

const defaultKeepLast = 3;
const defaultMaxChars = 2_000;
/** A note is shorter than this, and not replaced again. */
export const leastChars = 200;

/**
 * The messages with old, large results replaced by a note; the same array if there are none.
 * @param lasting - The names of tools whose latest result stays.
 */
export function pruneResults(
  messages: readonly Message[],
  { keepLast = defaultKeepLast, maxChars = defaultMaxChars }: NonNullable<Compaction["pruneResults"]>,
  lasting: ReadonlySet<string> = none,
): readonly Message[] {
  const latest = latestResults(messages, lasting);
  let newest = keepLast;
  let isPruned = false;
  const pruned = messages.toReversed().map((message, fromEnd) => {
    if (message.role !== "tool" || newest-- > 0 || latest.has(messages.length - 1 - fromEnd)) return message;
    const size = sizeOf(message);
    if (size <= Math.max(maxChars, leastChars)) return message;
    isPruned = true;
    return withoutResult(message, size);
  });
  return isPruned ? pruned.toReversed() : messages;
}

function sizeOf({ result }: ToolMessage): number {
  return result.content.reduce((sum, part) => sum + ("text" in part ? part.text : part.url).length, 0);
}

function withoutResult({ role, result }: ToolMessage, size: number): ToolMessage {
  const { structuredContent: _, truncated: _truncated, ...rest } = result;
  const text = `[An old result of ${size} characters was left out here. Call the tool again if it is needed.]`;
  return { role, result: { ...rest, content: [{ type: "text", text }], isPruned: true } };
}
