import { expect, test } from "vitest";
import {
  AuthenticationError,
  ModelTimeoutError,
  NetworkError,
  OverloadedError,
  RateLimitError,
} from "../errors.ts";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { retryDelay, streamModel } from "./stream-model.ts";
import type { Model, ModelEvent, ModelRequest } from "./types.ts";

const names = { provider: "scripted", modelId: "scripted" };
/** An error that asks for so short a pause that no test waits. */
const busy = (retryAfter = 0): RateLimitError => new RateLimitError("too many", { ...names, retryAfter });

async function read(model: Model, request: Partial<ModelRequest> = {}): Promise<string[]> {
  const types: string[] = [];
  for await (const event of streamModel(model, { messages: [], ...request })) types.push(event.type);
  return types;
}

test("what may pass is tried again until it passes", async () => {
  const model = new ScriptedModel([{ error: busy() }, { error: busy() }, "hello"]);
  expect(await read(model)).toEqual(["text-delta", "finish"]);
  model.assertComplete();
});

test("retries are bounded by maxRetries, and the last error is thrown", async () => {
  const model = new ScriptedModel([{ error: busy() }, { error: busy() }, "never"]);
  await expect(read(model, { settings: { maxRetries: 1 } })).rejects.toBeInstanceOf(RateLimitError);
  expect(model.requests).toHaveLength(2);
});

test("what cannot pass is not tried again", async () => {
  const model = new ScriptedModel([{ error: new AuthenticationError("wrong key", names) }]);
  await expect(read(model)).rejects.toBeInstanceOf(AuthenticationError);
  expect(model.requests).toHaveLength(1);
});

test("nothing is tried again once output has been seen", async () => {
  const model = new ScriptedModel([{ text: "half", error: busy(), errorAfter: 1 }, "whole"]);
  await expect(read(model)).rejects.toBeInstanceOf(RateLimitError);
  expect(model.requests).toHaveLength(1);
});

test("a stream without a finish event is an error, never an answer", async () => {
  await expect(read(new ScriptedModel([{ text: "half", cut: true }]))).rejects.toMatchObject({
    code: "malformed-response",
  });
});

test("nothing after the finish event is read", async () => {
  let isLeft = false;
  const model: Model = {
    ...names,
    async *stream(request): AsyncIterable<ModelEvent> {
      try {
        yield* new ScriptedModel(["one"]).stream(request);
        yield { type: "text-delta", text: "two" };
      } finally {
        isLeft = true;
      }
    },
  };
  expect(await read(model)).toEqual(["text-delta", "finish"]);
  expect(isLeft).toBe(true);
});

test("an abort ends the pause before the next attempt at once", async () => {
  const controller = new AbortController();
  const model = new ScriptedModel([{ error: busy(30_000) }, "never"]);
  const reading = read(model, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error("enough")), 5);
  await expect(reading).rejects.toThrow("enough");
  expect(model.requests).toHaveLength(1);
});

test("pauses grow with full jitter up to half a minute", () => {
  const failure = new OverloadedError("busy", names);
  expect([0, 1, 2, 3, 10].map((attempt) => retryDelay(failure, attempt, () => 1))).toEqual([
    500, 1000, 2000, 4000, 30_000,
  ]);
  expect(retryDelay(failure, 3, () => 0)).toBe(0);
  expect(retryDelay(failure, 3, () => 0.5)).toBe(2000);
});

test("a provider that says how long to wait is waited for that long, but not for more than a minute", () => {
  expect(retryDelay(busy(1234), 0)).toBe(1234);
  expect(retryDelay(busy(60_001), 0)).toBeUndefined();
});

test("networks and timeouts may pass; a quota that is spent may not", () => {
  expect(retryDelay(new NetworkError("reset", names), 0)).toBeTypeOf("number");
  expect(retryDelay(new ModelTimeoutError("silent", names), 0)).toBeTypeOf("number");
  expect(retryDelay(new RateLimitError("spent", { ...names, isRetryable: false }), 0)).toBeUndefined();
  expect(retryDelay(new Error("a bug"), 0)).toBeUndefined();
});
