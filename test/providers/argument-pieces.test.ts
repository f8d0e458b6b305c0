/** A piece of a call's arguments that is not a text ends the answer: without it, the call would be executed with other arguments. */
import { expect, test } from "vitest";
import { block, chatChunk, chatEnd, messageStart, type WireEvent } from "./answers.ts";
import { outcomeOf } from "./hostile-server.ts";

const chat = (...pieces: readonly unknown[]): WireEvent[] => [
  ...pieces.map((piece, index) =>
    chatChunk("c", {
      tool_calls: [
        {
          index: 0,
          ...(index === 0 && { id: "call_1", type: "function" }),
          function: { ...(index === 0 && { name: "act" }), arguments: piece },
        },
      ],
    }),
  ),
  ...chatEnd("c", "tool_calls"),
];

const item = { id: "f1", type: "function_call", call_id: "call_1", name: "act" };
const created = { type: "response.created", response: { id: "r", status: "in_progress", output: [] } };
const completed = (output: readonly object[] = []): WireEvent => ({
  type: "response.completed",
  response: { id: "r", status: "completed", output },
});
const responses = (...pieces: readonly unknown[]): WireEvent[] => [
  created,
  { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
  ...pieces.map((delta) => ({
    type: "response.function_call_arguments.delta",
    output_index: 0,
    item_id: "f1",
    delta,
  })),
  completed(),
];
const wholeItem = (args: unknown): WireEvent[] => {
  const done = { ...item, arguments: args, status: "completed" };
  return [created, { type: "response.output_item.done", output_index: 0, item: done }, completed([done])];
};

const messages = (...pieces: readonly unknown[]): WireEvent[] => [
  messageStart("m"),
  ...block(
    0,
    { type: "tool_use", id: "call_1", name: "act", input: {} },
    ...pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  ),
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } },
  { type: "message_stop" },
];

const numberWithin = ['{"only":"order-7","max":1', 50, "}"];

test.each([
  ["chat", "a number within", chat(...numberWithin)],
  ["chat", "a list", chat([{ only: "order-7" }])],
  ["chat", "false", chat(false)],
  ["responses", "a number within", responses(...numberWithin)],
  ["responses", "an object as a piece", responses({ only: "order-7" })],
  ["responses", "a list at once", wholeItem([{ only: "order-7" }])],
  ["messages", "a number within", messages(...numberWithin)],
  ["messages", "an object", messages({ only: "order-7" })],
] as const)("%s, %s: nothing is executed", async (protocol, _, events) => {
  expect(await outcomeOf(protocol, events)).toMatchObject({
    inputs: [],
    error: {
      code: "malformed-response",
      message: expect.stringContaining("a piece of a call's arguments that is not a text"),
    },
  });
});

/** A block of a call with pieces that the protocol does not have there. */
const oddMessages = (...deltas: readonly unknown[]): WireEvent[] => [
  messageStart("m"),
  { type: "content_block_start", index: 0, content_block: toolUse },
  ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } },
  { type: "message_stop" },
];
const toolUse = { type: "tool_use", id: "call_1", name: "act", input: {} };
const text = '{"only":"order-7"}';
const whole = { type: "input_json_delta", partial_json: text };

test.each([
  ["messages", "a text", oddMessages({ type: "text_delta", text })],
  ["messages", "a piece without a type", oddMessages({ partial_json: text })],
  ["messages", "a piece under another name", oddMessages({ type: "input_json_delta", json: text })],
  ["messages", "a piece of a new type", oddMessages({ type: "input_delta", partial_json: text })],
  ["messages", "no piece", oddMessages(undefined)],
  ["messages", "null", oddMessages(null)],
  ["messages", "a piece of null", messages(null)],
  ["messages", "a list", oddMessages([text])],
  ["messages", "a text after the whole", oddMessages(whole, { type: "text_delta", text: " " })],
  [
    "messages",
    "a block without a type beside another",
    [
      ...oddMessages(whole).slice(0, -2),
      { type: "content_block_start", index: 1, content_block: { ...toolUse, type: undefined } },
      ...oddMessages().slice(-2),
    ],
  ],
  [
    "responses",
    "a piece under another name",
    [
      created,
      { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
      { type: "response.function_call_arguments.delta", output_index: 0, item_id: "f1", text },
      completed([{ ...item, arguments: "", status: "completed" }]),
    ],
  ],
  [
    "chat",
    "a piece under another name",
    [
      ...chat("").slice(0, 1),
      chatChunk("c", { tool_calls: [{ index: 0, function: { args: text } }] }),
      ...chatEnd("c", "tool_calls"),
    ],
  ],
] as const)("%s, %s in place of a piece: nothing is executed", async (protocol, _, events) => {
  expect(await outcomeOf(protocol, events)).toMatchObject({
    inputs: [],
    error: { code: "malformed-response" },
  });
});

test.each([
  ["a citation", { type: "citations_delta", citation: {} }],
  ["a signature", { type: "signature_delta", signature: "c2ln" }],
])("messages: %s in a call changes nothing", async (_, delta) => {
  expect(await outcomeOf("messages", oddMessages(delta, whole))).toMatchObject({
    inputs: [{ only: "order-7" }],
  });
});

test.each([
  ["chat", "an object at once", chat({ only: "order-7" })],
  ["chat", "null before the text", chat(null, '{"only":"order-7"}')],
  ["responses", "an object at once", wholeItem({ only: "order-7" })],
  ["messages", "null before the text", messages(null, '{"only":"order-7"}')],
] as const)("%s, %s: the call is executed as it was meant", async (protocol, _, events) => {
  expect(await outcomeOf(protocol, events)).toMatchObject({ inputs: [{ only: "order-7" }] });
});
