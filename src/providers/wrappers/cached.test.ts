import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FinishReason } from "../../message/messages.ts";
import { FunctionModel } from "../../testing/function-model.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import type { TurnLike } from "../../testing/turn.ts";
import { cached } from "./cached.ts";
import type { ModelStore } from "./model-store.ts";
import { answerOf, ask, eventsOf, failureOf, tooMany } from "./test-models.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const turn: TurnLike = {
  reasoning: "Hmm, hmm.",
  text: "Let me look.",
  toolCalls: [{ toolName: "look", arguments: { at: "it" } }],
  chunkSize: 5,
  usage: { inputTokens: 100, outputTokens: 20 },
};

/** A model that numbers its answers. */
function counting(): { readonly model: FunctionModel; readonly count: () => number } {
  let count = 0;
  const model = new FunctionModel(() => {
    count += 1;
    return `Answer ${count}`;
  });
  return { model, count: () => count };
}

test("an equal request gets the same answer, event by event, and uses no tokens", async () => {
  const model = new ScriptedModel([turn]);
  const remembering = cached(model);
  const first = await eventsOf(remembering);
  const second = await eventsOf(remembering);
  model.assertComplete();
  expect(second.slice(0, -1)).toEqual(first.slice(0, -1));
  expect(first.length).toBeGreaterThan(8);
  const [before, after] = [first.at(-1), second.at(-1)];
  if (before?.type !== "finish" || after?.type !== "finish")
    throw new TypeError("The answer has no finish event.");
  expect(after.generation).toMatchObject({
    message: before.generation.message,
    toolCalls: before.generation.toolCalls,
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    warnings: [],
  });
  expect(before.generation.usage.totalTokens).toBe(120);
});

test("a caller that changes an answer does not change the next caller's", async () => {
  const remembering = cached(new ScriptedModel(["Hi."]));
  await answerOf(remembering);
  const second = await answerOf(remembering);
  Object.assign(second, { text: "changed" });
  expect((await answerOf(remembering)).text).toBe("Hi.");
});

test("requests that differ in anything the model sees are not equal", async () => {
  const { model, count } = counting();
  const remembering = cached(model);
  const tools = [{ name: "look", inputSchema: { type: "object" } }] as const;
  const requests = [
    ask("A"),
    ask("B"),
    ask("A", { instructions: "Be brief." }),
    ask("A", { tools }),
    ask("A", { tools, toolChoice: "required" }),
    ask("A", { settings: { temperature: 0 } }),
  ];
  for (const request of requests) await answerOf(remembering, request);
  expect(count()).toBe(requests.length);
  for (const request of requests) await answerOf(remembering, request);
  expect(count()).toBe(requests.length);
});

test("the order of keys, the signal, the timeout and the retries do not count", async () => {
  const { model, count } = counting();
  const remembering = cached(model);
  await answerOf(remembering, ask("A", { settings: { temperature: 0, seed: 1 } }));
  const { signal } = new AbortController();
  const settings = { seed: 1, temperature: 0, timeout: 5, maxRetries: 0 };
  await answerOf(remembering, ask("A", { signal, settings }));
  expect(count()).toBe(1);
});

test("models that share a store do not answer for each other", async () => {
  const texts = new Map<string, string>();
  const store = {
    get: (key: string) => texts.get(key),
    set: (key: string, value: string) => void texts.set(key, value),
  };
  const first = cached(new ScriptedModel(["A"], { modelId: "a" }), { store });
  const second = cached(new ScriptedModel(["B"], { modelId: "b" }), { store });
  expect([(await answerOf(first)).text, (await answerOf(second)).text]).toEqual(["A", "B"]);
  expect([(await answerOf(first)).text, (await answerOf(second)).text]).toEqual(["A", "B"]);
  expect(texts.size).toBe(2);
});

test("errors and incomplete answers are not stored", async () => {
  const reasons: readonly FinishReason[] = ["length", "content-filter", "error", "other", "cancelled"];
  const model = new ScriptedModel([
    { error: tooMany() },
    { text: "Half", errorAfter: 1 },
    ...reasons.map((finishReason) => ({ text: "cut", finishReason })),
    { text: "left", chunkSize: 1 },
    "Whole.",
  ]);
  const remembering = cached(model);
  await failureOf(remembering);
  await failureOf(remembering);
  for (const finishReason of reasons) expect(await answerOf(remembering)).toMatchObject({ finishReason });
  for await (const event of remembering.stream(ask())) {
    expect(event.type).toBe("text-delta");
    break;
  }
  expect((await answerOf(remembering)).text).toBe("Whole.");
  expect((await answerOf(remembering)).text).toBe("Whole.");
  model.assertComplete();
});

test("an answer expires, and the least recently used is removed first", async () => {
  const { model, count } = counting();
  const brief = cached(model, { ttl: 1000 });
  await answerOf(brief);
  vi.advanceTimersByTime(999);
  await answerOf(brief);
  expect(count()).toBe(1);
  vi.advanceTimersByTime(1);
  await answerOf(brief);
  expect(count()).toBe(2);
  const small = cached(model, { maxEntries: 2 });
  for (const text of ["A", "B", "A", "C", "A", "B"]) await answerOf(small, ask(text));
  expect(count()).toBe(2 + 4);
});

test("`key` decides which requests are equal, and a store gets the time to live", async () => {
  const { model, count } = counting();
  const set = vi.fn<ModelStore["set"]>();
  const store = { get: () => undefined, set };
  await answerOf(cached(model, { store, ttl: 5, key: () => "all" }), ask("A"));
  await answerOf(cached(model, { store, key: () => "all" }), ask("B"));
  const [[key, , ttl] = [], [again, , none] = []] = set.mock.calls;
  expect([again, ttl, none]).toEqual([key, 5, undefined]);
  expect(count()).toBe(2);
});

test("a store that fails, or holds another value, does not fail the request", async () => {
  const broken = {
    get: () => Promise.reject(new Error("no disk")),
    set: () => Promise.reject(new Error("full")),
  };
  expect(await answerOf(cached(new ScriptedModel(["Hi."]), { store: broken }))).toMatchObject({
    text: "Hi.",
    warnings: ["The cache could not be read: no disk", "The cache could not be written: full"],
  });
  for (const json of ["[]", "nonsense", '[{"type":"text-delta"}]', '{"length":1}', '[{"type":"finish"}]']) {
    const odd = { get: () => json, set: () => undefined };
    const { text, warnings } = await answerOf(cached(new ScriptedModel(["Hi."]), { store: odd }));
    expect([text, warnings.length]).toEqual(["Hi.", 1]);
  }
});

test("an answer from the cache ends with the signal too", async () => {
  const remembering = cached(new ScriptedModel([{ text: "one two three", chunkSize: 4 }]));
  await answerOf(remembering);
  const controller = new AbortController();
  const types: string[] = [];
  const reading = (async () => {
    for await (const event of remembering.stream(ask("Hello", { signal: controller.signal }))) {
      types.push(event.type);
      controller.abort(new Error("enough"));
    }
  })();
  await expect(reading).rejects.toThrow("enough");
  expect(types).toEqual(["text-delta"]);
});

test("invalid options are errors", () => {
  const model = new ScriptedModel([]);
  expect(() => cached(model, { ttl: 0 })).toThrow("ttl is 0");
  expect(() => cached(model, { maxEntries: -1 })).toThrow("maxEntries is -1");
  expect(() => cached(model, JSON.parse('{"size":1}'))).toThrow('no option "size"');
});

test.each([
  ["get", "The cache could not be read: The store did not answer within 20 ms."],
  ["set", "The cache could not be written: The store did not answer within 20 ms."],
])("a store whose %s never settles is given up after the timeout, with a warning", async (name, warning) => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const store: ModelStore = { get: () => undefined, set: () => undefined, [name]: never };
  vi.useRealTimers();
  const answer = await answerOf(
    cached(counting().model, { store }),
    ask("Hello", { settings: { timeout: 20 } }),
  );
  expect(answer).toMatchObject({ text: "Answer 1", warnings: [warning] });
});

test("a model that offers other tools of its provider does not get the answers of the one without", async () => {
  const entries = new Map<string, string>();
  const store: ModelStore = {
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
  };
  const plain = new FunctionModel(() => "From memory.");
  const searching = {
    provider: plain.provider,
    modelId: plain.modelId,
    providerTools: [
      { type: "hosted-tool", provider: "x", name: "search", definition: { type: "search" } },
    ] as const,
    stream: (request: Parameters<typeof plain.stream>[0]) =>
      new FunctionModel(() => "From the web.").stream(request),
  };
  const answers = [cached(plain, { store }), cached(searching, { store }), cached(plain, { store })];
  const texts: string[] = [];
  for (const model of answers) texts.push((await answerOf(model)).text);
  expect(texts).toEqual(["From memory.", "From the web.", "From memory."]);
  expect(cached(searching).providerTools).toBe(searching.providerTools);
});
