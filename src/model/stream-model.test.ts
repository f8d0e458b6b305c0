import { expect, test } from "vitest";
import { NetworkError } from "../errors.ts";
import { ScriptedModel } from "../testing/index.ts";
import { readAnswer, retryDelay, streamModel } from "./stream-model.ts";
import type { Model, ModelEvent } from "./types.ts";

const request = { messages: [] };
const passing = new NetworkError("gone for a moment", { provider: "p", modelId: "m", retryAfter: 0 });

async function typesOf(events: AsyncIterable<ModelEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
}

test("a failure that may pass is tried again, three times, as long as nothing has come", async () => {
  const model = new ScriptedModel([{ error: passing }, { error: passing }, { error: passing }, "hello"]);
  expect(await typesOf(streamModel(model, request))).toEqual(["text-delta", "finish"]);
  model.assertComplete();
});

test("settings.maxRetries says how often", async () => {
  const model = new ScriptedModel([{ error: passing }, { error: passing }, "hello"]);
  await expect(typesOf(streamModel(model, { ...request, settings: { maxRetries: 1 } }))).rejects.toBe(
    passing,
  );
  expect(model.requests).toHaveLength(2);
});

test("does not retry after the first event", async () => {
  const model = new ScriptedModel([{ text: "hello", chunkSize: 2, error: passing, errorAfter: 1 }, "again"]);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of streamModel(model, request)) seen.push(event.type);
  })();
  await expect(reading).rejects.toBe(passing);
  expect(seen).toEqual(["text-delta"]);
  expect(model.requests).toHaveLength(1);
});

test("a stream without a finish event is a malformed answer, whether it is empty or cut", async () => {
  for (const text of ["", "hel"]) {
    const model = new ScriptedModel([{ text, cut: true }]);
    await expect(typesOf(streamModel(model, request))).rejects.toMatchObject({ code: "malformed-response" });
  }
});

test("a reader who leaves ends the model's stream", async () => {
  let ended = false;
  const model: Model = {
    provider: "p",
    modelId: "m",
    async *stream() {
      try {
        for (;;) yield { type: "text-delta", text: "and so on " };
      } finally {
        ended = true;
      }
    },
  };
  let events = 0;
  for await (const _ of streamModel(model, request)) if (++events === 3) break;
  expect(ended).toBe(true);
});

test("an abort ends the waiting for the next attempt", async () => {
  const later = new NetworkError("gone for long", { provider: "p", modelId: "m", retryAfter: 50_000 });
  const controller = new AbortController();
  const model = new ScriptedModel([{ error: later }, "hello"]);
  setTimeout(() => controller.abort("enough"), 5);
  await expect(typesOf(streamModel(model, { ...request, signal: controller.signal }))).rejects.toBeDefined();
  expect(model.requests).toHaveLength(1);
});

test("waits grow twofold up to half a minute, follow what the provider asks, and give up beyond a minute", () => {
  const failure = (retryAfter?: number): NetworkError =>
    new NetworkError("gone", { provider: "p", modelId: "m", retryAfter });
  const longest = (attempt: number): number | undefined => retryDelay(failure(), attempt, () => 1);
  expect([longest(0), longest(1), longest(2), longest(20)]).toEqual([500, 1000, 2000, 30_000]);
  expect(retryDelay(failure(7), 0)).toBe(7);
  expect(retryDelay(failure(61_000), 0)).toBeUndefined();
  expect(retryDelay(new Error("something else"), 0)).toBeUndefined();
});

const whole = {
  text: "",
  message: { role: "assistant", content: [], toolCalls: [] },
  toolCalls: [],
  usage: {},
  response: {},
  timing: {},
};
const call = { toolCallId: "1", toolName: "act", arguments: "{}" };
const calling = (...toolCalls: unknown[]): object => ({
  generation: { ...whole, message: { ...whole.message, toolCalls }, toolCalls },
});

test.each([
  ["no generation", {}],
  ["no generation.message", { generation: { text: "hello" } }],
  ["no list of parts", { generation: { message: { role: "assistant", content: "hello" } } }],
  ["no toolCalls", { generation: { message: { role: "assistant", content: [] } } }],
  ["no generation.usage", { generation: { ...whole, usage: undefined } }],
  ["a tool call whose", calling(null)],
  ["a tool call whose", calling({ ...call, arguments: { x: 1 } })],
  ["a tool call whose", calling({ ...call, toolCallId: 1 })],
  ["a tool call whose", calling({ ...call, toolName: undefined })],
  ["a tool call in generation.toolCalls that", { generation: { ...whole, toolCalls: [call] } }],
])("rejects a finish event with %s, by name: %j", async (problem, event) => {
  const model: Model = {
    provider: "custom",
    modelId: "one",
    async *stream() {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a model written in JavaScript may
      yield { type: "finish", ...event } as unknown as ModelEvent;
    },
  };
  const expected = { code: "malformed-response", message: expect.stringContaining(`has ${problem}`) };
  await expect(typesOf(streamModel(model, request))).rejects.toMatchObject(expected);
  await expect(readAnswer(model, request, () => {})).rejects.toMatchObject(expected);
});

test("the arguments so far are those of the call: a later one of the same id begins with none", async () => {
  const piece = (text: string): ModelEvent => ({
    type: "tool-input-delta",
    toolCallId: "c",
    toolName: "look",
    text,
  });
  const toolCall = { toolCallId: "c", toolName: "look", arguments: '{"n":1}' };
  const model = new ScriptedModel(["done"]);
  const repeating: Model = {
    provider: "p",
    modelId: "m",
    async *stream(each) {
      yield piece('{"n":1}');
      yield { type: "tool-call", toolCall };
      yield piece('{"n":2}');
      yield* model.stream(each);
    },
  };
  const partials: unknown[] = [];
  for await (const event of streamModel(repeating, request))
    if (event.type === "tool-input-delta") partials.push(event.partial);
  expect(partials).toEqual([{ n: 1 }, { n: 2 }]);
});
