import { afterEach, describe, expect, test, vi } from "vitest";
import type { JsonValue } from "../base/util/json.ts";
import { GenerationBuilder } from "./generation-builder.ts";
import type { Generation } from "./types.ts";

const piece = "A".repeat(2 ** 20);
const providerData = { provider: "acme", data: { bytes: piece } };

/** What adds a mebibyte to an answer, and nothing that a limit on text would count. */
const additions: Readonly<Record<string, (builder: GenerationBuilder) => unknown>> = {
  images: (builder) => builder.part({ type: "image", url: piece }),
  "parts of the provider's": (builder) => builder.part({ type: "provider", providerData }),
  "signed empty texts": (builder) => builder.part({ type: "text", text: "", providerData }),
  "signatures of text": (builder) => [builder.text("a"), builder.endPart(providerData)],
  "data of calls": (builder) => builder.startToolCall(0, "c1", "f", providerData),
  "log probabilities": (builder) => builder.count([{ token: piece, logprob: -1 }]),
  text: (builder) => builder.text(piece),
};

describe("an answer may have 33,554,432 characters", () => {
  test.each(Object.keys(additions))("%s count", (name) => {
    const builder = new GenerationBuilder({ provider: "acme", modelId: "m1" });
    const add = additions[name];
    for (let count = 0; count < 31; count++) add?.(builder);
    expect(() => [add?.(builder), add?.(builder)]).toThrow(
      expect.objectContaining({
        name: "MalformedResponseError",
        provider: "acme",
        modelId: "m1",
        isRetryable: false,
        message:
          "acme:m1 answered with more than 33554432 characters, each call counted as 4096, and was not read to the end.",
      }),
    );
  });
});

test("an answer of exactly 33,554,432 characters is whole, and nothing more fits", () => {
  const builder = new GenerationBuilder({ provider: "acme", modelId: "m1" });
  builder.text("x".repeat(33_554_432));
  expect(builder.size).toBe(33_554_432);
  expect(() => builder.countPart()).toThrow("more than 33554432 characters");
});

test("data that is nested too deep to be written again is a typed error", () => {
  const data: JsonValue = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
  const builder = new GenerationBuilder({ provider: "acme", modelId: "m1" });
  expect(() => builder.part({ type: "provider", providerData: { provider: "acme", data } })).toThrow(
    expect.objectContaining({
      name: "MalformedResponseError",
      provider: "acme",
      modelId: "m1",
      cause: expect.any(RangeError),
      message: expect.stringContaining("nested too deep"),
    }),
  );
});

test("data that a provider sends with the end counts like what came before", () => {
  const builder = new GenerationBuilder({ provider: "acme", modelId: "m1" });
  const end = (parts: number): unknown =>
    builder.finish({
      content: Array.from({ length: parts }, () => ({ type: "text", text: "", providerData })),
      finishReason: "stop",
      response: { id: "r1", modelId: "m1", headers: {} },
    });
  expect(() => end(33)).toThrow("answered with more than 33554432 characters");
});

/** A builder of an answer in which calls with these ids have begun, the tool of each named by its place. */
function builderOfCalls(...ids: readonly string[]): GenerationBuilder {
  const builder = new GenerationBuilder({ provider: "acme", modelId: "m1" });
  for (const [key, id] of ids.entries()) builder.startToolCall(key, id, `tool_${key}`);
  return builder;
}

function finishCalls(builder: GenerationBuilder): ReturnType<GenerationBuilder["finish"]> {
  return builder.finish({
    finishReason: "tool-calls",
    response: { id: "r1", modelId: "m1", headers: {} },
  });
}

test("calls keep their places in an answer when they end in another order", () => {
  const builder = builderOfCalls("a", "b", "c");
  builder.startToolCall(3, "open", "tool_3");
  for (const key of [2, 1, 0]) builder.endToolCall(key, `{"n":${key}}`);
  expect(finishCalls(builder)).toMatchObject({
    generation: {
      message: {
        content: ["a", "b", "c"].map((toolCallId) => ({ type: "tool-call", toolCallId })),
        toolCalls: ["a", "b", "c"].map((toolCallId, n) => ({ toolCallId, arguments: `{"n":${n}}` })),
      },
    },
  });
});

test("a call that is dropped is not in the answer, whether it had ended or not", () => {
  const builder = builderOfCalls("a", "b", "c");
  for (const key of [0, 1]) builder.endToolCall(key, "{}");
  for (const key of [0, 2, 9]) builder.dropToolCall(key);
  expect(finishCalls(builder)).toMatchObject({
    generation: {
      message: {
        content: [{ type: "tool-call", toolCallId: "b" }],
        toolCalls: [{ toolCallId: "b", toolName: "tool_1", arguments: "{}" }],
      },
    },
  });
});

const end = { finishReason: "stop", response: { id: "r1", modelId: "m1", headers: {} } } as const;

function generationOf(builder: GenerationBuilder, more: object = {}): Generation {
  const event = builder.finish({ ...end, ...more });
  if (event.type !== "finish") throw new Error("the last event is another");
  return event.generation;
}

test("pieces of one kind are one part until it ends or another begins", () => {
  const builder = new GenerationBuilder();
  expect(builder.hasText).toBe(false);
  expect(builder.reasoning("h")).toEqual({ type: "reasoning-delta", text: "h" });
  expect(builder.hasText).toBe(false);
  builder.reasoning("m");
  expect(builder.text("a")).toEqual({ type: "text-delta", text: "a" });
  expect(builder.hasText).toBe(true);
  builder.text("b");
  builder.endPart();
  builder.text("c");
  builder.endPart({ provider: "acme", data: { n: 1 } });
  builder.endPart({ provider: "acme", data: { n: 2 } });
  builder.text("d");
  builder.part({ type: "image", url: "u" });
  builder.text("e");
  builder.startToolCall(0, "c1", "act", { provider: "acme", data: { n: 3 } });
  builder.text("f");
  builder.endToolCall(0);
  const { text, message } = generationOf(builder);
  expect(text).toBe("abcdef");
  expect(message.content).toEqual([
    { type: "reasoning", text: "hm" },
    { type: "text", text: "ab" },
    { type: "text", text: "c", providerData: { provider: "acme", data: { n: 1 } } },
    { type: "text", text: "d" },
    { type: "image", url: "u" },
    { type: "text", text: "e" },
    { type: "tool-call", toolCallId: "c1", providerData: { provider: "acme", data: { n: 3 } } },
    { type: "text", text: "f" },
  ]);
});

test("the arguments of a call are its pieces, unless they are stated whole at its end", () => {
  const builder = builderOfCalls("a", "b");
  expect(builder.openToolCalls).toEqual([0, 1]);
  expect(builder.toolInput(0, '{"n"')).toEqual({
    type: "tool-input-delta",
    toolCallId: "a",
    toolName: "tool_0",
    text: '{"n"',
  });
  builder.toolInput(0, ":1}");
  expect(builder.toolInputSoFar(0)).toBe('{"n":1}');
  expect(builder.endToolCall(0)).toEqual({
    type: "tool-call",
    toolCall: { toolCallId: "a", toolName: "tool_0", arguments: '{"n":1}' },
  });
  expect([builder.hasOpenToolCall(0), builder.hasOpenToolCall(1), builder.hasOpenToolCall(2)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(builder.openToolCalls).toEqual([1]);
  builder.toolInput(1, "{");
  expect(builder.endToolCall(1, "")).toMatchObject({ toolCall: { arguments: "" } });
});

test("a call that has not begun, or has ended, takes nothing more", () => {
  const builder = builderOfCalls("a");
  builder.endToolCall(0, "{}");
  for (const key of [0, "x"]) {
    const problem = `no tool call with the key ${key} has begun`;
    expect(() => builder.toolInput(key, "{")).toThrow(problem);
    expect(() => builder.toolInputSoFar(key)).toThrow(problem);
    expect(() => builder.endToolCall(key)).toThrow(problem);
  }
});

test("of two calls of one id, each has its place, and the later one is dropped first", () => {
  const builder = builderOfCalls("a", "a");
  for (const key of [0, 1]) builder.endToolCall(key, `{"n":${key}}`);
  builder.dropToolCall(1);
  expect(generationOf(builder).toolCalls).toEqual([
    { toolCallId: "a", toolName: "tool_0", arguments: '{"n":0}' },
  ]);
  const both = builderOfCalls("x", "a", "a");
  for (const key of [1, 2, 0]) both.endToolCall(key, `{"n":${key}}`);
  expect(generationOf(both).toolCalls.map((call) => call.arguments)).toEqual([
    '{"n":0}',
    '{"n":1}',
    '{"n":2}',
  ]);
});

test("a call that is dropped while it is open takes no other of its answer with it", () => {
  const builder = builderOfCalls("a", "b");
  builder.endToolCall(0, "{}");
  builder.dropToolCall(1);
  expect(builder.openToolCalls).toEqual([]);
  expect(generationOf(builder).toolCalls).toMatchObject([{ toolCallId: "a" }]);
});

test("an answer may be finished again, with the same calls", () => {
  const builder = builderOfCalls("a", "b");
  for (const key of [1, 0]) builder.endToolCall(key, "{}");
  const calls = generationOf(builder).toolCalls;
  expect(calls).toHaveLength(2);
  expect(generationOf(builder).toolCalls).toEqual(calls);
});

test("the content stated at the end counts instead of what was collected, calls that never ended left out", () => {
  const builder = builderOfCalls("a", "b");
  builder.text("collected");
  builder.endToolCall(0, "{}");
  const content = [
    { type: "text", text: "stated" },
    { type: "tool-call", toolCallId: "b" },
    { type: "tool-call", toolCallId: "a" },
  ];
  expect(generationOf(builder, { content }).message.content).toEqual([content[0], content[2]]);
});

test("an end has what it says, and nothing of what it leaves out", () => {
  const plain = generationOf(new GenerationBuilder());
  expect(plain).toMatchObject({
    finishReason: "stop",
    response: end.response,
    usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
    warnings: [],
  });
  for (const name of ["rateLimit", "logprobs", "refusal", "shouldContinue"])
    expect(plain).not.toHaveProperty(name);
  const more = {
    rawFinishReason: "eos",
    usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
    rateLimit: { retryAfter: 7 },
    logprobs: [{ token: "a", logprob: -1 }],
    refusal: "",
    shouldContinue: true,
    warnings: ["careful"],
  };
  expect(generationOf(new GenerationBuilder(), more)).toMatchObject(more);
  expect(generationOf(new GenerationBuilder(), { shouldContinue: false })).not.toHaveProperty(
    "shouldContinue",
  );
});

test("the size of an answer grows with all that is counted", () => {
  const builder = new GenerationBuilder();
  expect(builder.size).toBe(0);
  builder.text("abc");
  builder.reasoning("de");
  expect(builder.size).toBe(5);
  builder.countPart();
  expect(builder.size).toBe(6);
  expect(builder.count([1])).toEqual([1]);
  expect(builder.size).toBe(9);
  builder.startToolCall(0, "c1", "act", { provider: "p", data: 1 });
  expect(builder.size).toBe(9 + 4096 + 3 + '{"provider":"p","data":1}'.length);
  const before = builder.size;
  builder.toolInput(0, "{}");
  builder.part({ type: "text", text: "abc" });
  builder.part({ type: "image", url: "abcd" });
  builder.part({ type: "provider", providerData: { provider: "p", data: 1 } });
  builder.endPart();
  expect(builder.size).toBe(before + 2 + 3 + 4 + 25);
});

describe("the times of an answer", () => {
  afterEach(() => void vi.useRealTimers());

  test.each<[string, (builder: GenerationBuilder) => unknown]>([
    ["text", (builder) => builder.text("a")],
    ["reasoning", (builder) => builder.reasoning("a")],
    ["a call", (builder) => builder.startToolCall(0, "c1", "act")],
  ])("are those of its first output, here %s, and of its end", (_, add) => {
    vi.useFakeTimers();
    const builder = new GenerationBuilder();
    vi.advanceTimersByTime(300);
    add(builder);
    vi.advanceTimersByTime(500);
    builder.text("b");
    const usage = { inputTokens: 1, outputTokens: 10, totalTokens: 11 };
    expect(generationOf(builder, { usage }).timing).toEqual({
      firstTokenMs: 300,
      totalMs: 800,
      tokensPerSecond: 20,
    });
    expect(generationOf(builder).timing.tokensPerSecond).toBeUndefined();
  });

  test("say nothing of what did not come, or came in no time", () => {
    vi.useFakeTimers();
    const usage = { inputTokens: 1, outputTokens: 10, totalTokens: 11 };
    const builder = new GenerationBuilder();
    vi.advanceTimersByTime(300);
    builder.part({ type: "image", url: "u" });
    const none = { firstTokenMs: undefined, totalMs: 300, tokensPerSecond: undefined };
    expect(generationOf(builder, { usage }).timing).toEqual(none);
    builder.text("a");
    expect(generationOf(builder, { usage }).timing).toEqual({ ...none, firstTokenMs: 300 });
  });
});
