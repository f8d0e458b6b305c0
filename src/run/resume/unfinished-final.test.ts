import { describe, expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import { finalText, unfinishedFinal } from "./unfinished-final.ts";

const answer = (text: string, ...ids: readonly string[]): Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
  toolCalls: ids.map((toolCallId) => ({ toolCallId, toolName: "t", arguments: `{"id":"${toolCallId}"}` })),
});
const result = (toolCallId: string, final = false): Message => ({
  role: "tool",
  result: {
    toolCallId,
    toolName: "t",
    content: [
      { type: "text", text: `result of ${toolCallId}` },
      { type: "text", text: "a note", note: true },
    ],
    isError: false,
    outcome: "success",
    ...(final && { final }),
  },
});
const user: Message = { role: "user", content: "Hi" };

describe("the text of the result that ends a run", () => {
  test("is that of the last call which is final, without its notes, in whatever order the results are", () => {
    const calls = answer("", "a", "b", "c");
    expect(unfinishedFinal([calls, result("c"), result("b", true), result("a", true)])).toBe("result of b");
    expect(unfinishedFinal([calls, result("a"), result("b"), result("c")])).toBeUndefined();
  });

  test("is not that of an earlier answer, nor one that a message follows", () => {
    expect(
      unfinishedFinal([answer("", "a"), result("a", true), answer("", "b"), result("b")]),
    ).toBeUndefined();
    expect(unfinishedFinal([answer("", "a"), result("a", true), user])).toBeUndefined();
    expect(unfinishedFinal([result("a", true)])).toBeUndefined();
    expect(unfinishedFinal([])).toBeUndefined();
  });
});

describe("the text with which a run has completed", () => {
  test("is a final result, the arguments of the call that took the output, or the answer", () => {
    expect(finalText([answer("Words.", "a"), result("a", true)])).toBe("result of a");
    expect(finalText([answer("Words.", "a"), result("a")])).toBe('{"id":"a"}');
    expect(finalText([answer("Earlier."), user, answer("Words.")])).toBe("Words.");
    expect(finalText([user])).toBe("");
  });

  test("is all text of the answer, and nothing else of it", () => {
    const content = [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Two " },
      { type: "text", text: "words." },
    ] as const;
    expect(finalText([{ role: "assistant", content, toolCalls: [] }])).toBe("Two words.");
  });
});
