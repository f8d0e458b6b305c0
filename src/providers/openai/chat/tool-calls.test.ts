import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startExchange, type TestExchange } from "../test-exchange.ts";

let exchange: TestExchange;
beforeAll(async () => void (exchange = await startExchange("chat", {})));
afterAll(() => exchange.server.close());

const delta = (value: object, finishReason: string | null = null): object => ({
  id: "chatcmpl-1",
  model: "m-2026",
  choices: [{ index: 0, delta: value, finish_reason: finishReason }],
});
const calls = (...entries: readonly object[]): object => delta({ tool_calls: entries });
const end = (reason = "stop"): object => delta({}, reason);

const toolCall = (toolCallId: string, toolName: string, text: string): object => ({
  toolCallId,
  toolName,
  arguments: text,
});

const fn = (name: string, text: string): object => ({ name, arguments: text });
const cases: readonly (readonly [string, readonly object[], readonly object[]])[] = [
  [
    "in fragments, two at a time, interleaved",
    [
      calls({ index: 0, id: "a", type: "function", function: fn("one", "") }),
      calls({ index: 1, id: "b", type: "function", function: fn("two", "") }),
      calls({ index: 1, function: { arguments: '{"y"' } }, { index: 0, function: { arguments: '{"x"' } }),
      calls({ index: 0, function: { arguments: ":1}" } }),
      calls({ index: 1, function: { arguments: ":2}" } }),
    ],
    [toolCall("a", "one", '{"x":1}'), toolCall("b", "two", '{"y":2}')],
  ],
  [
    "whole in one chunk, without an index",
    [calls({ id: "a", function: fn("one", "{}") }, { id: "b", function: fn("two", "{}") })],
    [toolCall("a", "one", "{}"), toolCall("b", "two", "{}")],
  ],
  [
    "in fragments without an index, each with its id",
    [
      calls({ id: "a", function: fn("one", '{"x"') }),
      calls({ id: "b", function: fn("two", '{"y"') }),
      calls({ id: "a", function: { arguments: ":1}" } }),
      calls({ id: "b", function: { arguments: ":2}" } }),
    ],
    [toolCall("a", "one", '{"x":1}'), toolCall("b", "two", '{"y":2}')],
  ],
  [
    "with one index for all",
    [
      calls({ index: 0, id: "a", function: fn("one", '{"x":1}') }),
      calls({ index: 0, id: "b", function: fn("one", '{"x":2}') }),
    ],
    [toolCall("a", "one", '{"x":1}'), toolCall("b", "one", '{"x":2}')],
  ],
  [
    "with one index for all and no id",
    [
      calls({ index: 0, id: "", function: fn("one", '{"x":1}') }),
      calls({ index: 0, id: "", function: fn("one", '{"x":2}') }),
      calls({ index: 0, id: "", function: fn("two", "{}") }),
    ],
    [
      toolCall("call_0", "one", '{"x":1}'),
      toolCall("call_1", "one", '{"x":2}'),
      toolCall("call_2", "two", "{}"),
    ],
  ],
  [
    "with the id late",
    [
      calls({ index: 0, id: "", function: fn("one", "") }),
      calls({ index: 0, function: { arguments: '{"x"' } }),
      calls({ index: 0, id: "a", function: { arguments: ":1}" } }),
    ],
    [toolCall("a", "one", '{"x":1}')],
  ],
  [
    "with the name late",
    [
      calls({ index: 0, id: "a", function: { arguments: "" } }),
      calls({ index: 0, function: { arguments: "{" } }),
      calls({ index: 0, function: fn("one", "}") }),
    ],
    [toolCall("a", "one", "{}")],
  ],
  [
    "with id and name repeated in each fragment",
    [
      calls({ index: 0, id: "a", function: fn("one", '{"x') }),
      calls({ index: 0, id: "a", function: fn("one", '":1') }),
      calls({ index: 0, id: "a", function: fn("one", "}") }),
    ],
    [toolCall("a", "one", '{"x":1}')],
  ],
  [
    "with a new id in each fragment",
    [
      calls({ index: 0, id: "a", function: fn("one", "{") }),
      calls({ index: 0, id: "b", function: { arguments: "}" } }),
    ],
    [toolCall("a", "one", "{}")],
  ],
  [
    "with arguments that are a whole object early",
    [
      calls({ index: 0, id: "a", function: fn("one", '{"x":1}') }),
      calls({ index: 0, function: { arguments: " " } }),
      calls({ index: 0, function: { arguments: "\n" } }),
    ],
    [toolCall("a", "one", '{"x":1} \n')],
  ],
  [
    "with arguments that are an object, not text",
    [calls({ index: 0, id: "a", function: { name: "one", arguments: { x: 1 } } })],
    [toolCall("a", "one", '{"x":1}')],
  ],
  [
    "whose id stands twice",
    [
      calls(
        { index: 0, id: "a", function: fn("one", "{}") },
        { index: 1, id: "a", function: fn("two", "{}") },
      ),
    ],
    [toolCall("a", "one", "{}"), { ...toolCall("a_2", "two", "{}"), originalId: "a" }],
  ],
  [
    "in the legacy form",
    [delta({ function_call: { name: "one", arguments: "" } }), delta({ function_call: { arguments: "{}" } })],
    [toolCall("call_0", "one", "{}")],
  ],
  [
    "with no arguments at all, before one that has some",
    [
      calls({ index: 0, id: "", function: fn("one", "") }),
      calls({ index: 1, id: "b", function: fn("two", "{}") }),
    ],
    [toolCall("call_0", "one", ""), toolCall("b", "two", "{}")],
  ],
  [
    "named like an object's own properties",
    [calls({ index: 0, id: "__proto__", function: fn("__proto__", "{}") })],
    [toolCall("__proto__", "__proto__", "{}")],
  ],
];

describe("calls", () => {
  test.each(cases)("are assembled: %s", async (_title, chunks, expected) => {
    const events = await exchange.eventsOf([...chunks, end("tool_calls"), "[DONE]"]);
    const last = events.at(-1);
    expect(last).toMatchObject({ generation: { toolCalls: expected, finishReason: "tool-calls" } });
    expect(events.flatMap((event) => (event.type === "tool-call" ? [event.toolCall] : []))).toEqual(expected);
    for (const call of expected) {
      const { toolCallId, arguments: text } = call as { toolCallId: string; arguments: string };
      const pieces = events.map((event) =>
        event.type === "tool-input-delta" && event.toolCallId === toolCallId ? event.text : "",
      );
      expect(pieces.join("")).toBe(text);
    }
  });

  test("end with the answer, after all their pieces", async () => {
    const events = await exchange.eventsOf([
      calls({ index: 0, id: "a", function: fn("one", "{}") }),
      delta({ content: "more" }),
      end("tool_calls"),
    ]);
    expect(events.map((event) => event.type)).toEqual([
      "tool-input-delta",
      "text-delta",
      "tool-call",
      "finish",
    ]);
  });

  test("get ids that no earlier call has", async () => {
    const earlier = { toolCallId: "call_0", toolName: "one", arguments: "{}" };
    const { toolCalls } = await exchange.generationOf(
      [calls({ index: 0, id: "call_0", function: fn("one", "{}") }), end()],
      {
        messages: [{ role: "assistant", content: [], toolCalls: [earlier] }],
      },
    );
    expect(toolCalls).toEqual([{ ...toolCall("call_0_2", "one", "{}"), originalId: "call_0" }]);
  });

  test("get the program's name back if the provider has another", async () => {
    const tools = [{ name: "weather.now", inputSchema: {} }];
    await exchange.eventsOf([end()], { tools });
    const wireTools = exchange.server.received.at(-1)?.body["tools"];
    const [{ function: tool }] = wireTools as [{ function: { name: string } }];
    expect(tool.name).not.toBe("weather.now");
    const answer = [calls({ index: 0, id: "a", function: fn(tool.name, "{}") }), end()];
    const { toolCalls } = await exchange.generationOf(answer, { tools });
    expect(toolCalls).toEqual([toolCall("a", "weather.now", "{}")]);
  });

  test("of a truncated answer are in the message, with the reason", async () => {
    const { toolCalls, finishReason } = await exchange.generationOf([
      calls({ index: 0, id: "a", function: fn("one", '{"x":') }),
      end("length"),
    ]);
    expect({ toolCalls, finishReason }).toEqual({
      toolCalls: [toolCall("a", "one", '{"x":')],
      finishReason: "length",
    });
  });
});

test.each(["stop", "tool_calls", "function_call", "eos"])(
  "the finish reason %s with calls is tool-calls",
  async (raw) => {
    const chunks = [calls({ index: 0, id: "a", function: fn("one", "{}") }), end(raw)];
    expect(await exchange.generationOf(chunks)).toMatchObject({
      finishReason: "tool-calls",
      rawFinishReason: raw,
    });
  },
);

const start = (index: number | undefined, id: string, name: string, text = ""): object =>
  calls({ index, id, type: "function", function: fn(name, text) });
const piece = (index: number | undefined, text: string, more: object = {}): object =>
  calls({ index, ...more, function: { arguments: text } });

describe("an answer is an error, and none of its calls come out,", () => {
  test.each<[string, object[]]>([
    ["if a piece has an index that no call has", [start(0, "a", "one"), piece(1, '{"x'), piece(1, '":1}')]],
    [
      "if a piece has the id of a call and the index of none",
      [start(0, "a", "one"), piece(1, '{"x":1}', { id: "a" })],
    ],
    [
      "if only the pieces have an index",
      [start(undefined, "a", "one"), piece(0, '{"x":1}'), start(undefined, "b", "two"), piece(1, "{}")],
    ],
    [
      "if pieces have an index that is one too high",
      [
        start(0, "a", "one"),
        piece(1, '{"x":1}', { id: "a" }),
        start(1, "b", "two"),
        piece(2, "{}", { id: "b" }),
      ],
    ],
    [
      "if a call begins before one of another index has its name",
      [piece(1, '{"x":1}'), start(0, "a", "one"), start(1, "b", "two", "{}")],
    ],
    ["if a call never gets a name", [start(0, "a", "one", "{}"), piece(1, '{"x":1}', { id: "b" })]],
    [
      "if all pieces go to the first of two calls",
      [start(0, "a", "one"), piece(0, '{"x":1}'), start(1, "b", "two"), piece(0, '{"y":2}')],
    ],
    [
      "if the halves of calls are one index apart",
      [start(1, "a", "one", '{"x"'), start(2, "b", "two", '{"y"'), piece(1, ":1}"), piece(1, ":2}")],
    ],
    [
      "if a call without arguments may have those of another of its name",
      [start(0, "a", "one"), calls({ index: 1, function: fn("one", '{"x":1}') })],
    ],
    [
      "if pieces with an index of two open calls have no id",
      [start(0, "a", "one"), start(0, "b", "two"), piece(0, '{"x":1}')],
    ],
  ])("%s", async (_title, chunks) => {
    const reading = exchange.generationOf([...chunks, end("tool_calls"), "[DONE]"]);
    await expect(reading).rejects.toMatchObject({ code: "malformed-response", isRetryable: false });
  });
});

test.each<[string, object[], object[]]>([
  [
    "the id says whose a piece is where only pieces have an index",
    [start(undefined, "a", "one"), piece(0, '{"x":1}', { id: "a" })],
    [toolCall("a", "one", '{"x":1}')],
  ],
  [
    "what a model writes after its arguments is for the tool's result to say",
    [start(0, "a", "one", '{"x":1}'), piece(0, "}"), start(1, "b", "two", "{}")],
    [toolCall("a", "one", '{"x":1}}'), toolCall("b", "two", "{}")],
  ],
  [
    "calls of one tool, one of them without arguments, are two by their ids and indexes",
    [start(0, "a", "one"), start(1, "b", "one", '{"x":1}')],
    [toolCall("a", "one", ""), toolCall("b", "one", '{"x":1}')],
  ],
])("%s", async (_title, chunks, expected) => {
  const { toolCalls } = await exchange.generationOf([...chunks, end("tool_calls"), "[DONE]"]);
  expect(toolCalls).toEqual(expected);
});

test("brackets in strings do not end arguments", async () => {
  const text = '{"x":"}\\"}","y":["{",{"z":[]}]}';
  const chunks = [start(0, "a", "one", text), start(0, "b", "two", "{}")];
  const { toolCalls } = await exchange.generationOf([...chunks, end("tool_calls")]);
  expect(toolCalls).toEqual([toolCall("a", "one", text), toolCall("b", "two", "{}")]);
});
