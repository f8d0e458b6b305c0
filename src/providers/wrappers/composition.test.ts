/** Wrappers in wrappers: each pair, in either order, passes on the model's behaviour. */
import { describe, expect, test } from "vitest";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { readAnswer } from "../../model/stream-model.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { cached } from "./cached.ts";
import { fallback } from "./fallback.ts";
import { logged } from "./logged.ts";
import { rateLimited } from "./rate-limited.ts";
import { retry } from "./retry.ts";
import { answerOf, ask, eventsOf, failureOf, tooMany } from "./test-models.ts";
import { withSettings } from "./with-settings.ts";

const wrappers: Readonly<Record<string, (model: Model) => Model>> = {
  fallback: (model) => fallback([model]),
  retry: (model) => retry(model, { times: 2 }),
  rateLimited: (model) =>
    rateLimited(model, { requestsPerMinute: 1000, tokensPerMinute: 1e9, concurrency: 1 }),
  cached: (model) => cached(model),
  logged: (model) => logged(model, () => undefined),
  withSettings: (model) => withSettings(model, { temperature: 0 }),
};
const pairs = Object.entries(wrappers).flatMap(([outer, wrap]) =>
  Object.entries(wrappers).map(([inner, wrapInner]) => ({
    pair: `${outer}(${inner}(model))`,
    retries: outer === "retry" || inner === "retry",
    compose: (model: Model): Model => wrap(wrapInner(model)),
  })),
);

/** A model that counts the answers that were started and ended. */
class Counting implements Model {
  readonly provider = "p";
  readonly modelId = "m";
  started = 0;
  ended = 0;
  readonly #inner: Model;

  constructor(inner: Model) {
    this.#inner = inner;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent, void> {
    this.started++;
    try {
      yield* this.#inner.stream(request);
    } finally {
      this.ended++;
    }
  }
}

const turn = {
  reasoning: "Hmm, hmm.",
  text: "Let me look.",
  toolCalls: [{ toolName: "look", arguments: { at: "it" } }],
  chunkSize: 3,
  usage: { inputTokens: 5, outputTokens: 7 },
};

describe.each(pairs)("$pair", ({ compose, retries }) => {
  test("has the model's name, and passes on text, reasoning and calls piece by piece", async () => {
    const plain = await eventsOf(new ScriptedModel([turn]));
    const model = compose(new ScriptedModel([turn], { provider: "p", modelId: "m" }));
    expect([model.provider, model.modelId]).toEqual(["p", "m"]);
    const events = await eventsOf(model);
    expect(events.slice(0, -1)).toEqual(plain.slice(0, -1));
    expect(events.at(-1)).toMatchObject({
      generation: {
        text: "Let me look.",
        finishReason: "tool-calls",
        usage: { totalTokens: 12 },
        warnings: [],
        response: { modelId: "m" },
      },
    });
  });

  test("throws what the model throws, before and after the first event", async () => {
    const error = new TypeError("a mistake");
    expect(await failureOf(compose(new ScriptedModel([{ error }])))).toBe(error);
    expect(await failureOf(compose(new ScriptedModel([{ ...turn, error, errorAfter: 3 }])))).toBe(error);
  });

  test("is called by a run as often as the model alone, or as often as one retry allows", async () => {
    const error = tooMany({ retryAfter: 0 });
    const counting = new Counting(new ScriptedModel(Array.from({ length: 20 }, () => ({ error }))));
    const request = ask("Hello", { settings: { maxRetries: 3 } });
    await expect(readAnswer(compose(counting), request, () => undefined)).rejects.toBe(error);
    expect([counting.started, counting.ended]).toEqual(retries ? [3, 3] : [4, 4]);
  });

  test("ends the model's stream when its reader leaves, and can be called again", async () => {
    const counting = new Counting(new ScriptedModel([turn, turn]));
    const model = compose(counting);
    for await (const event of model.stream(ask())) if (event.type === "text-delta") break;
    expect([counting.started, counting.ended]).toEqual([1, 1]);
    expect((await answerOf(model)).text).toBe("Let me look.");
  });

  test("ends with the signal at every event, with its reason", async () => {
    const count = (await eventsOf(new ScriptedModel([turn]))).length;
    for (let at = 0; at < count; at++) {
      const controller = new AbortController();
      const counting = new Counting(new ScriptedModel([turn]));
      const reason = new Error("enough");
      let count = 0;
      const reading = (async () => {
        if (at === 0) controller.abort(reason);
        for await (const _ of compose(counting).stream(ask("Hello", { signal: controller.signal })))
          if (++count === at) controller.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
      expect(count).toBe(at);
      expect(counting.ended).toBe(counting.started);
    }
  });
});

test.each([
  ["fallback", (model: Model) => fallback([model, new ScriptedModel(["never"])])],
  ["cached", (model: Model) => cached(model)],
  ["logged", (model: Model) => logged(model, () => {})],
  ["retry", (model: Model) => retry(model)],
] as const)("%s says what a model of the program's own does wrong", async (_, wrap) => {
  const finish: ModelEvent = JSON.parse('{"type":"finish"}');
  const wrong: Model = {
    provider: "acme",
    modelId: "m",
    // oxlint-disable-next-line require-await -- a stream of one event
    stream: async function* () {
      yield finish;
    },
  };
  await expect(readAnswer(wrap(wrong), { messages: [] }, () => {})).rejects.toThrow(
    "The finish event of acme:m has no generation.",
  );
});
