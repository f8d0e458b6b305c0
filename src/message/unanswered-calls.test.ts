import { expect, test } from "vitest";
import type { AssistantMessage, Message, ToolMessage } from "./messages.ts";
import { answerAbandonedCalls, isSameCall, unansweredCalls } from "./unanswered-calls.ts";

function answer(...ids: string[]): AssistantMessage {
  const toolCalls = ids.map((toolCallId) => ({ toolCallId, toolName: "f", arguments: "{}" }));
  return { role: "assistant", content: [], toolCalls };
}

function result(toolCallId: string): ToolMessage {
  return {
    role: "tool",
    result: { toolCallId, toolName: "f", content: [], isError: false, outcome: "success" },
  };
}

const user: Message = { role: "user", content: "Go on." };
const idsOf = (messages: readonly Message[]): string[] =>
  unansweredCalls(messages).map(({ toolCallId }) => toolCallId);

test("the open calls are those of the last answer that no result follows", () => {
  expect(idsOf([])).toEqual([]);
  expect(idsOf([user])).toEqual([]);
  expect(idsOf([answer("a", "b")])).toEqual(["a", "b"]);
  expect(idsOf([answer("a", "b"), result("b")])).toEqual(["a"]);
  expect(idsOf([answer("a"), user])).toEqual([]);
  expect(idsOf([answer("a"), answer("b")])).toEqual(["b"]);
});

test("a history in which no call was abandoned stays the same array", () => {
  const whole = [user, answer("a", "b"), result("b"), result("a"), user, answer("c")];
  expect(answerAbandonedCalls(whole)).toBe(whole);
});

test("an abandoned call gets its result before the next message, and the last calls stay open", () => {
  const abandoned = (toolCallId: string): unknown => ({
    role: "tool",
    result: {
      toolCallId,
      toolName: "f",
      content: [
        {
          type: "text",
          text: "The conversation went on before f finished. It may or may not have taken effect.",
        },
      ],
      isError: true,
      outcome: "cancelled",
    },
  });
  const history = [answer("a", "b", "c"), result("b"), user, answer("d"), answer("e")];
  expect(answerAbandonedCalls(history)).toEqual([
    answer("a", "b", "c"),
    result("b"),
    abandoned("a"),
    abandoned("c"),
    user,
    answer("d"),
    abandoned("d"),
    answer("e"),
  ]);
});

test("calls are the same by tool and arguments, whatever their ids", () => {
  const call = { toolCallId: "a", toolName: "f", arguments: "{}" };
  expect(isSameCall(call, { ...call, toolCallId: "b" })).toBe(true);
  expect(isSameCall(call, { ...call, toolName: "g" })).toBe(false);
  expect(isSameCall(call, { ...call, arguments: '{"x":1}' })).toBe(false);
  expect(isSameCall(call, undefined)).toBe(false);
});
