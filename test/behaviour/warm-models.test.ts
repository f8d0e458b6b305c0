import http from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { AuthenticationError, generate } from "skein";
import { fallback, retry } from "skein/models";
import { openai } from "skein/openai";
import { blockRealModels } from "skein/testing";
import { ok, serveBytes } from "../../src/transport/node/test-servers.ts";

const answer =
  'data: {"choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** A server that does not know the address that is asked for first, and answers all others. */
function provider(): ReturnType<typeof serveBytes> {
  return serveBytes((socket, _, request) =>
    socket.write(
      request.startsWith("HEAD / ") ? "HTTP/1.1 404 Not Found\r\ncontent-length: 9\r\n\r\n" : ok(answer),
    ),
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test("the first request goes over the connection that was opened for it, and no key before it", async () => {
  await using server = await provider();
  const baseURL = `http://127.0.0.1:${server.port}/v1`;
  const model = openai("gpt-5.2", { baseURL, apiKey: "sk-secret" });
  expect(await model.warm?.()).toBe(true);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).not.toContain("sk-secret");
  expect((await generate(model, "Hello.")).text).toBe("Hi.");
  expect(server.connections).toHaveLength(1);
});

test("a wrapped model is warmed within its wrappers, the first of several alone", async () => {
  await using first = await provider();
  await using second = await provider();
  const models = [first, second].map(({ port }) =>
    retry(openai("gpt-5.2", { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "key" })),
  );
  expect(await fallback(models).warm?.()).toBe(true);
  expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
});

test("a model by its name is warmed as the one that it stands for", async () => {
  await using server = await provider();
  vi.stubEnv("OPENAI_BASE_URL", `http://127.0.0.1:${server.port}/v1`);
  vi.stubEnv("OPENAI_API_KEY", "key");
  expect(await retry("openai:gpt-5.2").warm?.()).toBe(true);
  expect(server.connections).toHaveLength(1);
});

test("a server that is not there, or breaks off, is not warm", async () => {
  await using server = await serveBytes((socket) => socket.destroy());
  const baseURL = `http://127.0.0.1:${server.port}/v1`;
  expect(await openai("gpt-5.2", { baseURL, apiKey: "key" }).warm?.()).toBe(false);
  await server[Symbol.asyncDispose]();
  expect(await openai("gpt-5.2", { baseURL, apiKey: "key" }).warm?.()).toBe(false);
});

test("what sends the requests in the place of Skein sees no request but those of runs", async () => {
  const fetch = vi.fn<typeof globalThis.fetch>();
  const options = { baseURL: "https://provider.test", apiKey: "key" };
  expect(await openai("gpt-5.2", { ...options, fetch }).warm?.()).toBe(false);
  vi.stubGlobal("fetch", fetch);
  expect(await openai("gpt-5.2", options).warm?.()).toBe(false);
  expect(fetch).not.toHaveBeenCalled();
});

test("the connections of an agent are warmed", async () => {
  await using server = await provider();
  const agent = new http.Agent({ keepAlive: true });
  const baseURL = `http://127.0.0.1:${server.port}/v1`;
  const model = openai("gpt-5.2", { baseURL, apiKey: "key", agent });
  expect(await model.warm?.()).toBe(true);
  expect(Object.keys(agent.freeSockets)).toHaveLength(1);
  agent.destroy();
});

test("a model without a key, and a real one where these are blocked, is an error", async () => {
  vi.stubEnv("OPENAI_API_KEY", "");
  await expect(openai("gpt-5.2").warm?.()).rejects.toThrow(AuthenticationError);
  const allow = blockRealModels();
  await expect(openai("gpt-5.2", { apiKey: "key" }).warm?.()).rejects.toMatchObject({
    code: "real-model-blocked",
  });
  allow();
});
