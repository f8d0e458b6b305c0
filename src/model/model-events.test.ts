import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { markSelfTimed, modelEvents } from "./model-events.ts";
import type { Model, ModelEvent, ModelRequest } from "./types.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const request: ModelRequest = { messages: [] };
const timed: ModelRequest = { messages: [], settings: { timeout: 1000 } };
const text = (piece: string): ModelEvent => ({ type: "text-delta", text: piece });
const silent = (): Promise<never> => new Promise(() => {});

/** A model that emits texts, waits between them for what a function returns, and notes its requests and that it is left. */
function modelOf(pieces: readonly (string | (() => Promise<unknown>))[], log: unknown[] = []): Model {
  return {
    provider: "p",
    modelId: "m",
    async *stream(each) {
      log.push(each);
      try {
        for (const piece of pieces) {
          if (typeof piece === "string") yield text(piece);
          else await piece();
        }
      } finally {
        log.push("left");
      }
    },
  };
}

test("a model without a timeout gets the request as it is", async () => {
  const log: unknown[] = [];
  expect(await Array.fromAsync(modelEvents(modelOf(["a"], log), request))).toEqual([text("a")]);
  expect(log).toEqual([request, "left"]);
  expect(log[0]).toBe(request);
});

test("the same holds for a model that applies the timeout itself", async () => {
  const log: unknown[] = [];
  const model = modelOf(["a"], log);
  model.stream = markSelfTimed(model.stream);
  await Array.fromAsync(modelEvents(model, timed));
  expect(log[0]).toBe(timed);
});

describe("with a timeout, a model that knows nothing of it", () => {
  test("is read to its end, and left; neither a timer nor a listener is left behind", async () => {
    const { signal } = new AbortController();
    const log: unknown[] = [];
    const events = await Array.fromAsync(modelEvents(modelOf(["a", "b"], log), { ...timed, signal }));
    expect(events).toEqual([text("a"), text("b")]);
    expect(log).toEqual([{ ...timed, signal: expect.any(AbortSignal) }, "left"]);
    expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([0, []]);
  });

  test("fails once it has been silent for that long, its request aborted", async () => {
    const log: unknown[] = [];
    const events = modelEvents(modelOf(["a", silent], log), timed)[Symbol.asyncIterator]();
    expect(await events.next()).toEqual({ done: false, value: text("a") });
    const failure = events.next().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failure).toMatchObject({
      name: "ModelTimeoutError",
      message: "p:m sent nothing of an answer for 1000 ms (settings.timeout).",
    });
    expect(log).toEqual([expect.objectContaining({ signal: expect.objectContaining({ aborted: true }) })]);
  });

  test("has the whole time for each event, and the reader takes as long as it likes", async () => {
    const later = (): Promise<unknown> => new Promise((resolve) => void setTimeout(resolve, 900));
    const model = modelOf(["a", "b", "c"].flatMap((piece) => [later, piece]));
    const events = modelEvents(model, timed)[Symbol.asyncIterator]();
    for (const piece of ["a", "b", "c"]) {
      const next = events.next();
      await vi.advanceTimersByTimeAsync(900);
      expect(await next).toEqual({ done: false, value: text(piece) });
      await vi.advanceTimersByTimeAsync(5000);
    }
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test("fails with the caller's reason at once, before it is asked or later", async () => {
    const reason = new Error("enough");
    const log: unknown[] = [];
    const aborted = modelEvents(modelOf([silent], log), { ...timed, signal: AbortSignal.abort(reason) });
    await expect(Array.fromAsync(aborted)).rejects.toBe(reason);
    expect(log).toEqual([]);
    const controller = new AbortController();
    const events = modelEvents(modelOf(["a", silent], log), { ...timed, signal: controller.signal });
    const iterator = events[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  test("is left when its reader leaves", async () => {
    const log: unknown[] = [];
    for await (const _ of modelEvents(modelOf(["a", "b"], log), timed)) break;
    expect(log).toEqual([expect.anything(), "left"]);
  });

  test("may have no way to be left", async () => {
    const model: Model = {
      provider: "p",
      modelId: "m",
      stream: () => ({
        [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
      }),
    };
    expect(await Array.fromAsync(modelEvents(model, timed))).toEqual([]);
  });
});
