import { expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import { inCallOrder, withChanges } from "./call-changes.ts";

const answer = (...ids: readonly string[]): Message => ({
  role: "assistant",
  content: [],
  toolCalls: ids.map((toolCallId) => ({ toolCallId, toolName: "t", arguments: "{}" })),
});

test("changes are in the order of the calls in the last answer, those of other calls first", () => {
  const changes = ["c", "x", "a", "b"].map((toolCallId) => ({ toolCallId }));
  const ordered = inCallOrder(changes, [
    answer("b", "c"),
    answer("a", "b", "c"),
    { role: "user", content: "" },
  ]);
  expect(ordered.map(({ toolCallId }) => toolCallId)).toEqual(["x", "a", "b", "c"]);
  expect(inCallOrder(changes, [])).toEqual(changes);
});

test("of two changes of one property the later counts, and without any the context is the same", () => {
  const context = { a: 1, b: 1 };
  expect(
    withChanges(context, [
      { toolCallId: "1", context: { b: 2 } },
      { toolCallId: "2", agent: "A" },
      { toolCallId: "3", context: { b: 3, c: 3 } },
    ]),
  ).toEqual({ a: 1, b: 3, c: 3 });
  expect(withChanges(context, [{ toolCallId: "2", agent: "A" }])).toBe(context);
});
