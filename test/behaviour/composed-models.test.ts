/** Composed models over real servers, through the adapters. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Agent, run, type Model } from "skein";
import { cached, fallback, logged, rateLimited, retry, type ModelLogEntry } from "skein/models";
import { openai } from "skein/openai";
import { sse, startServer, type TestServer } from "../../src/providers/openai/test-server.ts";

let first: TestServer;
let second: TestServer;

beforeEach(async () => {
  [first, second] = await Promise.all([startServer(), startServer()]);
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
});

function modelAt(server: TestServer, provider: string): Model {
  return openai("some-model", { baseURL: `${server.url}/v1`, apiKey: "sk-test-0123456789", provider });
}

function answer(text: string): string {
  const chunk = {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "some-model-2026-01-01",
  };
  return sse(
    { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    { ...chunk, choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } },
    "[DONE]",
  );
}

const overloaded = {
  status: 503,
  type: "application/json",
  headers: { "retry-after": "0" },
  chunks: ['{"error":{"message":"busy","type":"server_error"}}'],
};

test("a provider that is down is replaced by another, which the run names and counts", async () => {
  first.answer(overloaded);
  second.answer({ chunks: [answer("From the second.")] });
  const log: ModelLogEntry[] = [];
  const model = logged(
    fallback([retry(modelAt(first, "one"), { times: 1 }), modelAt(second, "two")]),
    (entry) => log.push(entry),
  );
  const agent = new Agent({ name: "A", model });
  const outcome = await run(agent, "Hello");
  expect(outcome).toMatchObject({
    text: "From the second.",
    modelCalls: [{ provider: "two", modelId: "some-model-2026-01-01", usage: { totalTokens: 12 } }],
    warnings: ["two:some-model answered in place of one:some-model (overloaded)."],
  });
  expect([first.received.length, second.received.length]).toEqual([2, 1]);
  await run(agent, "Hello again");
  expect([first.received.length, second.received.length]).toEqual([2, 2]);
  expect(log).toMatchObject([{ provider: "two", outcome: "finished" }, { provider: "two" }]);
  expect(JSON.stringify(log)).not.toContain("sk-test");
});

test("all retries of a run and its model together are those of `retry`", async () => {
  first.answer(overloaded);
  const model = rateLimited(retry(modelAt(first, "one"), { times: 2 }));
  await expect(run(new Agent({ name: "A", model }), "Hello")).rejects.toMatchObject({ code: "overloaded" });
  expect(first.received).toHaveLength(3);
});

test("a cached answer needs no server", async () => {
  first.answer({ chunks: [answer("Once.")] });
  const agent = new Agent({ name: "A", model: cached(modelAt(first, "one")) });
  const before = await run(agent, "Hello");
  first.answer(overloaded);
  const after = await run(agent, "Hello");
  expect([before.text, after.text]).toEqual(["Once.", "Once."]);
  expect([before.usage.totalTokens, after.usage.totalTokens]).toEqual([12, 0]);
  expect(first.received).toHaveLength(1);
});

test("leaving an answer early closes the connection behind all wrappers", async () => {
  const closed = Promise.withResolvers<void>();
  const [head = ""] = answer("Half").split("\n\n");
  first.answer({
    chunks: [`${head}\n\n`],
    after: (response) => void response.on("close", () => closed.resolve()),
  });
  const model = logged(cached(rateLimited(retry(fallback([modelAt(first, "one")])))), () => undefined);
  for await (const event of model.stream({ messages: [{ role: "user", content: "Hello" }] }))
    if (event.type === "text-delta") break;
  await expect(closed.promise).resolves.toBeUndefined();
});

test("names stand for models wherever a model may stand, and a name that is none is an error at the first request", async () => {
  const agent = new Agent({ name: "A", model: fallback(["offline"]) });
  expect(await run(agent, "Hello")).toMatchObject({
    status: "completed",
    modelCalls: [{ provider: "offline" }],
  });
  const unknown = retry(fallback(["nobody:nothing", "offline"]));
  await expect(run(new Agent({ name: "A", model: unknown }), "Hello")).rejects.toMatchObject({
    code: "model-not-found",
  });
});
