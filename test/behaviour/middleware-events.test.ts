/** The `model-end` events of model calls within middlewares: they count what the model itself was asked. */
import { Agent, type Middleware, type ModelEvent, ModelError, run, type RunEvent } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";

const used = { inputTokens: 10, outputTokens: 1, totalTokens: 11 };
const unknown = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };

async function endsOf(middleware: readonly Middleware[], failures = 0) {
  let left = failures;
  const model = new FunctionModel(() => {
    if (left-- > 0)
      throw new ModelError("busy", "overloaded", { provider: "p", modelId: "m", retryAfter: 1 }, true);
    return { text: "Hi", usage: used };
  });
  const ends: Pick<Extract<RunEvent, { type: "model-end" }>, "attempts" | "usage">[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.type === "model-end") ends.push({ attempts: event.attempts, usage: event.usage });
  };
  const { usage } = await run(new Agent({ name: "A", model }), "x", { middleware, onEvent });
  return { ends, usage };
}

const passing: Middleware = { model: (request, _info, next) => next(request) };

test("an answer without next has no attempts and no usage", async () => {
  const stored: ModelEvent[] = [];
  const cache: Middleware = {
    async *model(request, _info, next) {
      if (stored.length === 0) stored.push(...(await Array.fromAsync(next(request))));
      yield* stored;
    },
  };
  expect(await endsOf([cache])).toEqual({ ends: [{ attempts: 1, usage: used }], usage: used });
  expect(await endsOf([cache])).toEqual({ ends: [{ attempts: 0, usage: unknown }], usage: unknown });
});

test("two answers are two attempts, whose usage is added", async () => {
  const attempts: number[] = [];
  const twice: Middleware = {
    async *model(request, info, next) {
      attempts.push(info.attempts);
      for await (const event of next(request)) void event;
      attempts.push(info.attempts);
      yield* next(request);
    },
  };
  const usage = { inputTokens: 20, outputTokens: 2, totalTokens: 22 };
  expect(await endsOf([passing, twice])).toEqual({ ends: [{ attempts: 2, usage }], usage });
  expect(attempts).toEqual([0, 1]);
});

test("retries are attempts, of which the answer alone has a usage", async () => {
  expect(await endsOf([passing], 2)).toEqual({ ends: [{ attempts: 3, usage: used }], usage: used });
});
