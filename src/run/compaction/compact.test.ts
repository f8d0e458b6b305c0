import { describe, expect, test } from "vitest";
import { Agent } from "skein";
import type { Message } from "../../message/messages.ts";
import { startRun } from "../start.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { compact } from "./compact.ts";
import { tokensOfAll } from "./estimate.ts";
import type { Compaction } from "./options.ts";

const user = (content: string): Message => ({ role: "user", content });
const answer = (words: string): Message => ({
  role: "assistant",
  content: [{ type: "text", text: words }],
  toolCalls: [],
});

/** A result of `length` characters, behind its call. */
const result = (id: string, length: number): readonly Message[] => [
  { role: "assistant", content: [], toolCalls: [{ toolCallId: id, toolName: "read", arguments: "{}" }] },
  {
    role: "tool",
    result: {
      toolCallId: id,
      toolName: "read",
      content: [{ type: "text", text: "x".repeat(length) }],
      isError: false,
      outcome: "success",
    },
  },
];

/** A run with this history after a compaction before its first request. */
async function compacted(history: readonly Message[], compaction: Compaction): Promise<ActiveRun> {
  const run = startRun(new Agent({ name: "A" }), history, {});
  await compact(run, compaction, undefined, undefined);
  return run;
}

const history: readonly Message[] = [
  ...[1, 2, 3, 4].flatMap((turn) => [user(`${turn}`.repeat(400)), answer("y".repeat(400))]),
  user("And now?"),
];
const tokens = tokensOfAll(history);

test("a history as long as the limit stays, and one that is a token longer does not", async () => {
  const { conversation } = await compacted(history, { maxTokens: tokens });
  expect(conversation.messages).toEqual(history);
  const shorter = await compacted(history, { maxTokens: tokens - 1 });
  expect(shorter.conversation.messages.length).toBeLessThan(history.length);
});

test("of the room for the history a quarter stays, unless `keep` says otherwise", async () => {
  const messagesLeft = async (compaction: Compaction): Promise<number> => {
    const { conversation } = await compacted(history, compaction);
    return conversation.messages.length;
  };
  const maxTokens = tokens - 1;
  const quarter = tokens / 4;
  expect(await messagesLeft({ maxTokens })).toBe(await messagesLeft({ maxTokens, keep: quarter }));
  expect(await messagesLeft({ maxTokens, keep: 0 })).toBe(2);
  expect(await messagesLeft({ maxTokens, keep: tokensOfAll(history.slice(-3)) })).toBe(4);
  expect(await messagesLeft({ maxTokens, keep: tokensOfAll(history.slice(-3)) - 1 })).toBe(3);
});

test("what gains less than a tenth of the limit is not done, of which the run warns", async () => {
  const dropped = history.slice(0, 1);
  const gain = tokensOfAll(dropped);
  const long = [...dropped, answer("z".repeat(4 * (9 * gain))), user("And now?")];
  const before = tokensOfAll(long);
  const keep = before - gain;
  const done = await compacted(long, { maxTokens: 10 * gain, keep });
  expect([done.conversation.messages.length, done.warnings]).toEqual([3, []]);
  expect(done.conversation.messages[0]).toMatchObject({ summaryOf: 1 });
  const left = await compacted(long, { maxTokens: 10 * gain + 1, keep });
  expect(left.conversation.messages).toEqual(long);
  expect(left.warnings).toEqual([expect.stringContaining("what must be kept of it is nearly all")]);
});

describe("old results", () => {
  // A whole number of tokens: what is beside the history is not estimated at a fraction then.
  const results = [user("Read"), ...result("a", 4_000), ...result("b", 4_000), user("And now?")];
  const noteTokens = tokensOfAll([user("x".repeat(100))]);

  test("are enough where the history then is as long as the limit", async () => {
    const pruneResults = { keepLast: 1 };
    const { conversation } = await compacted(results, { maxTokens: tokensOfAll(results) - 1, pruneResults });
    expect(conversation.messages).toHaveLength(results.length);
    const after = tokensOfAll(conversation.messages);
    expect(after).toBeLessThan(tokensOfAll(results) - 1_000 + noteTokens);
    const exactly = await compacted(results, { maxTokens: after, pruneResults });
    expect([exactly.conversation.messages, exactly.warnings]).toEqual([conversation.messages, []]);
    const less = await compacted(results, { maxTokens: after - 1, pruneResults });
    expect(less.conversation.messages.length).toBeLessThan(results.length);
  });

  test("are replaced where nothing else can be done", async () => {
    const wide = [user("Read."), ...result("a", 4_000), user("x".repeat(40_000))];
    const { conversation, warnings } = await compacted(wide, {
      maxTokens: 10_000,
      pruneResults: { keepLast: 0 },
    });
    expect(conversation.messages).toHaveLength(wide.length);
    expect(JSON.stringify(conversation.messages)).toContain("An old result of 4000 characters");
    expect(warnings).toEqual([expect.stringContaining("nearly all")]);
  });
});
