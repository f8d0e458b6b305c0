import { describe, expect, test } from "vitest";
import type { AssistantMessage } from "../../message/messages.ts";
import { uniqueCallIds } from "./unique-call-ids.ts";

/** An answer with these calls, and a word before each. */
function answer(...ids: readonly string[]): AssistantMessage {
  return {
    role: "assistant",
    content: ids.flatMap((toolCallId) => [
      { type: "text", text: "word" } as const,
      { type: "tool-call", toolCallId } as const,
    ]),
    toolCalls: ids.map((toolCallId, index) => ({ toolCallId, toolName: `t${index}`, arguments: "{}" })),
  };
}

/** The ids that calls get, which are those in the content. */
function idsOf(message: AssistantMessage): readonly string[] {
  const ids = message.toolCalls.map(({ toolCallId }) => toolCallId);
  const inContent = message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
  expect(inContent).toEqual(ids);
  expect(message.content.filter(({ type }) => type === "text")).toHaveLength(ids.length);
  return ids;
}

test("an answer whose calls have different ids is the same object", () => {
  const message = answer("a", "b");
  expect(uniqueCallIds(message)).toBe(message);
});

test("of calls with one id, or none, each gets another, and the first keeps its own", () => {
  const ids = idsOf(uniqueCallIds(answer("a", "", "a", "b", "", "a")));
  expect([ids[0], ids[3]]).toEqual(["a", "b"]);
  expect(new Set(ids).size).toBe(6);
  expect(ids).not.toContain("");
});

test("no id that is made is that of another call", () => {
  const [, second = ""] = idsOf(uniqueCallIds(answer("a", "a")));
  const ids = idsOf(uniqueCallIds(answer("a", "a", second)));
  expect(ids[2]).toBe(second);
  expect(new Set(ids).size).toBe(3);
});

describe("an id as calls within calls have it", () => {
  const print = "0123456789abcdef";

  test.each([`a/t/${print}`, `a%2Ft%2F${print}`, `a/${print}/2`])("is not left to a call: %s", (id) => {
    const [only = ""] = idsOf(uniqueCallIds(answer(id)));
    expect(only).not.toMatch(/[/%]/);
    expect(only.startsWith(id.replaceAll(/[/%]/g, "_"))).toBe(true);
  });

  test.each([`a/${print}0`, `a${print}`, `a/${print.slice(1)}`, `a/${print.toUpperCase()}`])(
    "is not any that looks like it: %s",
    (id) => {
      expect(idsOf(uniqueCallIds(answer(id)))).toEqual([id]);
    },
  );
});

test("a call that has its result keeps its id", () => {
  expect(idsOf(uniqueCallIds(answer("a", "a"), new Set(["a"])))).toEqual(["a", "a"]);
});
