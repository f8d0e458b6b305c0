import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AuthenticationError, ModelTimeoutError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";
import { openai } from "./openai.ts";
import { responsesRequest } from "./responses/request.ts";
import type { Connection } from "./options.ts";
import { sse, startServer, type TestServer } from "./test-server.ts";

const chunk = { id: "c", choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] };
const completed = { type: "response.completed", response: { id: "r", status: "completed", output: [] } };
const messages = [{ role: "user", content: "Hello" }] as const;

let server: TestServer;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("OPENAI_BASE_URL", "");
});
afterEach(() => vi.unstubAllEnvs());

async function failureOf(model: Model, signal?: AbortSignal, timeout?: number): Promise<unknown> {
  const settings = timeout === undefined ? {} : { timeout };
  return Array.fromAsync(model.stream({ messages, settings, ...(signal && { signal }) })).then(
    (events) => expect.fail(`nothing was thrown, but ${JSON.stringify(events)} came`),
    (error: unknown) => error,
  );
}

describe("the model", () => {
  test("sends requests to its protocol's path, with key, organization, project and headers", async () => {
    const options = {
      baseURL: `${server.url}/v1/`,
      apiKey: "key-1",
      organization: "org-1",
      project: "proj-1",
      headers: { "X-Title": "Skein", "User-Agent": "mine" },
    };
    server.answer({ chunks: [sse(chunk)] });
    await Array.fromAsync(openai("m", options).stream({ messages }));
    server.answer({ chunks: [sse(completed)] });
    await Array.fromAsync(openai.responses("m", options).stream({ messages }));
    const [chat, responses] = server.received.slice(-2);
    expect([chat?.path, responses?.path]).toEqual(["/v1/chat/completions", "/v1/responses"]);
    expect(chat?.headers).toMatchObject({
      authorization: "Bearer key-1",
      "openai-organization": "org-1",
      "openai-project": "proj-1",
      "x-title": "Skein",
      "user-agent": "mine",
      "content-type": "application/json",
    });
  });

  test("reads key and base URL from the environment at the first request, not before", async () => {
    const model = openai("m");
    vi.stubEnv("OPENAI_API_KEY", "key-of-environment");
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v2`);
    server.answer({ chunks: [sse(chunk)] });
    await Array.fromAsync(model.stream({ messages }));
    expect(server.received.at(-1)).toMatchObject({
      path: "/v2/chat/completions",
      headers: { authorization: "Bearer key-of-environment" },
    });
  });

  test("needs no key for a server that is not OpenAI's", async () => {
    server.answer({ chunks: [sse(chunk)] });
    await Array.fromAsync(openai("m", { baseURL: `${server.url}/v1` }).stream({ messages }));
    expect(server.received.at(-1)?.headers).not.toHaveProperty("authorization");
  });

  test("does not send OpenAI's key to a server with another name", async () => {
    vi.stubEnv("OPENAI_API_KEY", "key-of-environment");
    server.answer({ chunks: [sse(chunk)] });
    await Array.fromAsync(
      openai("m", { baseURL: `${server.url}/v1`, provider: "ollama" }).stream({ messages }),
    );
    expect(server.received.at(-1)?.headers).not.toHaveProperty("authorization");
  });

  test("says how to set a missing key for OpenAI", async () => {
    const error = await failureOf(openai("m", { fetch: () => expect.fail("A request was sent.") }));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(String(error)).toMatch(/OPENAI_API_KEY.*apiKey/);
  });

  test("names its provider and its model", () => {
    expect(openai("gpt-5.2")).toMatchObject({ provider: "openai", modelId: "gpt-5.2" });
    expect(openai.responses("m", { provider: "azure" })).toMatchObject({ provider: "azure", modelId: "m" });
  });

  test("uses the `fetch` option", async () => {
    const fetch = async (): Promise<Response> =>
      Response.json({ choices: [{ message: { content: "mine" }, finish_reason: "stop" }] });
    const events = await Array.fromAsync(openai("m", { apiKey: "k", fetch }).stream({ messages }));
    expect(events[0]).toEqual({ type: "text-delta", text: "mine" });
  });
});

describe("a failure", () => {
  test.each([
    [
      401,
      { error: { message: "Incorrect API key provided: key-4711-secret.", code: "invalid_api_key" } },
      "authentication",
    ],
    [429, { error: { message: "Rate limit", code: "rate_limit_exceeded" } }, "rate-limit"],
    [400, { error: { message: "Too long", code: "context_length_exceeded" } }, "context-length"],
    [400, { error: { message: "Filtered", code: "content_filter" } }, "content-filter"],
    [404, { error: { message: "No such model", code: "model_not_found" } }, "invalid-request"],
    [503, { error: { message: "Overloaded" } }, "overloaded"],
  ])("with the status %i is a typed error without the key, in both protocols", async (status, body, code) => {
    const options = { baseURL: `${server.url}/v1`, apiKey: "key-4711-secret" };
    server.answer({
      status,
      type: "application/json",
      headers: { "x-request-id": "req_9", "retry-after": "2" },
      chunks: [JSON.stringify(body)],
    });
    for (const model of [openai("m", options), openai.responses("m", options)]) {
      const error = await failureOf(model);
      expect(error).toMatchObject({ code, status, requestId: "req_9", retryAfter: 2000, provider: "openai" });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("4711");
    }
  });

  test("to send anything in time is a timeout", async () => {
    server.ignore();
    const error = await failureOf(openai("m", { baseURL: `${server.url}/v1` }), undefined, 30);
    expect(error).toBeInstanceOf(ModelTimeoutError);
    server.answer({ chunks: [sse({ choices: [{ delta: { content: "x" } }] })], after: () => {} });
    expect(await failureOf(openai("m", { baseURL: `${server.url}/v1` }), undefined, 30)).toBeInstanceOf(
      ModelTimeoutError,
    );
  });
});

describe("an abort", () => {
  test("during the stream throws the signal's reason at the next event, and closes the connection", async () => {
    const closed = Promise.withResolvers<void>();
    server.answer({
      chunks: [sse({ choices: [{ delta: { content: "a" } }] })],
      after: (response) => void response.on("close", () => closed.resolve()),
    });
    const controller = new AbortController();
    const reason = new Error("enough");
    const types: string[] = [];
    const reading = (async () => {
      const model = openai("m", { baseURL: `${server.url}/v1` });
      for await (const event of model.stream({ messages, signal: controller.signal })) {
        types.push(event.type);
        controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(types).toEqual(["text-delta"]);
    await closed.promise;
  });

  test("stops events that have already come", async () => {
    server.answer({
      chunks: [sse(...["a", "b", "c"].map((content) => ({ choices: [{ delta: { content } }] })), chunk)],
    });
    const controller = new AbortController();
    const types: string[] = [];
    const reading = (async () => {
      const model = openai("m", { baseURL: `${server.url}/v1` });
      for await (const event of model.stream({ messages, signal: controller.signal })) {
        types.push(event.type);
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    expect(types).toEqual(["text-delta"]);
  });
});

test("a reader that leaves during the stream closes the connection", async () => {
  const closed = Promise.withResolvers<string>();
  server.answer({
    chunks: [sse({ choices: [{ delta: { content: "a" } }] })],
    after: (response) => void response.on("close", () => closed.resolve("closed")),
  });
  for await (const event of openai("m", { baseURL: `${server.url}/v1` }).stream({ messages })) {
    if (event.type === "text-delta") break;
  }
  expect(await closed.promise).toBe("closed");
});

test.each([
  ["gpt-4o-mini", false],
  ["ft:gpt-4.1:acme", false],
  ["gpt-5-chat-latest", false],
  ["gpt-5.2", true],
  ["o4-mini", true],
])("requests to %s include encrypted reasoning: %s", (modelId, isAsked) => {
  const connection = { provider: "openai", modelId, host: "api.openai.com", isOpenAI: true } as Connection;
  const { body } = responsesRequest(connection, { messages });
  expect("include" in body).toBe(isAsked);
});
