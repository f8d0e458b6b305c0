import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { InvalidRequestError, ModelNotFoundError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";
import { defaultModel, modelFromName } from "./index.ts";
import * as unavailable from "./unavailable.ts";

const variables = [
  "SKEIN_MODEL",
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GOOGLE_API_KEY",
  "GEMINI_API_KEY",
  "OPENAI_BASE_URL",
  "ANTHROPIC_BASE_URL",
  "GOOGLE_GEMINI_BASE_URL",
  "OLLAMA_HOST",
];

let server: Server | undefined;
beforeEach(() => {
  for (const variable of variables) vi.stubEnv(variable, undefined);
  // Port 1 is closed.
  vi.stubEnv("OLLAMA_HOST", "127.0.0.1:1");
});
afterEach(() => {
  vi.unstubAllEnvs();
  server?.close();
  server = undefined;
});

/** A server that refuses every request and records it. */
async function refusingServer(answer = "{}"): Promise<{
  readonly url: string;
  readonly requests: string[];
  readonly keys: (string | undefined)[];
}> {
  const requests: string[] = [];
  const keys: (string | undefined)[] = [];
  const started = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    keys.push(request.headers.authorization);
    response
      .writeHead(request.method === "GET" ? 200 : 400, { "content-type": "application/json" })
      .end(answer);
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const address = started.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, requests, keys };
}

/** Sends a request that the server refuses with status 400. */
async function ask(model: Model): Promise<void> {
  const answer = model.stream({ messages: [{ role: "user", content: "Hi" }] })[Symbol.asyncIterator]();
  await expect(answer.next()).rejects.toBeInstanceOf(InvalidRequestError);
}

function names(model: Model): string {
  return `${model.provider}:${model.modelId}`;
}

test.each([
  ["openai:gpt-5.2", "openai:gpt-5.2"],
  ["openai-chat:gpt-4.1", "openai:gpt-4.1"],
  ["openai-responses:gpt-5.2", "openai:gpt-5.2"],
  ["anthropic:claude-sonnet-5-5", "anthropic:claude-sonnet-5-5"],
  ["google:gemini-2.5-flash", "google:gemini-2.5-flash"],
  ["ollama:qwen3:8b", "ollama:qwen3:8b"],
  [" ollama:hf.co/some/model:Q4_K_M ", "ollama:hf.co/some/model:Q4_K_M"],
])("%j names a model, even without a key", async (name, expected) => {
  expect(names(await modelFromName(name))).toBe(expected);
});

test("offline names the model without a network", async () => {
  expect((await modelFromName("offline")).provider).toBe("offline");
});

test.each([
  ["opnai:gpt-5.2", "Did you mean openai:gpt-5.2?"],
  ["Anthropic:claude-opus-5-5", "Did you mean anthropic:claude-opus-5-5?"],
  ["claude-sonnet-5-5", "Did you mean anthropic:claude-sonnet-5-5?"],
  ["gpt-5.2", "Did you mean openai:gpt-5.2?"],
  ["gemini-2.5-flash", "Did you mean google:gemini-2.5-flash?"],
  ["gogle:gemini-2.5-flash", "Did you mean google:gemini-2.5-flash?"],
  ["gemini:gemini-2.5-flash", "Did you mean google:gemini-2.5-flash?"],
  ["google/gemini-2.5-flash", "Did you mean google:gemini-2.5-flash?"],
  ["vertex/gemini-2.5-flash", "Did you mean google:gemini-2.5-flash?"],
  ["olama", "Did you mean ollama:<model id>?"],
  ["openai:", "Did you mean openai:<model id>?"],
  ["ofline", "Did you mean offline?"],
])("the name %j is refused, with a suggestion", async (name, hint) => {
  const refused = modelFromName(name);
  await expect(refused).rejects.toBeInstanceOf(ModelNotFoundError);
  await expect(refused).rejects.toThrow(hint);
});

test.each(["banana", "", ":", "constructor:x", "banana:split"])(
  "the name %j, which resembles none, is answered with the forms there are",
  async (name) => {
    const refused = modelFromName(name);
    await expect(refused).rejects.toThrow(
      "anthropic:claude-sonnet-5-5, openai:gpt-5.2, google:gemini-3.8-flash, ollama:qwen3, offline",
    );
    await expect(refused).rejects.not.toThrow("Did you mean");
  },
);

test("SKEIN_MODEL comes before every key", async () => {
  vi.stubEnv("SKEIN_MODEL", "ollama:qwen3");
  vi.stubEnv("ANTHROPIC_API_KEY", "key");
  expect(names(await defaultModel())).toBe("ollama:qwen3");
});

test("a wrong SKEIN_MODEL is an error that names the variable, whatever keys are set", async () => {
  vi.stubEnv("SKEIN_MODEL", "gpt-5.2");
  vi.stubEnv("OPENAI_API_KEY", "key");
  await expect(defaultModel()).rejects.toThrow('SKEIN_MODEL is "gpt-5.2"');
});

test("Anthropic's key comes before OpenAI's, and an empty variable counts as not set", async () => {
  vi.stubEnv("OPENAI_API_KEY", "key");
  vi.stubEnv("SKEIN_MODEL", "");
  vi.stubEnv("ANTHROPIC_API_KEY", "");
  expect((await defaultModel()).provider).toBe("openai");
  vi.stubEnv("ANTHROPIC_API_KEY", "key");
  expect((await defaultModel()).provider).toBe("anthropic");
});

test.each(["GOOGLE_API_KEY", "GEMINI_API_KEY"])("%s chooses Google, after all others", async (variable) => {
  vi.stubEnv(variable, "key");
  expect(names(await defaultModel())).toBe("google:gemini-3.8-flash");
  vi.stubEnv("OPENAI_API_KEY", "key");
  expect((await defaultModel()).provider).toBe("openai");
});

test("without a key, the model of a local Ollama is used over its OpenAI-compatible API", async () => {
  const { url, requests } = await refusingServer('{"models":[{"name":"qwen3:8b"}]}');
  vi.stubEnv("OLLAMA_HOST", url);
  const model = await defaultModel();
  expect(names(model)).toBe("ollama:qwen3:8b");
  await ask(model);
  expect(requests).toEqual(["GET /api/tags", "POST /v1/chat/completions"]);
});

test("if no Ollama answers, the error says how to start it", async () => {
  const { url } = await refusingServer();
  vi.stubEnv("OLLAMA_HOST", url);
  await new Promise((resolve) => server?.close(resolve));
  const model = await modelFromName("ollama:qwen3");
  const answer = model.stream({ messages: [{ role: "user", content: "Hi" }] })[Symbol.asyncIterator]();
  await expect(answer.next()).rejects.toThrow("Is Ollama running? Start it with `ollama serve`.");
});

test("a key of OpenAI's is not sent to Ollama", async () => {
  const { url, keys } = await refusingServer();
  vi.stubEnv("OLLAMA_HOST", url);
  vi.stubEnv("OPENAI_API_KEY", "secret");
  await ask(await modelFromName("ollama:qwen3"));
  expect(keys).toEqual(["Bearer ollama"]);
});

test("with OPENAI_BASE_URL, `openai:` uses Chat Completions, and a prefix can choose another API", async () => {
  const { url, requests } = await refusingServer();
  vi.stubEnv("OPENAI_BASE_URL", `${url}/v1`);
  vi.stubEnv("OPENAI_API_KEY", "key");
  await ask(await modelFromName("openai:some-model"));
  await ask(await modelFromName("openai-responses:some-model"));
  expect(requests).toEqual(["POST /v1/chat/completions", "POST /v1/responses"]);
});

test("without any model, the error lists the choices", async () => {
  const missing = defaultModel();
  await expect(missing).rejects.toBeInstanceOf(ModelNotFoundError);
  for (const choice of [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "SKEIN_MODEL",
    "Ollama",
    'model: "offline"',
  ]) {
    await expect(missing).rejects.toThrow(choice);
  }
});

test("without an environment, both errors ask for a Model object", async () => {
  await expect(unavailable.defaultModel()).rejects.toThrow("skein/openai");
  await expect(unavailable.modelFromName("openai:gpt-5.2")).rejects.toThrow('"openai:gpt-5.2"');
  expect(Object.keys(unavailable).sort()).toEqual(["defaultModel", "modelFromName"]);
});
