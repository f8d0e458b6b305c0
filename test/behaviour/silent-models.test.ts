/** Models that a program writes itself, and which stop answering: `settings.timeout` ends the turn, as with every provider. */
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { Agent, generate, generateStream, run, type Middleware, type Model, type ModelEvent } from "skein";
import { cached, fallback, logged, rateLimited, retry, withSettings } from "skein/models";
import { FunctionModel, record, ScriptedModel } from "skein/testing";

const settings = { timeout: 20, maxRetries: 0 };
const never = new Promise<never>(() => {});
const late = {
  name: "ModelTimeoutError",
  code: "timeout",
  isRetryable: true,
  message: "own:m sent nothing of an answer for 20 ms (settings.timeout).",
};

interface SilentModel extends Model {
  readonly signals: readonly AbortSignal[];
}

/** Answers nothing after these events, whatever its signal says. */
function silentModel(...events: readonly ModelEvent[]): SilentModel {
  const signals: AbortSignal[] = [];
  return {
    provider: "own",
    modelId: "m",
    signals,
    async *stream({ signal }) {
      if (signal) signals.push(signal);
      yield* events;
      await never;
    },
  };
}

const around: Middleware = {
  async *model(request, _info, next) {
    yield* next(request);
  },
};
const agentOf = (model: Model): Agent => new Agent({ name: "A", model, settings });

const file = join(tmpdir(), `silent-models-${process.pid}.jsonl`);

afterEach(() => {
  vi.useRealTimers();
  rmSync(file, { force: true });
});

test.each<readonly [string, (model: Model) => Promise<unknown>]>([
  ["run", (model) => run(agentOf(model), "Go.")],
  ["run with listeners", (model) => run(agentOf(model), "Go.", { onEvent: () => {} })],
  ["run with a middleware", (model) => run(agentOf(model), "Go.", { middleware: [around] })],
  ["generate", (model) => generate(model, { messages: "Go.", settings })],
  ["generateStream", (model) => Array.fromAsync(generateStream(model, { messages: "Go.", settings }))],
])("%s ends at the timeout of the settings with the error that providers have", async (_, ask) => {
  const silent = silentModel();
  await expect(ask(silent)).rejects.toMatchObject(late);
  expect(silent.signals.map(({ aborted }) => aborted)).toEqual([true]);
  await expect(ask(silentModel({ type: "text-delta", text: "Half" }))).rejects.toMatchObject(late);
});

test.each<readonly [string, (model: Model) => Model]>([
  ["retry", (model) => retry(model, { times: 0 })],
  ["fallback", (model) => fallback([model])],
  ["logged", (model) => logged(model, () => {})],
  ["rateLimited", (model) => rateLimited(model)],
  ["cached", (model) => cached(model)],
  ["record", (model) => record(model, file)],
])("%s passes the timeout on to the model that it calls", async (_, wrap) => {
  await expect(run(agentOf(wrap(silentModel())), "Go.")).rejects.toMatchObject(late);
});

test("a timeout of withSettings holds for its model", async () => {
  const model = withSettings(silentModel(), { timeout: 20 });
  await expect(generate(model, { messages: "Go.", settings: { maxRetries: 0 } })).rejects.toMatchObject(late);
});

test("a timeout is tried again, and leads to the next model", async () => {
  const silent = silentModel();
  const { text } = await generate(
    fallback([retry(silent, { times: 1, delay: () => 1 }), new ScriptedModel(["Hi."])]),
    {
      messages: "Go.",
      settings,
    },
  );
  expect([text, silent.signals.length]).toEqual(["Hi.", 2]);
});

test("what waits by design may take longer than the timeout: a retry, a limit, a middleware", async () => {
  const slowly: Middleware = {
    async *model(request, _info, next) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield* next(request);
    },
  };
  const model = retry(silentOnce(), { delay: () => 50 });
  const { text } = await run(agentOf(model), "Go.", { middleware: [slowly] });
  expect(text).toBe("Hi.");
});

/** Does not answer the first request. */
function silentOnce(): Model {
  let requests = 0;
  return new FunctionModel(() => (requests++ === 0 ? never : "Hi."));
}

test("each piece of an answer begins another wait, and what the reader does between them does not count", async () => {
  const model = new ScriptedModel([{ text: "abcdef", chunkSize: 1, delay: 12 }]);
  const pieces: string[] = [];
  for await (const event of generateStream(model, { messages: "Go.", settings: { timeout: 60 } })) {
    if (event.type === "text-delta") pieces.push(event.text);
    if (pieces.length === 1) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(pieces.join("")).toBe("abcdef");
});

test("a cancelled run is cancelled, not late", async () => {
  const { status } = await run(agentOf(silentModel()), "Go.", { signal: AbortSignal.timeout(5) });
  expect(status).toBe("cancelled");
});

test("leaving early ends the model's answer", async () => {
  let isOver = false;
  const model: Model = {
    provider: "own",
    modelId: "m",
    async *stream() {
      try {
        for (;;) yield { type: "text-delta", text: "a" };
      } finally {
        isOver = true;
      }
    },
  };
  for await (const event of generateStream(model, { messages: "Go.", settings })) if (event) break;
  expect(isOver).toBe(true);
});

test("without a timeout in the settings, a custom model may take its time", async () => {
  vi.useFakeTimers();
  const answer = generate(
    new FunctionModel(() => new Promise((resolve) => setTimeout(() => resolve("Hi."), 400_000))),
    "Go.",
  );
  await vi.advanceTimersByTimeAsync(400_000);
  expect((await answer).text).toBe("Hi.");
});
