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

test.each([
  ["chat", "an object at once", chat({ only: "order-7" })],
  ["chat", "null before the text", chat(null, '{"only":"order-7"}')],
  ["responses", "an object at once", wholeItem({ only: "order-7" })],
  ["messages", "null before the text", messages(null, '{"only":"order-7"}')],
] as const)("%s, %s: the call is executed as it was meant", async (protocol, _, events) => {
  expect(await outcomeOf(protocol, events)).toMatchObject({ inputs: [{ only: "order-7" }] });
});
