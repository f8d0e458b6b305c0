/** Models whose `stream` returns no events: an error that says so, whatever stands around the model. */
import { Agent, generate, generateStream, type Model, run } from "skein";
import { cached, fallback, logged, rateLimited, retry, withSettings } from "skein/models";
import { record } from "skein/testing";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "skein-models-"));
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => {
  process.off("unhandledRejection", note);
  rmSync(folder, { recursive: true, force: true });
});

/** A model as a program in JavaScript may write it. */
function modelOf(stream: () => unknown): Model {
  const model = { provider: "p", modelId: "m", stream };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is wrong with it is the matter here
  return model as unknown as Model;
}

const streams: Readonly<Record<string, () => unknown>> = {
  "a promise that rejects": () => Promise.reject(new Error("down")),
  "a promise that rejects later": () =>
    new Promise((_, reject) => void setTimeout(() => reject(new Error("down")), 1)),
  "a promise of events": () => Promise.resolve((async function* () {})()),
  undefined: () => undefined,
  null: () => null,
  "a list": () => [],
  "an object": () => ({}),
  "a text": () => "text",
  "no function for an iterator": () => ({ [Symbol.asyncIterator]: 5 }),
  "no iterator": () => ({ [Symbol.asyncIterator]: () => null }),
  "an iterator without next": () => ({ [Symbol.asyncIterator]: () => ({ next: 5 }) }),
};

const wrappers: Readonly<Record<string, (model: Model) => Model>> = {
  "the model itself": (model) => model,
  fallback: (model) => fallback([model, model]),
  cached: (model) => cached(model),
  retry: (model) => retry(model, { times: 1 }),
  logged: (model) => logged(model, () => undefined),
  rateLimited: (model) => rateLimited(model, { concurrency: 1 }),
  withSettings: (model) => withSettings(model, { temperature: 0 }),
  "withSettings and a timeout": (model) => withSettings(model, { timeout: 1000 }),
  record: (model) => record(model, join(folder, "answers.jsonl")),
};

const uses: Readonly<Record<string, (model: Model) => Promise<unknown>>> = {
  run: (model) => run(new Agent({ name: "A", model }), "Hello"),
  generate: (model) => generate(model, "Hello"),
  generateStream: (model) => Array.fromAsync(generateStream(model, "Hello")),
};

describe.each(Object.entries(uses))("%s", (_, use) => {
  describe.each(Object.entries(wrappers))("with %s", (_name, wrap) => {
    test.each(Object.entries(streams))(
      "names the mistake of a model that returns %s",
      async (_kind, stream) => {
        await expect(use(wrap(modelOf(stream)))).rejects.toMatchObject({
          name: "MalformedResponseError",
          message: expect.stringMatching(/p:m: stream must return an async iterable of events/),
        });
      },
    );
  });
});

test("no promise of theirs ends the process", async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
});
