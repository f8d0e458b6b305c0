import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelEvent } from "../../../model/types.ts";
import { startExchange, type TestExchange } from "../test-exchange.ts";
import { sse } from "../test-server.ts";

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

/** Events of one kind, as text. */
function textOf(events: readonly ModelEvent[], type: "text-delta" | "reasoning-delta"): string {
  return events.map((event) => (event.type === type ? event.text : "")).join("|");
}

describe("text", () => {
  test("comes in pieces, and complete at the end, with id, model, headers and finish reason", async () => {
    const events = await exchange.eventsOf([
      delta({ role: "assistant", content: "" }),
      delta({ content: "He" }),
      delta({ content: "llo 🦢" }),
      end(),
      "[DONE]",
    ]);
    expect(events.slice(0, -1)).toEqual([
      { type: "text-delta", text: "He" },
      { type: "text-delta", text: "llo 🦢" },
    ]);
    expect(events.at(-1)).toMatchObject({
      type: "finish",
      generation: {
        text: "Hello 🦢",
        message: { role: "assistant", content: [{ type: "text", text: "Hello 🦢" }], toolCalls: [] },
        finishReason: "stop",
        rawFinishReason: "stop",
        usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
        response: { id: "chatcmpl-1", modelId: "m-2026", headers: { "content-type": "text/event-stream" } },
        warnings: [],
      },
    });
  });

  test("has no event for an empty piece, in a text or in parts", async () => {
    const parts = (...texts: string[]): object =>
      delta({ content: texts.map((text) => ({ type: "text", text })) });
    const events = await exchange.eventsOf([
      parts(""),
      parts("He", ""),
      delta({ content: "" }),
      parts("y"),
      end(),
    ]);
    expect(events.slice(0, -1)).toEqual([
      { type: "text-delta", text: "He" },
      { type: "text-delta", text: "y" },
    ]);
  });

  test("is the same if the server does not stream", async () => {
    const whole = {
      id: "chatcmpl-1",
      model: "m-2026",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    };
    const generation = await exchange.generationOf({
      type: "application/json",
      chunks: [JSON.stringify(whole)],
    });
    expect(generation).toMatchObject({ text: "Hello", finishReason: "stop", usage: { totalTokens: 3 } });
  });

  test("of further choices is ignored", async () => {
    const second = { choices: [{ index: 1, delta: { content: "other" }, finish_reason: null }] };
    expect((await exchange.generationOf([delta({ content: "one" }), second, end()])).text).toBe("one");
  });

  test("of a refusal is emitted and marked, and is also the `refusal`", async () => {
    const generation = await exchange.generationOf([
      delta({ refusal: "I " }),
      delta({ refusal: "won't." }),
      end(),
    ]);
    expect(generation).toMatchObject({ refusal: "I won't.", text: "I won't." });
    expect(generation.message.content).toEqual([
      { type: "text", text: "I won't.", providerData: { provider: "openai", data: { refusal: true } } },
    ]);
  });
});

describe("reasoning", () => {
  test.each(["reasoning_content", "reasoning"])(
    "in %s is stored with the name of its field",
    async (field) => {
      const events = await exchange.eventsOf([
        delta({ [field]: "Let me" }),
        delta({ [field]: " think." }),
        delta({ content: "4" }),
        end(),
      ]);
      expect(textOf(events, "reasoning-delta")).toContain("Let me| think.");
      expect(events.at(-1)).toMatchObject({
        generation: {
          text: "4",
          message: {
            content: [
              {
                type: "reasoning",
                text: "Let me think.",
                providerData: { provider: "openai", data: { field } },
              },
              { type: "text", text: "4" },
            ],
          },
        },
      });
    },
  );

  test("that a server sends under two names is emitted once", async () => {
    const events = await exchange.eventsOf([delta({ reasoning: "x", reasoning_content: "x" }), end()]);
    expect(textOf(events, "reasoning-delta")).toBe("x|");
  });

  test("in content arrays is distinguished from text", async () => {
    const events = await exchange.eventsOf([
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
      delta({ content: [{ type: "text", text: "4" }] }),
      end(),
    ]);
    expect(textOf(events, "reasoning-delta")).toBe("hm||");
    expect(textOf(events, "text-delta")).toBe("|4|");
  });

  test("in reasoning_details is assembled block by block, including signatures", async () => {
    const detail = (value: object): object => ({ index: 0, format: "anthropic-claude-v1", ...value });
    const { message } = await exchange.generationOf([
      delta({
        reasoning: "One",
        reasoning_details: [detail({ type: "reasoning.text", text: "One", signature: "" })],
      }),
      delta({ reasoning: " two", reasoning_details: [detail({ type: "reasoning.text", text: " two" })] }),
      delta({ reasoning_details: [detail({ type: "reasoning.text", text: "", signature: "c2ln" })] }),
      delta({ reasoning_details: [{ type: "reasoning.encrypted", data: "YWJj", id: "r1", index: 1 }] }),
      delta({ content: "2" }),
      end(),
    ]);
    expect(message.content.at(-1)).toEqual({
      type: "provider",
      providerData: {
        provider: "openai",
        data: {
          reasoning_details: [
            detail({ type: "reasoning.text", text: "One two", signature: "c2ln" }),
            { type: "reasoning.encrypted", data: "YWJj", id: "r1", index: 1 },
          ],
        },
      },
    });
  });
});

test.each([
  ["stop", "stop"],
  ["length", "length"],
  ["content_filter", "content-filter"],
  ["eos", "stop"],
  ["model_length", "length"],
  ["sensitive", "content-filter"],
  ["network_error", "error"],
  ["a_new_one", "other"],
  ["constructor", "other"],
  ["tool_calls", "stop"],
])("the finish reason %s without calls is %s", async (raw, expected) => {
  const generation = await exchange.generationOf([delta({ content: "x" }), end(raw)]);
  expect(generation).toMatchObject({ finishReason: expected, rawFinishReason: raw });
});

describe("usage", () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 20,
    total_tokens: 30,
    prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 5 },
  };
  const expected = {
    inputTokens: 10,
    outputTokens: 20,
    totalTokens: 30,
    cachedInputTokens: 4,
    cacheWriteTokens: 3,
    reasoningTokens: 5,
  };

  test.each([
    ["in a last chunk without choices", [delta({ content: "x" }), end(), { choices: [], usage }]],
    ["in the chunk that ends", [delta({ content: "x" }), { ...end(), usage }]],
    [
      "in each chunk, growing",
      [
        { ...delta({ content: "x" }), usage: { prompt_tokens: 10 } },
        { ...end(), usage },
      ],
    ],
    ["in x_groq", [delta({ content: "x" }), { ...end(), x_groq: { usage } }]],
  ])("is read %s", async (_title, chunks) => {
    expect((await exchange.generationOf(chunks)).usage).toEqual(expected);
  });

  test("adds reasoning that the completion does not include", async () => {
    const beside = {
      prompt_tokens: 307,
      completion_tokens: 26,
      total_tokens: 588,
      completion_tokens_details: { reasoning_tokens: 255 },
    };
    const generation = await exchange.generationOf([end(), { choices: [], usage: beside }]);
    expect(generation.usage).toEqual({
      inputTokens: 307,
      outputTokens: 281,
      totalTokens: 588,
      reasoningTokens: 255,
    });
  });

  test("is undefined if the server reports none or nonsense", async () => {
    const nothing = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };
    expect((await exchange.generationOf([end(), { choices: [], usage: null }])).usage).toEqual(nothing);
    expect(
      (await exchange.generationOf([end(), { choices: [], usage: { prompt_tokens: "9" } }])).usage,
    ).toEqual(nothing);
  });
});

test("log probabilities are listed, with their alternatives", async () => {
  const logprobs = {
    content: [
      {
        token: "4",
        logprob: -0.1,
        bytes: [52],
        top_logprobs: [
          { token: "4", logprob: -0.1 },
          { token: "5", logprob: -2 },
        ],
      },
    ],
  };
  const chunk = { choices: [{ index: 0, delta: { content: "4" }, logprobs, finish_reason: null }] };
  expect((await exchange.generationOf([chunk, end()])).logprobs).toEqual([
    {
      token: "4",
      logprob: -0.1,
      topLogprobs: [
        { token: "4", logprob: -0.1 },
        { token: "5", logprob: -2 },
      ],
    },
  ]);
});

test("an image from the model is a part", async () => {
  const url = "data:image/png;base64,AAAA";
  const { message } = await exchange.generationOf([
    delta({ images: [{ type: "image_url", image_url: { url } }] }),
    end(),
  ]);
  expect(message.content).toEqual([{ type: "image", url }]);
});

test("so is an image in the same chunk as text", async () => {
  const url = "data:image/png;base64,AAAA";
  const { text, message } = await exchange.generationOf([
    delta({ content: "Here: ", images: [{ type: "image_url", image_url: { url } }] }),
    end(),
  ]);
  expect(text).toBe("Here: ");
  expect(message.content).toEqual([
    { type: "text", text: "Here: " },
    { type: "image", url },
  ]);
});

describe("the rate limit", () => {
  test("is read from the headers", async () => {
    const headers = {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-limit-tokens": "150000",
      "x-ratelimit-remaining-tokens": "149984",
      "x-ratelimit-reset-tokens": "6m0s",
    };
    expect((await exchange.generationOf({ headers, chunks: [sse(end())] })).rateLimit).toEqual({
      limitRequests: 60,
      remainingRequests: 59,
      resetRequests: 1000,
      limitTokens: 150_000,
      remainingTokens: 149_984,
      resetTokens: 360_000,
    });
  });
});

describe("an answer that fails", () => {
  test.each([
    ["an error object", { error: { message: "Overloaded", type: "server_error" } }, "overloaded"],
    [
      "an error in a choice",
      { choices: [{ index: 0, delta: {}, finish_reason: "error", error: { code: 429, message: "Slow" } }] },
      "rate-limit",
    ],
    [
      "an error in x_groq",
      { choices: [], x_groq: { error: { message: "x", type: "rate_limit_exceeded" } } },
      "rate-limit",
    ],
    [
      "an error without an envelope",
      { object: "error", message: "context length exceeded", code: 400 },
      "context-length",
    ],
    ["a code and a message", { code: 500, message: "the model crashed" }, "overloaded"],
  ])("during its stream is a typed error, after the events before it: %s", async (_title, chunk, code) => {
    exchange.server.answer({ chunks: [sse(delta({ content: "Hel" }), chunk)] });
    const seenEvents: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of exchange.stream({})) seenEvents.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ code });
    expect(seenEvents).toEqual([{ type: "text-delta", text: "Hel" }]);
  });

  test.each([
    ["nothing", [], true],
    ["text", [delta({ content: "Hel" })], false],
    [
      "a call whose arguments are whole",
      [calls({ index: 0, id: "a", function: { name: "one", arguments: "{}" } })],
      false,
    ],
  ])("because it is truncated after %s is malformed", async (_title, chunks, isRetryable) => {
    const reading = exchange.eventsOf(chunks);
    await expect(reading).rejects.toMatchObject({ code: "malformed-response", isRetryable });
    await expect(reading).rejects.toThrow("before the answer was complete");
  });

  test.each([
    [{ code: 500, message: "the model crashed" }],
    [{ detail: "the model crashed" }],
    ["the model crashed"],
  ])(
    "because of an event that is named error has the server's words, though [DONE] follows: %j",
    async (data) => {
      const call = calls({ index: 0, id: "a", function: { name: "one", arguments: "{}" } });
      const failure = `event: error\n${sse(typeof data === "string" ? data : JSON.stringify(data))}`;
      for (const before of ["", sse(call), sse(call, end("tool_calls"))]) {
        const reading = exchange.eventsOf({ chunks: [before + failure + sse("[DONE]")] });
        await expect(reading).rejects.toThrow("the model crashed");
      }
    },
  );

  test("because it has no choices is malformed", async () => {
    await expect(exchange.eventsOf(["[DONE]"])).rejects.toMatchObject({ code: "malformed-response" });
  });

  test.each(["{broken", "[1]", "null", "3"])("because it is %s is malformed", async (data) => {
    await expect(exchange.eventsOf([delta({ content: "x" }), data])).rejects.toMatchObject({
      code: "malformed-response",
    });
  });

  test("because of fields with wrong types is read as far as possible", async () => {
    const odd = [
      { choices: "x" },
      { choices: [null, 3, { delta: [] }] },
      { choices: [{ delta: { content: 5, tool_calls: [null, {}] } }] },
    ];
    const generation = await exchange.generationOf([...odd, delta({ content: "ok" }), end()]);
    expect(generation.text).toBe("ok");
  });
});

test("a stream is complete with a finish reason or with [DONE]", async () => {
  expect(await exchange.generationOf([delta({ content: "x" }), end()])).toMatchObject({
    finishReason: "stop",
  });
  const generation = await exchange.generationOf([delta({ content: "x" }), "[DONE]"]);
  expect(generation).toMatchObject({ finishReason: "stop", rawFinishReason: undefined });
});
