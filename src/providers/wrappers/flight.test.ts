import { expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import type { Model, ModelEvent } from "../../model/types.ts";
import { run } from "../../run/run.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { cached } from "./cached.ts";
import { answerOf, ask, eventsOf, tooMany } from "./test-models.ts";

/** Waits until something has come about. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** A model that tells each event when it is let, and whose requests can be looked at. Its third event may be a failure. */
function held(failure?: Error) {
  const signals: (AbortSignal | undefined)[] = [];
  const steps: PromiseWithResolvers<void>[] = [];
  let said = 0;
  const inner = new ScriptedModel([
    { text: "one two three ", chunkSize: 5, usage: { inputTokens: 9, outputTokens: 3 } },
    "Another.",
  ]);
  const model: Model = {
    provider: "test",
    modelId: "held",
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
  /** Lets it tell so many events. */
  const say = async (events: number): Promise<void> => {
    for (let left = events; left > 0; left--) {
      await until(() => steps.length > said);
      steps[said++]?.resolve();
    }
  };
  return { model, signals, say };
}

/** All that a reader has heard, as it goes. */
function reader(model: Model, signal?: AbortSignal) {
  const heard: ModelEvent[] = [];
  const reading = (async () => {
    for await (const event of model.stream(ask("Hello", signal && { signal }))) heard.push(event);
    return heard;
  })();
  reading.catch(() => undefined);
  return { heard, reading };
}

const usageIn = (events: readonly ModelEvent[]): number | undefined => {
  const last = events.at(-1);
  return last?.type === "finish" ? last.generation.usage.totalTokens : undefined;
};

test("equal requests at the same time are one, and its tokens are counted once", async () => {
  const { model, signals, say } = held();
  const remembering = cached(model);
  const readers = [reader(remembering)];
  await until(() => signals.length === 1);
  readers.push(reader(remembering));
  await say(2);
  readers.push(reader(remembering));
  await until(() => readers.every(({ heard }) => heard.length === 2));
  await say(2);
  const all = await Promise.all(readers.map(({ reading }) => reading));
  expect(signals).toHaveLength(1);
  for (const events of all) expect(events.slice(0, -1)).toEqual(all[0]?.slice(0, -1));
  expect(all.map(usageIn)).toEqual([12, 0, 0]);
  const [first, second] = all.map((events) => events.at(-1));
  expect(second).not.toBe(first);
  expect((await eventsOf(remembering)).slice(0, -1)).toEqual(all[0]?.slice(0, -1));
  expect(signals).toHaveLength(1);
});

test("requests that differ are not joined", async () => {
  const { model, signals, say } = held();
  const remembering = cached(model);
  const both = Promise.all([answerOf(remembering, ask("A")), answerOf(remembering, ask("B"))]);
  await say(6);
  expect((await both).map(({ text }) => text)).toEqual(["one two three ", "Another."]);
  expect(signals).toHaveLength(2);
});

test("who is aborted leaves alone, and at once; the next one has the answer and its tokens", async () => {
  const { model, signals, say } = held();
  const remembering = cached(model);
  const controller = new AbortController();
  const aborted = reader(remembering, controller.signal);
  await say(1);
  const staying = reader(remembering);
  await until(() => staying.heard.length > 0);
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(aborted.reading).rejects.toBe(reason);
  expect(signals[0]?.aborted).toBe(false);
  await say(3);
  expect(usageIn(await staying.reading)).toBe(12);
  expect(signals).toHaveLength(1);
});

test("who leaves early does, too", async () => {
  const { model, signals, say } = held();
  const remembering = cached(model);
  const staying = reader(remembering);
  await say(1);
  await until(() => staying.heard.length > 0);
  const leaving = (async () => {
    for await (const { type } of remembering.stream(ask("Hello"))) return type;
    return undefined;
  })();
  expect(await leaving).toBe("text-delta");
  await say(3);
  expect(usageIn(await staying.reading)).toBe(12);
  expect(signals[0]?.aborted).toBe(false);
});

test("once all have left, the model is told; who comes then asks anew", async () => {
  const { model, signals, say } = held();
  const remembering = cached(model);
  const controllers = [new AbortController(), new AbortController()];
  const readers = controllers.map(({ signal }) => reader(remembering, signal));
  await say(1);
  await until(() => readers.every(({ heard }) => heard.length > 0));
  controllers[0]?.abort();
  await expect(readers[0]?.reading).rejects.toThrow("aborted");
  expect(signals[0]?.aborted).toBe(false);
  controllers[1]?.abort("last");
  await expect(readers[1]?.reading).rejects.toBe("last");
  expect(signals[0]).toMatchObject({ aborted: true, reason: "last" });
  const next = answerOf(remembering);
  // The second event of the one before is still waited for.
  await say(3);
  expect((await next).text).toBe("Another.");
  expect(signals).toHaveLength(2);
});

test("an answer that has come to its end is not aborted", async () => {
  const { model, signals, say } = held();
  const { reading } = reader(cached(model));
  await say(4);
  await reading;
  expect(signals[0]?.aborted).toBe(false);
});

test("a failure is everybody's, each with an error of its own, and is not joined", async () => {
  const failure = tooMany({ retryAfter: 7 });
  const { model, signals, say } = held(failure);
  const remembering = cached(model);
  // The slow one has not come to the failure when the next one asks.
  const slow = remembering.stream(ask())[Symbol.asyncIterator]();
  const first = slow.next();
  const fast = [reader(remembering), reader(remembering)];
  await say(2);
  await until(() => fast.every(({ heard }) => heard.length === 2));
  await say(1);
  await first;
  const errors = await Promise.all(fast.map(({ reading }) => reading.catch((error: unknown) => error)));
  for (const error of errors) expect(error).toMatchObject({ code: "rate-limit", retryAfter: 7 });
  expect(new Set(errors).size).toBe(2);
  expect(errors[0]).toBeInstanceOf(failure.constructor);
  const next = answerOf(remembering);
  await say(2);
  expect((await next).text).toBe("Another.");
  expect(signals).toHaveLength(2);
});

test("runs that fail with one answer carry their own states", async () => {
  const { model, signals, say } = held(tooMany({ isRetryable: false }));
  const agent = new Agent({ name: "A", model: cached(model) });
  const runs = ["one", "two"].map((id) => run(agent, "Hello", { context: { id } }).catch((e: unknown) => e));
  await until(() => signals.length === 1);
  // The other one has nothing to wait for but its own hash.
  for (let rounds = 0; rounds < 500; rounds++) await new Promise((resolve) => setImmediate(resolve));
  await say(3);
  const contexts = (await Promise.all(runs)).map((error) => Object(error).state?.context);
  expect(contexts).toEqual([{ id: "one" }, { id: "two" }]);
  expect(signals).toHaveLength(1);
});
