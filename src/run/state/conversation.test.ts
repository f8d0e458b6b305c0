import { describe, expect, test } from "vitest";
import type { AssistantMessage, Message, ToolResult } from "../../message/messages.ts";
import { Conversation } from "./conversation.ts";

const user = (content: string): Extract<Message, { role: "user" }> => ({ role: "user", content });
const answer = (...ids: readonly string[]): AssistantMessage => ({
  role: "assistant",
  content: [],
  toolCalls: ids.map((toolCallId) => ({ toolCallId, toolName: "t", arguments: "{}" })),
});
const result = (toolCallId: string, more: Partial<ToolResult> = {}): ToolResult => ({
  toolCallId,
  toolName: "t",
  content: [],
  isError: false,
  outcome: "success",
  ...more,
});
const truncated = { truncated: { length: 9 } };
const idsOf = (calls: readonly { readonly toolCallId: string }[]) =>
  calls.map(({ toolCallId }) => toolCallId);
const work = (toolCallId: string) => ({ toolCallId, steps: [] });

describe("the calls that wait", () => {
  test("are those of the last answer without a result, in whatever order results come", () => {
    const conversation = new Conversation([user("Go."), answer("a", "b", "c")]);
    expect(idsOf(conversation.pending)).toEqual(["a", "b", "c"]);
    conversation.answer([]);
    conversation.answer([result("b")]);
    expect(idsOf(conversation.pending)).toEqual(["a", "c"]);
    conversation.answer([result("c"), result("a")]);
    expect(conversation.pending).toEqual([]);
    conversation.append(answer("d", "e"));
    conversation.answer([result("d"), result("e")]);
    expect(conversation.pending).toEqual([]);
  });

  test("stay where a message of the user is appended", () => {
    const conversation = new Conversation([answer("a")]);
    conversation.append(user("And?"));
    expect(idsOf(conversation.pending)).toEqual(["a"]);
  });

  test("have done what is noted, until they have a result or another answer comes", () => {
    const conversation = new Conversation([answer("a", "b")]);
    conversation.continueWork([work("a"), work("b"), work("x")]);
    expect(idsOf(conversation.nested)).toEqual(["a", "b"]);
    conversation.answer([result("a")]);
    expect(idsOf(conversation.nested)).toEqual(["b"]);
    conversation.append(answer("b"));
    expect(conversation.nested).toEqual([]);
  });

  test("are the model's own once they are suspended, with what they have done last", () => {
    const conversation = new Conversation([answer("a", "b")]);
    conversation.updatePending((call) => ({ ...call, approvalId: `of ${call.toolCallId}` }));
    const call = { toolCallId: "a", toolName: "t", arguments: "{}" };
    conversation.suspend(work("a"), call);
    conversation.suspend({ ...work("a"), input: 1 }, call);
    expect(conversation.pending).toEqual([call, { ...call, toolCallId: "b", approvalId: "of b" }]);
    expect(conversation.nested).toEqual([{ ...work("a"), input: 1 }]);
  });
});

describe("a result that is truncated", () => {
  test("is noted from the beginning, and from a batch on", () => {
    const conversation = new Conversation([answer("a", "b")]);
    expect(conversation.hasTruncated).toBe(false);
    conversation.answer([result("a", truncated)]);
    conversation.answer([result("b")]);
    expect(conversation.hasTruncated).toBe(true);
    const history: readonly Message[] = [answer("a"), { role: "tool", result: result("a", truncated) }];
    expect(new Conversation(history).hasTruncated).toBe(true);
    conversation.restart([user("Hi")]);
    expect(conversation.hasTruncated).toBe(false);
    conversation.restart(history);
    expect(conversation.hasTruncated).toBe(true);
  });
});

describe("what a run has added", () => {
  test("is all that came since, also where it was left out of the history", () => {
    const conversation = new Conversation([user("Hi")]);
    const { messages } = conversation;
    const first = conversation.append(answer());
    expect([conversation.inputLength, conversation.added]).toEqual([1, [first]]);
    conversation.compact([user("Summary")]);
    const second = conversation.append(user("More"));
    expect(conversation.messages).toBe(messages);
    expect(messages).toEqual([user("Summary"), second]);
    expect([conversation.inputLength, conversation.added]).toEqual([1, [first, second]]);
    conversation.compact([user("Shorter")]);
    expect(conversation.added).toEqual([first, second]);
  });

  test("begins again with the history of a session, and its calls", () => {
    const conversation = new Conversation([answer("a")]);
    conversation.continueWork([work("a")]);
    conversation.restart([user("Hi"), answer("a", "b")]);
    expect([conversation.inputLength, conversation.added, conversation.nested]).toEqual([2, [], []]);
    expect(idsOf(conversation.pending)).toEqual(["a", "b"]);
    conversation.restart([user("Hi")], []);
    expect(conversation.pending).toEqual([]);
  });
});

test("every message is frozen as it comes in, with all data in it", () => {
  const conversation = new Conversation([{ role: "user", content: [{ type: "text", text: "Hi" }] }]);
  conversation.append(answer("a"));
  conversation.answer([result("a", { structuredContent: { rows: [1] } })]);
  for (const message of conversation.messages) expect(Object.isFrozen(message)).toBe(true);
  const [first, second, third] = conversation.messages;
  expect(Object.isFrozen(first?.role === "user" && first.content)).toBe(true);
  expect(Object.isFrozen(second?.role === "assistant" && second.toolCalls[0])).toBe(true);
  expect(Object.isFrozen(third?.role === "tool" && third.result.structuredContent)).toBe(true);
});
