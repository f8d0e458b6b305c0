import { describe, expect, test } from "vitest";
import { InvalidInputError } from "../../errors.ts";
import type { Message } from "../../message/messages.ts";
import { type ChatMessage, fromChatMessages, toChatMessages } from "./chat-messages.ts";

const history: ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hello" },
  {
    role: "user",
    content: [
      { type: "text", text: "Look" },
      { type: "image_url", image_url: { url: "https://acme.test/a.png", detail: "auto" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
      { type: "input_audio", input_audio: { data: "BBBB", format: "wav" } },
    ],
  },
  {
    role: "assistant",
    content: "I look.",
    reasoning_content: "hm",
    tool_calls: [
      {
        id: `call_${"x".repeat(60)}`,
        type: "function",
        function: { name: "weather now", arguments: '{"x": ' },
      },
      { id: "b", type: "function", function: { name: "two", arguments: "" } },
    ],
  },
  { role: "tool", tool_call_id: `call_${"x".repeat(60)}`, content: "Sunny" },
  { role: "tool", tool_call_id: "b", content: "" },
  { role: "assistant", content: "Done.", name: "Triage" },
  { role: "assistant", content: null, refusal: "I won't." },
];

test("a history in the Chat Completions form survives a round trip", () => {
  expect(toChatMessages(fromChatMessages(history))).toEqual(history);
});

test("a history in Skein's form survives a round trip, as far as the other form can represent it", () => {
  const messages: Message[] = [
    {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "image", url: "data:image/png;base64,AA" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "text", text: "b" },
        { type: "tool-call", toolCallId: "c1" },
      ],
      toolCalls: [{ toolCallId: "c1", toolName: "constructor", arguments: "{}" }],
      agent: "Sales",
    },
    {
      role: "tool",
      result: {
        toolCallId: "c1",
        toolName: "constructor",
        content: [{ type: "text", text: "ok" }],
        isError: false,
        outcome: "success",
      },
    },
  ];
  expect(fromChatMessages(toChatMessages(messages))).toEqual(messages);
});

describe("fromChatMessages", () => {
  test("reads the tool's name from the call, and the agent from Swarm's `sender`", () => {
    const messages = fromChatMessages([
      {
        role: "assistant",
        content: null,
        sender: "Refunds",
        tool_calls: [{ id: "a", type: "function", function: { name: "refund", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "done" }] },
    ]);
    expect(messages).toMatchObject([{ agent: "Refunds" }, { result: { toolName: "refund" } }]);
  });

  test("reads developer messages as system messages, and joins their parts", () => {
    const content = [
      { type: "text", text: "Be " },
      { type: "text", text: "brief." },
    ] as const;
    expect(fromChatMessages([{ role: "developer", content }])).toEqual([
      { role: "system", content: "Be brief." },
    ]);
  });

  test("reads content arrays of an assistant", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "refusal", refusal: "b" },
    ] as const;
    const [message] = fromChatMessages([{ role: "assistant", content }]);
    expect(message).toMatchObject({
      content: [{ text: "a" }, { text: "b", providerData: { data: { refusal: true } } }],
    });
  });

  test("refuses a file with only an id, and says where", () => {
    const messages: ChatMessage[] = [
      { role: "user", content: [{ type: "file", file: { file_id: "file-1" } }] },
    ];
    expect(() => fromChatMessages(messages)).toThrow(InvalidInputError);
    expect(() => fromChatMessages(messages)).toThrow("messages[0].content[0]");
  });

  test("refuses an unknown role", () => {
    const messages = JSON.parse('[{"role":"narrator","content":"x"}]') as ChatMessage[];
    expect(() => fromChatMessages(messages)).toThrow("messages[0].role");
  });
});

test("reasoning belongs to the provider in the options", () => {
  const chat: ChatMessage[] = [{ role: "assistant", content: "4", reasoning_content: "hm" }];
  const messages = fromChatMessages(chat, { provider: "deepseek" });
  expect(toChatMessages(messages, { provider: "deepseek" })).toEqual(chat);
  expect(toChatMessages(messages)).toEqual([{ role: "assistant", content: "4" }]);
});
