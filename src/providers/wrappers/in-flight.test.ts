import { expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import type { Model, ModelEvent } from "../../model/types.ts";
import { run } from "../../run/run.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { cached } from "./cached.ts";
import { answerOf, ask, eventsOf, tooMany } from "./test-models.ts";

/** Waits until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** A model that emits each event when `release` allows it, and records its signals. Its third event may be a failure. */
function steppedModel(failure?: Error) {
  const signals: (AbortSignal | undefined)[] = [];
  const steps: PromiseWithResolvers<void>[] = [];
  let released = 0;
  const inner = new ScriptedModel([
    { text: "one two three ", chunkSize: 5, usage: { inputTokens: 9, outputTokens: 3 } },
    "Another.",
  ]);
  const model: Model = {
    provider: "test",
    modelId: "stepped",
    async *stream(request) {
      signals.push(request.signal);
      for await (const event of inner.stream({ messages: request.messages })) {
        const step = Promise.withResolvers<void>();
        const index = steps.push(step);
        await step.promise;
        if (failure && index === 3) throw failure;
        yield event;
      }
    },
  };
  /** Lets the model emit a number of events. */
  const release = async (events: number): Promise<void> => {
    for (let left = events; left > 0; left--) {
      await until(() => steps.length > released);
      steps[released++]?.resolve();
    }
  };
  return { model, signals, release };
}

/** A reader of an answer, and the events it has read so far. */
function reader(model: Model, signal?: AbortSignal) {
  const events: ModelEvent[] = [];
  const reading = (async () => {
    for await (const event of model.stream(ask("Hello", signal && { signal }))) events.push(event);
    return events;
  })();
  reading.catch(() => undefined);
  return { events, reading };
}

const usageIn = (events: readonly ModelEvent[]): number | undefined => {
  const last = events.at(-1);
  return last?.type === "finish" ? last.generation.usage.totalTokens : undefined;
};

test("equal requests at the same time share one answer, whose tokens are counted once", async () => {
  const { model, signals, release } = steppedModel();
  const remembering = cached(model);
  const readers = [reader(remembering)];
  await until(() => signals.length === 1);
  readers.push(reader(remembering));
  await release(2);
  readers.push(reader(remembering));
  await until(() => readers.every(({ events }) => events.length === 2));
  await release(2);
  const all = await Promise.all(readers.map(({ reading }) => reading));
  expect(signals).toHaveLength(1);
  for (const events of all) expect(events.slice(0, -1)).toEqual(all[0]?.slice(0, -1));
  expect(all.map(usageIn)).toEqual([12, 0, 0]);
  const [first, second] = all.map((events) => events.at(-1));
  expect(second).not.toBe(first);
  expect((await eventsOf(remembering)).slice(0, -1)).toEqual(all[0]?.slice(0, -1));
  expect(signals).toHaveLength(1);
});

test("different requests do not share an answer", async () => {
  const { model, signals, release } = steppedModel();
  const remembering = cached(model);
  const both = Promise.all([answerOf(remembering, ask("A")), answerOf(remembering, ask("B"))]);
  await release(6);
  expect((await both).map(({ text }) => text)).toEqual(["one two three ", "Another."]);
  expect(signals).toHaveLength(2);
});

test("an aborted reader leaves at once without stopping the others; the next one becomes the owner and counts the tokens", async () => {
  const { model, signals, release } = steppedModel();
  const remembering = cached(model);
  const controller = new AbortController();
  const aborted = reader(remembering, controller.signal);
  await release(1);
  const staying = reader(remembering);
  await until(() => staying.events.length > 0);
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(aborted.reading).rejects.toBe(reason);
  expect(signals[0]?.aborted).toBe(false);
  await release(3);
  expect(usageIn(await staying.reading)).toBe(12);
  expect(signals).toHaveLength(1);
});

test("a reader that leaves early does not stop the others", async () => {
  const { model, signals, release } = steppedModel();
  const remembering = cached(model);
  const staying = reader(remembering);
  await release(1);
  await until(() => staying.events.length > 0);
  const leaving = (async () => {
    for await (const { type } of remembering.stream(ask("Hello"))) return type;
    return undefined;
  })();
  expect(await leaving).toBe("text-delta");
  await release(3);
  expect(usageIn(await staying.reading)).toBe(12);
  expect(signals[0]?.aborted).toBe(false);
});

test("once all readers have left, the request is aborted, and a later reader sends its own", async () => {
  const { model, signals, release } = steppedModel();
  const remembering = cached(model);
  const controllers = [new AbortController(), new AbortController()];
  const readers = controllers.map(({ signal }) => reader(remembering, signal));
  await release(1);
  await until(() => readers.every(({ events }) => events.length > 0));
  controllers[0]?.abort();
  await expect(readers[0]?.reading).rejects.toThrow("aborted");
  expect(signals[0]?.aborted).toBe(false);
  controllers[1]?.abort("last");
  await expect(readers[1]?.reading).rejects.toBe("last");
  expect(signals[0]).toMatchObject({ aborted: true, reason: "last" });
  const next = answerOf(remembering);
  // The first request still waits for its second event.
  await release(3);
  expect((await next).text).toBe("Another.");
  expect(signals).toHaveLength(2);
});

test("a complete answer is not aborted", async () => {
  const { model, signals, release } = steppedModel();
  const { reading } = reader(cached(model));
  await release(4);
  await reading;
  expect(signals[0]?.aborted).toBe(false);
});

test("every reader gets a failure as an error of its own, and no later reader joins it", async () => {
  const failure = tooMany({ retryAfter: 7 });
  const { model, signals, release } = steppedModel(failure);
  const remembering = cached(model);
  // The slow reader has not reached the failure when the next request starts.
  const slow = remembering.stream(ask())[Symbol.asyncIterator]();
  const first = slow.next();
  const fast = [reader(remembering), reader(remembering)];
  await release(2);
  await until(() => fast.every(({ events }) => events.length === 2));
  await release(1);
  await first;
  const errors = await Promise.all(fast.map(({ reading }) => reading.catch((error: unknown) => error)));
  for (const error of errors) expect(error).toMatchObject({ code: "rate-limit", retryAfter: 7 });
  expect(new Set(errors).size).toBe(2);
  expect(errors[0]).toBeInstanceOf(failure.constructor);
  const next = answerOf(remembering);
  await release(2);
  expect((await next).text).toBe("Another.");
  expect(signals).toHaveLength(2);
});

test("runs that share a failed answer throw errors with their own states", async () => {
  const { model, signals, release } = steppedModel(tooMany({ isRetryable: false }));
  const agent = new Agent({ name: "A", model: cached(model) });
  const runs = ["one", "two"].map((id) => run(agent, "Hello", { context: { id } }).catch((e: unknown) => e));
  await until(() => signals.length === 1);
  // The other run waits for it by then, too.
  for (let rounds = 0; rounds < 20; rounds++) await new Promise((resolve) => setImmediate(resolve));
  await release(3);
  const contexts = (await Promise.all(runs)).map((error) => Object(error).state?.context);
  expect(contexts).toEqual([{ id: "one" }, { id: "two" }]);
  expect(signals).toHaveLength(1);
});
