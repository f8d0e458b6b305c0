import { describe, expect, test, vi } from "vitest";
import { InvalidRequestError, NetworkError } from "../errors.ts";
import { endRetries, firstEvent, type OnRetry, readAnswer, retryDelay, streamModel } from "./stream-model.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "./types.ts";

const request: ModelRequest = { messages: [] };
const where = { provider: "p", modelId: "m" };
const passing = (message = "gone"): NetworkError => new NetworkError(message, { ...where, retryAfter: 0 });
const generation: Generation = {
  text: "",
  message: { role: "assistant", content: [], toolCalls: [] },
  toolCalls: [],
  finishReason: "stop",
  rawFinishReason: undefined,
  usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
  response: { id: undefined, modelId: "m", headers: {} },
  timing: { firstTokenMs: undefined, totalMs: 0, tokensPerSecond: undefined },
  warnings: [],
};
const finish: ModelEvent = { type: "finish", generation };
const text = (piece: string): ModelEvent => ({ type: "text-delta", text: piece });
const call: ModelEvent = {
  type: "tool-call",
  toolCall: { toolCallId: "1", toolName: "act", arguments: "{}" },
};

/** A model that plays one list of events an attempt, errors thrown, and notes when it is left. */
function modelOf(attempts: readonly (readonly (ModelEvent | Error)[])[], log: string[] = []): Model {
  let attempt = 0;
  return {
    ...where,
    async *stream() {
      const events = attempts[attempt++];
      if (!events) throw new Error("one attempt too many");
      try {
        for (const event of events) {
          if (event instanceof Error) throw event;
          yield event;
        }
      } finally {
        log.push("left");
      }
    },
  };
}

type Reading = (model: Model, onRetry?: OnRetry, request?: ModelRequest) => Promise<ModelEvent[]>;

const reading: Reading = async (model, onRetry, each = request) => {
  const events: ModelEvent[] = [];
  const answer = await readAnswer(model, each, (event) => events.push(event), onRetry);
  expect(answer).toBe(generation);
  return events;
};
const streaming: Reading = (model, onRetry, each = request) =>
  Array.fromAsync(streamModel(model, each, onRetry));

describe.each([
  ["an answer that is read", reading],
  ["an answer that is streamed", streaming],
])("%s", (_, read) => {
  test("has all events in order, and the model is left once", async () => {
    const log: string[] = [];
    expect(await read(modelOf([[text("a"), call, finish, text("late")]], log))).toEqual([
      text("a"),
      call,
      finish,
    ]);
    expect(log).toEqual(["left"]);
  });

  test("is asked for again up to three times, and each time is reported with its number and its wait", async () => {
    const failures = ["1", "2", "3"].map((message) => passing(message));
    const onRetry = vi.fn<OnRetry>();
    expect(await read(modelOf([...failures.map((error) => [error]), [finish]]), onRetry)).toEqual([finish]);
    expect(onRetry.mock.calls).toEqual(failures.map((error, index) => [error, index + 1, 0]));
  });

  test("fails with the last error after that", async () => {
    const failures = ["1", "2", "3", "4"].map((message) => passing(message));
    await expect(read(modelOf(failures.map((error) => [error])))).rejects.toBe(failures[3]);
  });

  test("is asked for once where the settings say so, or where nothing will change", async () => {
    const error = passing();
    await expect(
      read(modelOf([[error]]), undefined, { ...request, settings: { maxRetries: 0 } }),
    ).rejects.toBe(error);
    const refused = new InvalidRequestError("no", where);
    await expect(read(modelOf([[refused]]))).rejects.toBe(refused);
  });

  test("is not asked for again once the request is aborted", async () => {
    const error = passing();
    const onRetry = vi.fn<OnRetry>();
    await expect(read(modelOf([[error]]), onRetry, { ...request, signal: AbortSignal.abort() })).rejects.toBe(
      error,
    );
    expect(onRetry).not.toHaveBeenCalled();
  });

  test("is not asked for again after its first event", async () => {
    const error = passing();
    await expect(read(modelOf([[text("a"), error]]))).rejects.toBe(error);
  });

  test("must be a list of events", async () => {
    const wrong = JSON.parse('{ "type": "text-delta" }');
    for (const events of [[wrong], [text("a"), wrong]])
      await expect(read(modelOf([events]))).rejects.toThrow(
        "p:m emitted a text-delta event without its text.",
      );
  });

  test("must have a finish event", async () => {
    for (const events of [[], [text("a")]])
      await expect(read(modelOf([events, events, events, events]))).rejects.toMatchObject({
        code: "malformed-response",
        provider: "p",
        modelId: "m",
        message: "The stream of p:m ended without a finish event.",
      });
  });

  test("may have 33,554,432 characters, and not one more", async () => {
    const mebibyte = text("x".repeat(2 ** 20));
    const all = Array.from({ length: 32 }, () => mebibyte);
    expect(await read(modelOf([[...all, finish]]))).toHaveLength(33);
    const log: string[] = [];
    await expect(read(modelOf([[...all, text("x"), finish]], log))).rejects.toThrow(
      "more than 33554432 characters",
    );
    expect(log).toEqual(["left"]);
  });

  test("may have 8,192 calls, and not one more", async () => {
    const calls = Array.from({ length: 8192 }, () => call);
    expect(await read(modelOf([[...calls, finish]]))).toHaveLength(8193);
    await expect(read(modelOf([[...calls, call, finish]]))).rejects.toThrow("each call counted as 4096");
  });
});

test("what a model emits after an abort is dropped, and it is left", async () => {
  const controller = new AbortController();
  const log: string[] = [];
  const seen: ModelEvent[] = [];
  const model = modelOf([[text("a"), text("b"), finish]], log);
  const answer = readAnswer(model, { ...request, signal: controller.signal }, (event) => {
    seen.push(event);
    controller.abort();
  });
  await expect(answer).rejects.toThrow("ended without a finish event");
  expect(seen).toEqual([text("a")]);
  expect(log).toEqual(["left"]);
});

test("a whole answer counts although its request has just been aborted", async () => {
  const controller = new AbortController();
  const model: Model = {
    ...where,
    async *stream() {
      controller.abort();
      yield finish;
    },
  };
  expect(await readAnswer(model, { ...request, signal: controller.signal }, () => {})).toBe(generation);
});

test("events that are there are taken without waiting", async () => {
  const events = [text("a"), text("b"), finish];
  const log: string[] = [];
  const model: Model = {
    ...where,
    stream: () => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          log.push("next");
          const value = events.shift();
          return value ? { done: false, value } : { done: true, value };
        },
        take: () => {
          log.push("take");
          return events.length === 2 ? events.shift() : undefined;
        },
      }),
    }),
  };
  const seen: ModelEvent[] = [];
  await readAnswer(model, request, (event) => seen.push(event));
  expect(seen).toEqual([text("a"), text("b"), finish]);
  expect(log).toEqual(["next", "take", "take", "next"]);
});

test("the first event is waited for, and the others are left", async () => {
  const { first, events } = await firstEvent(modelOf([[text("a"), finish]]), request);
  expect(first).toEqual(text("a"));
  expect(await events.next()).toEqual({ done: false, value: finish });
});

describe("the wait before a retry", () => {
  test("is random, up to a limit that grows", () => {
    const error = new NetworkError("gone", where);
    expect(retryDelay(error, 1, () => 0.5)).toBe(500);
    const wait = retryDelay(error, 0);
    expect(wait).toBeGreaterThanOrEqual(0);
    expect(wait).toBeLessThan(500);
  });

  test("is a minute at most where the provider names it", () => {
    const after = (retryAfter: number): number | undefined =>
      retryDelay(new NetworkError("gone", { ...where, retryAfter }), 5);
    expect([after(0), after(60_000), after(60_001)]).toEqual([0, 60_000, undefined]);
  });

  test("is none where retries have ended, or cannot help", () => {
    const error = passing();
    expect(retryDelay(error, 0)).toBe(0);
    endRetries(error);
    endRetries("no error");
    expect(retryDelay(error, 0)).toBeUndefined();
    expect(retryDelay(new InvalidRequestError("no", { ...where, retryAfter: 0 }), 0)).toBeUndefined();
  });
});
