import { describe, expect, test } from "vitest";
import type { Message, ToolMessage } from "../../message/messages.ts";
import { tokensOfAll } from "./estimate.ts";
import { pruneResults, shorten, summaryMessage } from "./shorten.ts";

const user = (content: string): Message => ({ role: "user", content });
const result = (toolCallId: string, text: string): ToolMessage => ({
  role: "tool",
  result: {
    toolCallId,
    toolName: "t",
    content: [{ type: "text", text }],
    structuredContent: { text },
    isError: false,
    outcome: "success",
  },
});

/** A turn with `calls` calls, and their results. */
function turn(id: number, calls: number): readonly Message[] {
  const ids = Array.from({ length: calls }, (_, index) => `${id}-${index}`);
  const toolCalls = ids.map((toolCallId) => ({ toolCallId, toolName: "t", arguments: "{}" }));
  return [
    { role: "assistant", content: [], toolCalls },
    ...ids.map((toolCallId, index) => result(toolCallId, "x".repeat(index * 40))),
  ];
}

const history: readonly Message[] = [
  { role: "system", content: "rules" },
  user("one"),
  ...turn(1, 3),
  ...turn(2, 1),
  { role: "system", content: "more rules" },
  user("two"),
  ...turn(3, 4),
  ...turn(4, 2),
];

describe("for any limit", () => {
  const most = tokensOfAll(history) + 10;
  const all = Array.from({ length: most }, (_, keep) => ({ keep, ...shorten(history, keep) }));

  test("each message is kept or dropped, in order", () => {
    for (const { before, dropped, after } of all) {
      const rest = [...before, ...dropped, ...after];
      expect(rest.toSorted((a, b) => history.indexOf(a) - history.indexOf(b))).toEqual(history);
      for (const part of [before, dropped, after])
        expect(part.map((message) => history.indexOf(message))).toEqual(
          part.map((message) => history.indexOf(message)).toSorted((a, b) => a - b),
        );
    }
  });

  test("results stay with their calls", () => {
    for (const { before, dropped, after } of all)
      for (const part of [before, dropped, after]) {
        const made = part.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
        const answered = part.flatMap((message) => (message.role === "tool" ? [message.result] : []));
        expect(answered.map(({ toolCallId }) => toolCallId)).toEqual(
          made.map(({ toolCallId }) => toolCallId),
        );
      }
  });

  test("system messages, the last user message and the latest answer stay", () => {
    for (const { before, after } of all) {
      const kept = [...before, ...after];
      expect(kept.filter(({ role }) => role === "system")).toHaveLength(2);
      expect(kept).toContainEqual(user("two"));
      expect(kept.slice(-3)).toEqual(history.slice(-3));
    }
  });

  test("it is not more than that, but for the latest answer", () => {
    const latest = tokensOfAll(history.slice(-3));
    for (const { keep, after } of all) expect(tokensOfAll(after)).toBeLessThanOrEqual(Math.max(keep, latest));
    expect(all.at(-1)?.dropped).toEqual([]);
  });
});

test("a correction does not take the place of the user's last message", () => {
  const correction: Message = { role: "user", content: "Answer in JSON.", correction: true };
  const { before } = shorten([user("one"), user("two"), ...turn(1, 1), correction, ...turn(2, 9)], 10);
  expect(before).toEqual([user("two")]);
});

test("a summary of a summary stands for all messages of both, and is not taken for the user's words", () => {
  const first = summaryMessage(history.slice(0, 4), "short");
  expect(first).toEqual({
    role: "user",
    content: "[Summary of 4 earlier messages]\nshort",
    summaryOf: 4,
    succeeded: ["t"],
  });
  expect(summaryMessage([first, ...turn(9, 1)], undefined).summaryOf).toBe(6);
  const { dropped, before } = shorten([user("ask"), first, ...turn(8, 1), ...turn(9, 1)], 0);
  expect(before).toEqual([user("ask")]);
  expect(dropped[0]).toBe(first);
});

describe("results that are replaced", () => {
  const large = "y".repeat(5_000);
  const messages = [result("a", large), result("b", "short"), result("c", large), result("d", large)];

  test("are the old and large ones, without what programs read of them", () => {
    const pruned = pruneResults(messages, { keepLast: 1 });
    expect(pruned.map((message) => messages.includes(message as ToolMessage))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(pruned[0]).toEqual({
      role: "tool",
      result: {
        toolCallId: "a",
        toolName: "t",
        content: [
          {
            type: "text",
            text: "[An old result of 5000 characters was left out here. Call the tool again if it is needed.]",
          },
        ],
        isPruned: true,
        isError: false,
        outcome: "success",
      },
    });
  });

  test("are not replaced again, however little is to stay", () => {
    const pruned = pruneResults(messages, { keepLast: 0, maxChars: 0 });
    expect(pruneResults(pruned, { keepLast: 0, maxChars: 0 })).toBe(pruned);
  });
});

describe("the latest result of a tool that lasts", () => {
  const lasting = new Set(["t"]);
  const plain: readonly Message[] = [
    { role: "assistant", content: [{ type: "text", text: "words" }], toolCalls: [] },
  ];

  test("stays with its answer, behind the summary", () => {
    const long = [user("one"), ...turn(1, 2), ...turn(2, 2), user("two"), ...plain, user("three")];
    const { before, dropped, after } = shorten(long, 0, lasting);
    expect(before).toEqual([]);
    expect(after).toEqual([...turn(2, 2), user("three")]);
    expect(dropped).toEqual([user("one"), ...turn(1, 2), user("two"), ...plain]);
    expect(shorten(long, 0).after).toEqual([user("three")]);
  });

  test("must be a success, and have its answer", () => {
    const failed: ToolMessage = {
      role: "tool",
      result: { ...result("9", "x").result, outcome: "error", isError: true },
    };
    const long = [result("0", "x"), user("one"), failed, ...plain, user("two")];
    expect(shorten(long, 0, lasting).after).toEqual([user("two")]);
  });

  test("is not pruned", () => {
    const large = [result("1", "x".repeat(900)), result("2", "x".repeat(900))];
    const sizes = (messages: readonly Message[]): readonly (true | undefined)[] =>
      messages.map((message) => (message.role === "tool" ? message.result.isPruned : undefined));
    const options = { keepLast: 0, maxChars: 200 };
    expect(sizes(pruneResults(large, options, lasting))).toEqual([true, undefined]);
    expect(sizes(pruneResults(large, options))).toEqual([true, true]);
  });
});
