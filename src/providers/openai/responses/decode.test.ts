import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../../message/messages.ts";
import type { ModelEvent } from "../../../model/types.ts";
import { startExchange, type TestExchange } from "../test-exchange.ts";
import { call, completed, done, message, toolCall, unanswered, whole } from "./test-items.ts";

let exchange: TestExchange;
beforeAll(async () => void (exchange = await startExchange("responses", whole)));
afterAll(() => exchange.server.close());

const added = (index: number, item: object): object => ({
  type: "response.output_item.added",
  output_index: index,
  item,
});
const textDelta = (index: number, delta: string, more: object = {}): object => ({
  type: "response.output_text.delta",
  output_index: index,
  content_index: 0,
  delta,
  ...more,
});
const argumentsDelta = (index: number, delta: string, more: object = {}): object => ({
  type: "response.function_call_arguments.delta",
  output_index: index,
  delta,
  ...more,
});

const textPart = { type: "output_text", annotations: [] };
const textIn = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");

const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "hm" }],
  encrypted_content: "ZW5j",
};
const search = {
  type: "web_search_call",
  id: "ws_1",
  status: "completed",
  action: { type: "search", query: "q" },
};
/** The items on the wire for a history. */
async function inputOf(...messages: readonly Message[]): Promise<unknown> {
  return (await exchange.bodyOf({ messages }))["input"];
}

describe("an answer", () => {
  test("streams reasoning, text and calls, and ends with its parts in the order of the output", async () => {
    const events = await exchange.eventsOf([
      { type: "response.created", response: { id: "resp_1", status: "in_progress" } },
      added(0, { type: "reasoning", id: "rs_1", summary: [] }),
      { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 0 },
      { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "hm" },
      added(1, { type: "message", id: "msg_1", role: "assistant", content: [] }),
      textDelta(1, "4"),
      added(2, { ...call, arguments: "", status: "in_progress" }),
      argumentsDelta(2, '{"x"'),
      argumentsDelta(2, ":1}"),
      done(2, call),
      done(1, message),
      done(0, reasoning),
      done(3, search),
      completed({
        usage: {
          input_tokens: 1,
          output_tokens: 2,
          total_tokens: 3,
          input_tokens_details: { cached_tokens: 1 },
          output_tokens_details: { reasoning_tokens: 2 },
        },
      }),
    ]);
    const pieces = { toolCallId: "call_1", toolName: "one" };
    expect(events.slice(0, -1)).toEqual([
      { type: "reasoning-delta", text: "hm" },
      { type: "text-delta", text: "4" },
      { type: "tool-input-delta", ...pieces, text: '{"x"' },
      { type: "tool-input-delta", ...pieces, text: ":1}" },
      {
        type: "hosted-call",
        call: {
          tool: "webSearch",
          name: "web_search",
          id: "ws_1",
          status: "completed",
          input: { queries: ["q"] },
          results: [],
        },
      },
      { type: "tool-call", toolCall },
    ]);
    const last = events.at(-1);
    expect(last).toMatchObject({
      generation: {
        text: "4",
        toolCalls: [toolCall],
        finishReason: "tool-calls",
        rawFinishReason: "completed",
        usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3, cachedInputTokens: 1, reasoningTokens: 2 },
        response: { id: "resp_1", modelId: "m-2026" },
      },
    });
    const parts = last?.type === "finish" ? last.generation.message.content : [];
    expect(parts.map((part) => part.type)).toEqual(["reasoning", "text", "tool-call", "provider"]);
    expect(parts).toMatchObject([{ text: "hm" }, { text: "4" }, { toolCallId: "call_1" }, {}]);
  });

  test("is sent back to its provider unchanged", async () => {
    const output = [reasoning, search, message, call];
    const generation = await exchange.generationOf([
      ...output.map((item, index) => done(index, item)),
      completed(),
    ]);
    expect(await inputOf(generation.message)).toEqual([...output, unanswered]);
  });

  test("is the same without deltas, from the complete items at the end", async () => {
    const generation = await exchange.generationOf([completed({ output: [reasoning, message, call] })]);
    expect(generation).toMatchObject({ text: "4", toolCalls: [toolCall] });
    expect(await inputOf(generation.message)).toEqual([reasoning, message, call, unanswered]);
  });

  test("finds its items by index, even if their ids change, or by id if they have no index", async () => {
    const rotating = [
      added(0, { ...call, id: "x1", arguments: "" }),
      added(1, { ...call, id: "x2", call_id: "call_2", arguments: "" }),
      argumentsDelta(1, '{"y":', { item_id: "x3" }),
      argumentsDelta(0, '{"x":1}', { item_id: "x4" }),
      argumentsDelta(1, "2}", { item_id: "x5" }),
      done(1, { ...call, id: "x6", call_id: "call_2", arguments: '{"y":2}' }),
      done(0, { ...call, id: "x7" }),
      completed(),
    ];
    const second = { toolCallId: "call_2", toolName: "one", arguments: '{"y":2}' };
    expect((await exchange.generationOf(rotating)).toolCalls).toEqual([toolCall, second]);
    const placeless = [
      { type: "response.output_item.added", item: { ...call, arguments: "" } },
      { type: "response.function_call_arguments.delta", item_id: "fc_1", delta: '{"x":1}' },
      { type: "response.output_item.done", item: call },
      completed({ output: [call] }),
    ];
    expect((await exchange.generationOf(placeless)).toolCalls).toEqual([toolCall]);
  });

  test.each([
    ["parts that it counted otherwise", ["4", "2"], ["42"]],
    ["a part that only its end has", ["4"], ["4", "2"]],
    ["no text at its end", ["4", "2"], []],
  ])("ends a message with %s", async (_, deltas, texts) => {
    const content = texts.map((text) => ({ ...textPart, text }));
    const pieces = deltas.map((delta, index) => textDelta(0, delta, { content_index: index }));
    const events = await exchange.eventsOf([
      added(0, { ...message, content: [] }),
      ...pieces,
      done(0, { ...message, content }),
      completed(),
    ]);
    expect(textIn(events)).toBe("42");
  });

  test("reads a call's arguments from any event that has them", async () => {
    const early = [argumentsDelta(0, '{"x":1}'), done(0, { ...call, arguments: "" }), completed()];
    const late = [
      added(0, { ...call, arguments: "" }),
      { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"x":1}' },
      completed(),
    ];
    for (const events of [early, late]) {
      expect((await exchange.generationOf(events)).toolCalls).toEqual([toolCall]);
    }
  });

  test("replaces the id of a call if the provider reuses it", async () => {
    const messages: Message[] = [{ role: "assistant", content: [], toolCalls: [toolCall] }];
    const { toolCalls } = await exchange.generationOf([done(0, call), completed()], { messages });
    expect(toolCalls).toEqual([{ ...toolCall, toolCallId: "call_1_2", originalId: "call_1" }]);
  });

  test("separates the paragraphs of a summary", async () => {
    const part = { type: "response.reasoning_summary_part.added", output_index: 0 };
    const delta = { type: "response.reasoning_summary_text.delta", output_index: 0 };
    const generation = await exchange.generationOf([
      part,
      { ...delta, delta: "a" },
      part,
      { ...delta, delta: "b" },
      done(0, reasoning),
      completed(),
    ]);
    expect(generation.message.content).toMatchObject([{ type: "reasoning", text: "a\n\nb" }]);
  });

  test("emits a refusal, and sends it back as one", async () => {
    const refused = { ...message, content: [{ type: "refusal", refusal: "I won't." }] };
    const generation = await exchange.generationOf([
      { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "I won't." },
      done(0, refused),
      completed(),
    ]);
    expect(generation).toMatchObject({ refusal: "I won't.", text: "I won't." });
    expect(await inputOf(generation.message)).toEqual([refused]);
  });

  test("lists log probabilities", async () => {
    const logprobs = [{ token: "4", logprob: -0.1, top_logprobs: [] }];
    const generation = await exchange.generationOf([
      textDelta(0, "4", { logprobs }),
      done(0, message),
      completed(),
    ]);
    expect(generation.logprobs).toEqual([{ token: "4", logprob: -0.1 }]);
  });

  test.each([
    [
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      "length",
      "max_output_tokens",
    ],
    [
      { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      "content-filter",
      "content_filter",
    ],
    [{ status: "incomplete", incomplete_details: { reason: "constructor" } }, "length", "constructor"],
    [{ status: "cancelled" }, "cancelled", "cancelled"],
    [{ status: "queued" }, "error", "queued"],
    [{ status: "a_new_one" }, "other", "a_new_one"],
  ])("with %j has the finish reason %s", async (response, finishReason, rawFinishReason) => {
    const events = [textDelta(0, "x"), { type: "response.incomplete", response }];
    expect(await exchange.generationOf(events)).toMatchObject({ finishReason, rawFinishReason, text: "x" });
  });

  test.each([{ status: "completed" }, {}])(
    "that is incomplete by its event is not acted on: %j",
    async (response) => {
      const events = [
        done(0, call),
        { type: "response.incomplete", response: { ...response, output: [call] } },
      ];
      expect(await exchange.generationOf(events)).toMatchObject({
        finishReason: "length",
        rawFinishReason: "incomplete",
      });
    },
  );

  test("that is truncated during a call has the finish reason length and the received part of the call", async () => {
    const response = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    const events = [
      added(0, { ...call, arguments: "" }),
      argumentsDelta(0, '{"x'),
      { type: "response.incomplete", response },
    ];
    expect(await exchange.generationOf(events)).toMatchObject({
      finishReason: "length",
      toolCalls: [{ arguments: '{"x' }],
    });
  });
});

test("items that begin in another order than that of the output stand in its order", async () => {
  const generation = await exchange.generationOf([
    added(1, { ...message, content: [] }),
    textDelta(1, "4"),
    added(0, { type: "reasoning", id: "rs_1", summary: [] }),
    { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "hm" },
    added(2, { ...call, arguments: "" }),
    done(2, call),
    done(1, message),
    done(0, reasoning),
    completed({}),
  ]);
  expect(generation.message.content.map(({ type }) => type)).toEqual(["reasoning", "text", "tool-call"]);
});

test.each([
  [{ output_format: "webp" }, "data:image/webp;base64,aW1n"],
  [{}, "data:image/png;base64,aW1n"],
])("an image that the provider has drawn is an image: %j", async (more, url) => {
  const image = { type: "image_generation_call", id: "ig_1", status: "completed", ...more };
  const { message: answer } = await exchange.generationOf([
    done(0, { ...image, result: "aW1n" }),
    completed({}),
  ]);
  expect(answer.content).toEqual([
    { type: "image", url, providerData: { provider: "openai", data: { item: image } } },
  ]);
  const unfinished = await exchange.generationOf([done(0, image), completed({})]);
  expect(unfinished.message.content).toMatchObject([{ type: "provider" }]);
});

describe("an answer that fails", () => {
  test.each([
    [
      "has its text under the number of another item",
      [
        added(0, reasoning),
        added(1, { ...message, content: [] }),
        textDelta(0, "4"),
        done(0, reasoning),
        done(1, message),
        completed(),
      ],
    ],
    [
      "has its text under a number that no item has",
      [added(0, { ...message, content: [] }), textDelta(1, "4"), done(0, message), completed()],
    ],
    [
      "lists less text than came",
      [done(0, { ...message, id: "msg_0" }), done(1, message), completed({ output: [message] })],
    ],
    ["lists no call that came", [done(0, message), done(1, call), completed({ output: [message] })]],
  ])("contradicts itself: it %s", async (_, events) => {
    await expect(exchange.eventsOf(events)).rejects.toMatchObject({ code: "malformed-response" });
  });

  test.each([
    ["lacks a piece", ["Pay 1", " euros."]],
    ["has a piece twice", ["Pay 1", "0", "0", " euros."]],
    ["has pieces in another order", ["0", "Pay 1", " euros."]],
  ])("ends with another text than its pieces have: it %s", async (_, pieces) => {
    const item = { ...message, content: [{ ...textPart, text: "Pay 10 euros." }] };
    const events = [added(0, { ...message, content: [] }), ...pieces.map((piece) => textDelta(0, piece))];
    const error = { code: "malformed-response", message: expect.stringContaining("ended a text otherwise") };
    await expect(exchange.eventsOf([...events, done(0, item), completed()])).rejects.toMatchObject(error);
    const listed = completed({ output: [item] });
    await expect(exchange.eventsOf([...events, listed])).rejects.toMatchObject(error);
  });

  test.each([
    [
      "response.failed",
      {
        type: "response.failed",
        response: { status: "failed", error: { code: "server_error", message: "Oops" } },
      },
      "overloaded",
    ],
    [
      "an error event",
      { type: "error", code: "context_length_exceeded", message: "Too long", param: null },
      "context-length",
    ],
    [
      "a nested error",
      { type: "error", error: { type: "rate_limit_error", message: "Slow down" } },
      "rate-limit",
    ],
    ["a bare error", { error: { type: "invalid_request_error", message: "Bad" } }, "invalid-request"],
  ])("is a typed error: %s", async (_title, event, code) => {
    const seenEvents: ModelEvent[] = [];
    exchange.server.answer({
      chunks: [[textDelta(0, "x"), event].map((value) => `data: ${JSON.stringify(value)}\n\n`).join("")],
    });
    const reading = (async () => {
      for await (const event of exchange.stream({})) seenEvents.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ code });
    expect(seenEvents).toEqual([{ type: "text-delta", text: "x" }]);
  });

  test.each([
    ["nothing", [], true],
    ["text", [textDelta(0, "x")], false],
    ["a whole call", [done(0, call)], false],
    ["a call and [DONE]", [done(0, call), "[DONE]"], false],
  ])("because it is truncated after %s is malformed", async (_title, events, isRetryable) => {
    await expect(exchange.eventsOf(events)).rejects.toMatchObject({
      code: "malformed-response",
      isRetryable,
    });
  });
});

test.each([
  [
    "mcp_approval_request",
    'requests an approval for a tool of its own, which Skein does not support. Set require_approval: "never"',
  ],
  ["custom_tool_call", "requests the result of a custom tool"],
  ["computer_call", "requests the result of an action on a computer"],
])("an answer that waits with an item %s has a warning", async (type, words) => {
  const generation = await exchange.generationOf([done(0, { type, id: "x_1" }), completed()]);
  expect(generation.warnings).toEqual([expect.stringContaining(words)]);
});
