import type { Message, ToolResult } from "skein";
import { MessageSchema } from "@ag-ui/core/schemas";
import { expect, test } from "vitest";
import { toAgUiMessages } from "./to-ag-ui-messages.ts";

const call = (toolCallId: string, toolName = "find") => ({ toolCallId, toolName, arguments: "{}" });

const result = (toolCallId: string, more: Partial<ToolResult> = {}): Message => ({
  role: "tool",
  result: {
    toolCallId,
    toolName: "find",
    content: [{ type: "text", text: "there" }],
    isError: false,
    outcome: "success",
    ...more,
  },
});

const answer = (text: string, ...toolCalls: readonly ReturnType<typeof call>[]): Message => ({
  role: "assistant",
  content: [
    { type: "reasoning", text: "hm", providerData: { provider: "p", data: "planted-secret" } },
    { type: "text", text },
    ...toolCalls.map(({ toolCallId }) => ({ type: "tool-call", toolCallId }) as const),
  ],
  toolCalls,
  agent: "Host",
});

const history: readonly Message[] = [
  { role: "system", content: "planted-secret" },
  {
    role: "user",
    content: [
      { type: "text", text: "See" },
      { type: "image", url: "data:image/png;base64,aGk=" },
      { type: "file", url: "https://a.test/a.pdf", mediaType: "application/pdf" },
    ],
  },
  answer("I look.", call("c"), call("d")),
  result("c"),
  result("d", { isError: true, outcome: "error", content: [{ type: "text", text: "planted-secret" }] }),
  { role: "user", content: "planted-secret", correction: true },
  answer("", call("c")),
];

test("a history is what its client would have, and no more", () => {
  const messages = toAgUiMessages(history);
  for (const message of messages) MessageSchema.parse(message);
  expect(JSON.stringify(messages)).not.toContain("planted-secret");
  expect(messages).toEqual([
    {
      id: "message-1",
      role: "user",
      content: [
        { type: "text", text: "See" },
        { type: "image", source: { type: "data", value: "aGk=", mimeType: "image/png" } },
        {
          type: "document",
          source: { type: "url", value: "https://a.test/a.pdf", mimeType: "application/pdf" },
        },
      ],
    },
    { id: "message-2-reasoning", role: "reasoning", content: "hm" },
    {
      id: "message-2",
      role: "assistant",
      name: "Host",
      content: "I look.",
      toolCalls: [
        { id: "c", type: "function", function: { name: "find", arguments: "{}" } },
        { id: "d", type: "function", function: { name: "find", arguments: "{}" } },
      ],
    },
    { id: "message-3", role: "tool", toolCallId: "c", content: "there" },
    {
      id: "message-4",
      role: "tool",
      toolCallId: "d",
      content: "The tool failed.",
      metadata: { skein: { isError: true, outcome: "error" } },
    },
    { id: "message-6-reasoning", role: "reasoning", content: "hm" },
    // Another call of the same id has its number behind it.
    {
      id: "message-6",
      role: "assistant",
      toolCalls: [{ id: "c#2", type: "function", function: { name: "find", arguments: "{}" } }],
    },
  ]);
});

test("a history that grows keeps its ids", () => {
  const ids = toAgUiMessages(history).map(({ id }) => id);
  expect(toAgUiMessages([...history, result("c")]).map(({ id }) => id)).toEqual([...ids, "message-7"]);
});

test("where calls are hidden, those that wait are there", () => {
  const messages = toAgUiMessages(history, { show: { toolCalls: false, reasoning: false } });
  expect(messages.map(({ id }) => id)).toEqual(["message-1", "message-2", "message-6"]);
});

test("a typed answer is text, and so are the words of a tool that has the last", () => {
  const accepted = result("f", { content: [{ type: "text", text: "The answer was accepted." }] });
  const typed = [answer("Well:", { ...call("f", "final_answer"), arguments: '{"n":1}' }), accepted];
  expect(toAgUiMessages(typed).map(({ content }) => content)).toEqual(["hm", "Well:", '{"n":1}']);
  const last = [answer("", call("l")), result("l", { final: true })];
  expect(toAgUiMessages(last).map(({ role, content }) => [role, content])).toEqual([
    ["reasoning", "hm"],
    ["assistant", undefined],
    ["tool", "there"],
    ["assistant", "there"],
  ]);
});

test("an unknown option is refused", () => {
  // @ts-expect-error -- it is misspelled
  expect(() => toAgUiMessages([], { shw: {} })).toThrow('no option "shw"');
});
