/** Models that a program writes itself, with mistakes: each is an error that names it. */
import { describe, expect, test } from "vitest";
import { Agent, generate, generateStream, run, type Generation, type Model } from "skein";

/** A model written in JavaScript, which no type holds to anything. */
function modelOf(events: readonly unknown[]): Model {
  return {
    provider: "own",
    modelId: "m",
    async *stream() {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test is about what is not an event
      for (const event of events) yield event as { type: "text-delta"; text: string };
    },
  };
}

function finish(usage: object): { readonly type: "finish"; readonly generation: Generation } {
  const counts = { inputTokens: 1, outputTokens: 1, totalTokens: 2, ...usage };
  const generation: Generation = {
    text: "Hi",
    message: { role: "assistant", content: [{ type: "text", text: "Hi" }], toolCalls: [] },
    toolCalls: [],
    finishReason: "stop",
    rawFinishReason: "stop",
    usage: counts,
    response: { id: undefined, modelId: "m", headers: {} },
    timing: { firstTokenMs: 1, totalMs: 1, tokensPerSecond: 1 },
    warnings: [],
  };
  return { type: "finish", generation };
}

const mistakes: readonly (readonly [string, unknown, RegExp])[] = [
  [
    "an unknown type",
    { type: "text", text: "Hi" },
    /own:m emitted an event of the unknown type "text"\. Yield/,
  ],
  ["a type that every object has", { type: "constructor" }, /unknown type "constructor"/],
  ["no type", {}, /unknown type undefined/],
  ["null", null, /an event that is not an object/],
  ["a text", "Hi", /an event that is not an object/],
  ["no text", { type: "text-delta", delta: "Hi" }, /a text-delta event without its text/],
  ["a number for a text", { type: "reasoning-delta", text: 7 }, /a reasoning-delta event without its text/],
  ["no call", { type: "tool-call", toolCallId: "a" }, /a tool-call event without its toolCall/],
];

describe.each(mistakes)("an event with %s", (_, event, message) => {
  const model = modelOf([event, finish({})]);
  const error = { code: "malformed-response", message: expect.stringMatching(message) };

  test("is named by run, generate and generateStream", async () => {
    const agent = new Agent({ name: "A", model });
    await expect(run(agent, "Go.")).rejects.toMatchObject(error);
    await expect(run(agent, "Go.", { onEvent: () => {} })).rejects.toMatchObject(error);
    await expect(generate(model, "Go.")).rejects.toMatchObject(error);
    await expect(Array.fromAsync(generateStream(model, "Go."))).rejects.toMatchObject(error);
  });
});

test.each([
  ["inputTokens", -5],
  ["outputTokens", -1],
  ["totalTokens", Number.NaN],
  ["cachedInputTokens", 1.5],
  ["reasoningTokens", "7"],
  ["cacheWriteTokens", Number.POSITIVE_INFINITY],
])("a usage.%s of %s is refused", async (name, value) => {
  const model = modelOf([finish({ [name]: value })]);
  await expect(run(new Agent({ name: "A", model }), "Go.")).rejects.toMatchObject({
    code: "malformed-response",
    message: expect.stringContaining(`generation.usage.${name} that is not a number of tokens`),
  });
});

const cyclic: Record<string, unknown> = { deep: {} };
cyclic["deep"] = [cyclic];

test.each<[string, object]>([
  ["generation.text that", { text: null }],
  ["generation.text that", { text: 7 }],
  ["generation.finishReason that", { finishReason: null }],
  ["generation.warnings that", { warnings: null }],
  ["generation.warnings that", { warnings: [7] }],
  ["generation.refusal that", { refusal: 7 }],
  ["generation.message.content[0] that", { message: messageOf(null) }],
  ["generation.message.content[0].text that", { message: messageOf({ type: "text", text: null }) }],
  ["generation.message.content[0].url that", { message: messageOf({ type: "image" }) }],
  ["generation.message.content[0].toolCallId that", { message: messageOf({ type: "tool-call" }) }],
  [
    "generation.message.content[0].providerData that is nested without end",
    { message: messageOf({ type: "text", text: "Hi", providerData: { provider: "own", data: cyclic } }) },
  ],
  [
    "generation.message.content[0].providerData that is not",
    { message: messageOf({ type: "text", text: "Hi", providerData: "own" }) },
  ],
])("a %s is wrong is an error that names it", async (problem, fields) => {
  const { type, generation } = finish({});
  const model = modelOf([{ type, generation: { ...generation, ...fields } }]);
  const error = { code: "malformed-response", message: expect.stringContaining(`has a ${problem}`) };
  await expect(run(new Agent({ name: "A", model }), "Go.")).rejects.toMatchObject(error);
  await expect(generate(model, "Go.")).rejects.toMatchObject(error);
});

function messageOf(part: unknown): object {
  return { role: "assistant", content: [part], toolCalls: [] };
}

test.each([
  [
    "throws",
    () => {
      throw new TypeError("no such schema");
    },
    "supportsOutput of own:m failed: no such schema",
  ],
  [
    "rejects",
    () => Promise.reject(new Error("no")),
    "supportsOutput of own:m returned a promise. Return true or false.",
  ],
])("a supportsOutput that %s is an error that names it", async (_, supportsOutput, message) => {
  const model: Model = { ...modelOf([finish({})]), supportsOutput: supportsOutput as never };
  const output = { type: "object", properties: {} } as const;
  const error = { code: "model-failed", message };
  await expect(run(new Agent({ name: "A", model, output }), "Go.")).rejects.toMatchObject(error);
  await expect(generate(model, { messages: "Go.", output })).rejects.toMatchObject(error);
});

test("the errors of generateStream name it", async () => {
  const model = modelOf([finish({})]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as JavaScript may call it
  const nothing = {} as { messages: string };
  await expect(Array.fromAsync(generateStream(model, nothing))).rejects.toThrow(
    "generateStream() requires messages",
  );
  await expect(generate(model, nothing)).rejects.toThrow(/^generate\(\) requires messages/);
});
