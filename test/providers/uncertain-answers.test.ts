import { describe, expect, test } from "vitest";
import { Agent, run, tool, type RunResult } from "skein";
import { modelOver, type Protocol } from "./protocols.ts";

interface Outcome {
  /** The inputs that the tool was executed with. */
  readonly inputs: unknown[];
  readonly result: RunResult | undefined;
  readonly error: unknown;
}

/** Runs an agent whose model sends these events, then the answer "Done." of a second request, if there is one. */
async function outcomeOf(protocol: Protocol, events: readonly (object | string)[]): Promise<Outcome> {
  const inputs: unknown[] = [];
  const input = { type: "object", properties: {} } as const;
  const act = tool({ name: "act", input, execute: (args) => void inputs.push(args) });
  const data = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  const fetch = async (): Promise<Response> =>
    new Response(data.map((text) => `data: ${text}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
  const model = modelOver(protocol, { url: "https://api.acme.test", fetch });
  const agent = new Agent({ name: "A", model, tools: [act], settings: { maxRetries: 0 } });
  try {
    return { inputs, result: await run(agent, "Go.", { maxTurns: 1 }), error: undefined };
  } catch (error) {
    return { inputs, result: undefined, error };
  }
}

const chunk = (delta: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const pieces = (...entries: object[]): object => chunk({ tool_calls: entries });
const chatEnd = [chunk({}, "tool_calls"), "[DONE]"];
const act = (text: string): object => ({ name: "act", arguments: text });

describe("chat", () => {
  test("an index may be a string", async () => {
    const { inputs } = await outcomeOf("chat", [
      pieces({ index: "0", id: "a", function: act('{"x":1') }),
      pieces({ index: "1", id: "b", function: act('{"x":2') }),
      pieces({ index: "0", function: { arguments: ',"s":"for-one"}' } }),
      pieces({ index: "1", function: { arguments: "}" } }),
      ...chatEnd,
    ]);
    expect(inputs).toEqual([{ x: 1, s: "for-one" }, { x: 2 }]);
  });

  test.each([["first"], [null], [{}]])(
    "no call gets a piece with the index %j, which may be another's",
    async (index) => {
      const { inputs, error } = await outcomeOf("chat", [
        pieces({ index: 0, id: "a", function: act('{"x":1') }),
        pieces({ index: 1, id: "b", function: act('{"x":2') }),
        pieces({ index, function: { arguments: ',"s":"for-one"}' } }),
        ...chatEnd,
      ]);
      expect(inputs).toEqual([]);
      expect(error).toMatchObject({ code: "malformed-response" });
    },
  );

  test("no call gets a piece with its index and the id of another", async () => {
    const { inputs, error } = await outcomeOf("chat", [
      pieces({ index: 0, id: "a", function: act('{"x":1') }),
      pieces({ index: 1, id: "b", function: act('{"x":2') }),
      pieces({ index: 1, id: "a", function: { arguments: "}" } }),
      pieces({ index: 0, id: "b", function: { arguments: "}" } }),
      ...chatEnd,
    ]);
    expect(inputs).toEqual([]);
    expect(error).toMatchObject({ code: "malformed-response" });
  });

  test("the id says which of the calls at one index a piece belongs to", async () => {
    const { inputs } = await outcomeOf("chat", [
      pieces({ index: 0, id: "a", function: { name: "act", arguments: '{"x":1' } }),
      pieces({ index: 0, id: "b", function: { name: "other", arguments: '{"x":2' } }),
      pieces({ index: 0, id: "a", function: { arguments: "}" } }),
      pieces({ index: 0, id: "b", function: { arguments: "}" } }),
      ...chatEnd,
    ]);
    expect(inputs.filter((input) => JSON.stringify(input) !== '{"x":1}')).toEqual([]);
  });

  test("without any index a piece continues the last call", async () => {
    const { inputs } = await outcomeOf("chat", [
      pieces({ id: "a", function: act('{"x":1}') }),
      pieces({ id: "b", function: act('{"x":2') }),
      pieces({ function: { arguments: "}" } }),
      ...chatEnd,
    ]);
    expect(inputs).toEqual([{ x: 1 }, { x: 2 }]);
  });

  test("another choice is not read, though its index is a string", async () => {
    const { inputs } = await outcomeOf("chat", [
      pieces({ index: 0, id: "a", function: act('{"x":1}') }),
      { choices: [{ index: "1", delta: { tool_calls: [{ index: 0, function: { arguments: " " } }] } }] },
      ...chatEnd,
    ]);
    expect(inputs).toEqual([{ x: 1 }]);
  });
});

const start = { type: "message_start", message: { id: "m", type: "message", content: [] } };
const block = (index: unknown, id: string): object => ({
  type: "content_block_start",
  index,
  content_block: { type: "tool_use", id, name: "act", input: {} },
});
const json = (index: unknown, text: string): object => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json: text },
});
const stop = (index: unknown): object => ({ type: "content_block_stop", index });
const reason = { type: "message_delta", delta: { stop_reason: "tool_use" } };
const over = { type: "message_stop" };

describe("messages", () => {
  test("an index may be a string", async () => {
    const { inputs } = await outcomeOf("messages", [
      start,
      block("0", "a"),
      block("1", "b"),
      json("0", '{"x":1}'),
      json("1", '{"x":2}'),
      stop("0"),
      stop("1"),
      reason,
      over,
    ]);
    expect(inputs).toEqual([{ x: 1 }, { x: 2 }]);
  });

  test.each([
    ["whose start was lost", [start, json(0, '{"x":1}'), stop(0), reason, over]],
    ["that was lost", [start, reason, over]],
    ["without an index", [start, block(undefined, "a"), reason, over]],
    ["without a stop reason", [start, block(0, "a"), json(0, '{"x":1}'), stop(0), over]],
  ])("a call %s is a malformed answer", async (_, events) => {
    const { inputs, error } = await outcomeOf("messages", events);
    expect(inputs).toEqual([]);
    expect(error).toMatchObject({ code: "malformed-response" });
  });
});

const item = (id: string, text: string, status = "completed"): object => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: id,
  name: "act",
  arguments: text,
  status,
});
const completed = (...output: object[]): object => ({
  type: "response.completed",
  response: { status: "completed", output },
});

describe("responses", () => {
  test("an index may be a string", async () => {
    const delta = "response.function_call_arguments.delta";
    const { inputs } = await outcomeOf("responses", [
      { type: "response.output_item.added", output_index: "0", item: item("a", "") },
      { type: "response.output_item.added", output_index: "1", item: item("b", "") },
      { type: delta, output_index: "0", delta: '{"x":1}' },
      { type: delta, output_index: "1", delta: '{"x":2}' },
      completed(item("a", '{"x":1}'), item("b", '{"x":2}')),
    ]);
    expect(inputs).toEqual([{ x: 1 }, { x: 2 }]);
  });

  test("no call gets a piece with its place and the id of another", async () => {
    const delta = "response.function_call_arguments.delta";
    const added = (index: number, id: string): object => ({
      type: "response.output_item.added",
      output_index: index,
      item: { type: "function_call", id, call_id: `call_${id}`, name: "act", arguments: "" },
    });
    const { inputs, error } = await outcomeOf("responses", [
      added(0, "a"),
      added(1, "b"),
      { type: delta, output_index: 0, item_id: "a", delta: '{"x":1' },
      { type: delta, output_index: 1, item_id: "b", delta: '{"x":2' },
      { type: delta, output_index: 1, item_id: "a", delta: "}" },
      { type: delta, output_index: 0, item_id: "b", delta: "}" },
      { type: "response.completed", response: { id: "r", status: "completed" } },
    ]);
    expect(inputs).toEqual([]);
    expect(error).toMatchObject({ code: "malformed-response" });
  });

  test("an incomplete call is not executed, though the response is complete", async () => {
    const { inputs } = await outcomeOf("responses", [completed(item("a", "{}", "incomplete"))]);
    expect(inputs).toEqual([]);
  });

  test("a piece of one of two calls without index and id is a malformed answer", async () => {
    const added = (name: string): object => ({
      type: "response.output_item.added",
      item: { type: "function_call", call_id: name, name },
    });
    const piece = { type: "response.function_call_arguments.delta", delta: "{}" };
    const { error } = await outcomeOf("responses", [added("a"), added("b"), piece, completed()]);
    expect(error).toMatchObject({ code: "malformed-response" });
  });
});

test("google: a call that will continue is not executed", async () => {
  const functionCall = { name: "act", args: { x: 1 }, willContinue: true };
  const candidate = { content: { parts: [{ functionCall }] }, finishReason: "STOP" };
  const { inputs, error } = await outcomeOf("google", [{ candidates: [candidate] }]);
  expect(inputs).toEqual([]);
  expect(error).toMatchObject({ code: "malformed-response" });
});

const text = { type: "text", text: "Hi" };
const answersWith = (input: number, output: number): readonly (readonly [Protocol, readonly object[]])[] => [
  [
    "chat",
    [
      chunk({ content: "Hi" }, "stop"),
      {
        choices: [],
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      },
    ],
  ],
  [
    "responses",
    [
      {
        type: "response.completed",
        response: {
          status: "completed",
          output: [{ type: "message", content: [{ type: "output_text", text: "Hi" }] }],
          usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
        },
      },
    ],
  ],
  [
    "messages",
    [
      start,
      { type: "content_block_start", index: 0, content_block: text },
      stop(0),
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { input_tokens: input, output_tokens: output },
      },
      over,
    ],
  ],
  [
    "google",
    [
      {
        candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
        usageMetadata: { promptTokenCount: input, candidatesTokenCount: output },
      },
    ],
  ],
];

test.each([...answersWith(-9, 4), ...answersWith(1.5, 4)])(
  "a count that is negative or a fraction is unknown: %s",
  async (protocol, events) => {
    const { result } = await outcomeOf(protocol, events);
    expect(result?.text).toBe("Hi");
    expect(result?.usage).toMatchObject({ inputTokens: undefined, outputTokens: 4 });
  },
);

test.each(["chat", "responses", "messages", "google"] as const)(
  "an event that is nested too deeply is a malformed answer: %s",
  async (protocol) => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    for (const data of [deep, `{"type":"x","error":${deep}}`]) {
      const { error } = await outcomeOf(protocol, [data]);
      expect(String(error)).not.toContain("call stack");
      expect(error).toHaveProperty("name", expect.stringMatching(/MalformedResponseError|OverloadedError/));
    }
  },
);

test("a fetch must return a Response", async () => {
  const fetch = (async () => ({ ok: true })) as unknown as typeof globalThis.fetch;
  const model = modelOver("chat", { url: "https://api.acme.test", fetch });
  await expect(run(new Agent({ name: "A", model }), "Go.")).rejects.toThrow(
    "The fetch of openai:gpt-5.2 must return a Response.",
  );
});
