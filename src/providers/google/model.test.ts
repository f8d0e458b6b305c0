import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  AuthenticationError,
  ConfigurationError,
  MalformedResponseError,
  RateLimitError,
} from "../../errors.ts";
import type { ModelRequest } from "../../model/types.ts";
import { collect, generationOf } from "../kit/test-collect.ts";
import { sendEvents, sendJson, serve } from "../kit/test-server.ts";
import { google } from "./index.ts";

const hello: ModelRequest = { messages: [{ role: "user", content: "Hello" }] };
const variables = ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"];

beforeEach(() => {
  for (const variable of variables) vi.stubEnv(variable, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function candidate(fields: object): string {
  return data({ candidates: [fields] });
}

const fine = candidate({ content: { parts: [{ text: "Fine." }] }, finishReason: "STOP" });

async function failureOf(body: object, status: number): Promise<unknown> {
  await using server = await serve((response) => sendJson(response, status, body));
  const model = google("gemini-3.8-flash", { apiKey: "k", baseURL: server.baseURL });
  return await collect(model.stream(hello)).catch((error: unknown) => error);
}

async function answer(...pieces: readonly string[]) {
  await using server = await serve((response) => sendEvents(response, pieces));
  const model = google("gemini-3.8-flash", { apiKey: "k", baseURL: server.baseURL });
  return generationOf(await collect(model.stream(hello)));
}

describe("where a request goes", () => {
  test.each([
    ["", {}, "gemini-3.8-flash", "/v1beta/models/gemini-3.8-flash"],
    ["/v1/", {}, "gemini-3.8-flash", "/v1/models/gemini-3.8-flash"],
    ["/proxy", { apiVersion: "v1alpha" }, "gemini-3.8-flash", "/proxy/v1alpha/models/gemini-3.8-flash"],
    ["", {}, "tunedModels/geese-1", "/v1beta/tunedModels/geese-1"],
    ["", {}, "a b", "/v1beta/models/a%20b"],
  ])("with the path %j and %j, requests to %s go to %s", async (path, options, modelId, expected) => {
    await using server = await serve((response) => sendEvents(response, [fine]));
    const model = google(modelId, { apiKey: "k", baseURL: `${server.baseURL}${path}`, ...options });
    await collect(model.stream(hello));
    expect(server.requests[0]?.url).toBe(`${expected}:streamGenerateContent?alt=sse`);
    expect(server.requests[0]?.headers["x-goog-api-key"]).toBe("k");
  });

  test("the server and the key can come from the environment, as in Google's own SDKs", async () => {
    await using server = await serve((response) => sendEvents(response, [fine]));
    vi.stubEnv("GOOGLE_GEMINI_BASE_URL", server.baseURL);
    vi.stubEnv("GEMINI_API_KEY", "second");
    await collect(google("gemini-3.8-flash").stream(hello));
    vi.stubEnv("GOOGLE_API_KEY", "first");
    await collect(google("gemini-3.8-flash").stream(hello));
    await collect(google("gemini-3.8-flash", { provider: "acme" }).stream(hello));
    expect(server.requests.map(({ headers }) => headers["x-goog-api-key"])).toEqual([
      "second",
      "first",
      undefined,
    ]);
  });

  test("no request goes to Google without a key", async () => {
    const events = collect(google("gemini-3.8-flash").stream(hello));
    await expect(events).rejects.toBeInstanceOf(AuthenticationError);
    await expect(events).rejects.toThrow(
      "google:gemini-3.8-flash has no API key. Set GOOGLE_API_KEY or GEMINI_API_KEY, or pass the key: google(..., { apiKey }).",
    );
  });

  test.each([
    ["google:gemini-3.8-flash", {}, 'Write: google("gemini-3.8-flash")'],
    ["gemini-3.8-flash", Object({ apikey: "k" }), 'Did you mean "apiKey"?'],
    ["gemini-3.8-flash", { baseURL: "nowhere" }, "baseURL"],
    ["../../v1/x", {}, 'The model id of google("../../v1/x") must not contain'],
    ["tunedModels/../../evil", {}, "must not contain"],
    ["a/./b", {}, "must not contain"],
    ["..", {}, "must not contain"],
    ["gemini?key=1", {}, "must not contain"],
    ["gemini#x", {}, "must not contain"],
    ["%2e%2E/x", {}, "must not contain"],
    ["gemini-3.8-flash", { baseURL: "https://acme.test/v1?key=k" }, "has a query or a fragment"],
  ])("%j with %j is refused when the model is created", (modelId, options, message) => {
    expect(() => google(modelId, options)).toThrow(ConfigurationError);
    expect(() => google(modelId, options)).toThrow(message);
  });
});

describe("how an answer ends", () => {
  test.each([
    ["SAFETY", "content-filter"],
    ["RECITATION", "content-filter"],
    ["PROHIBITED_CONTENT", "content-filter"],
    ["MAX_TOKENS", "length"],
    ["MALFORMED_FUNCTION_CALL", "error"],
    ["LANGUAGE", "error"],
    ["SOMETHING_NEW", "error"],
  ])("%s is %s", async (rawFinishReason, finishReason) => {
    const generation = await answer(candidate({ finishReason: rawFinishReason, finishMessage: "Because." }));
    expect(generation).toMatchObject({ finishReason, rawFinishReason, text: "" });
    expect(generation.refusal).toBe(finishReason === "content-filter" ? "Because." : undefined);
    expect(generation.warnings).toEqual(
      finishReason === "error" ? [`The answer ended with ${rawFinishReason}. Because.`] : [],
    );
  });

  test("a blocked prompt is a content filter's work", async () => {
    const promptFeedback = { blockReason: "PROHIBITED_CONTENT" };
    expect(await answer(data({ promptFeedback }))).toMatchObject({
      finishReason: "content-filter",
      rawFinishReason: "PROHIBITED_CONTENT",
    });
  });

  test("a call in a truncated answer does not complete the turn", async () => {
    const content = { parts: [{ functionCall: { name: "f", args: {} } }] };
    expect(await answer(candidate({ content, finishReason: "MAX_TOKENS" }))).toMatchObject({
      finishReason: "length",
    });
  });

  test("a stream that ends too soon is an error, which is retryable only before any output", async () => {
    await expect(answer(candidate({ content: { parts: [{ text: "Fi" }] } }))).rejects.toMatchObject({
      name: "MalformedResponseError",
      isRetryable: false,
    });
    await expect(answer(data({ candidates: [] }))).rejects.toMatchObject({ isRetryable: true });
  });

  test("a call whose arguments come in pieces is refused, with the option to remove", async () => {
    const part = { functionCall: { name: "f", partialArgs: [{ jsonPath: "$.a", stringValue: "x" }] } };
    const refused = answer(candidate({ content: { parts: [part] } }));
    await expect(refused).rejects.toBeInstanceOf(MalformedResponseError);
    await expect(refused).rejects.toThrow("streamFunctionCallArguments");
  });

  test("sources are stored in a part of their own, and not sent back", async () => {
    const groundingMetadata = { webSearchQueries: ["geese"] };
    const { message } = await answer(
      candidate({ content: { parts: [{ text: "In a V." }] }, groundingMetadata, finishReason: "STOP" }),
    );
    expect(message.content).toEqual([
      { type: "text", text: "In a V." },
      { type: "provider", providerData: { provider: "google", data: { metadata: { groundingMetadata } } } },
    ]);
    await using server = await serve((response) => sendEvents(response, [fine]));
    const model = google("gemini-3.8-flash", { apiKey: "k", baseURL: server.baseURL });
    await collect(model.stream({ messages: [...hello.messages, message] }));
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("geese");
  });

  test("log probabilities come with their alternatives", async () => {
    const logprobsResult = {
      chosenCandidates: [{ token: "A", logProbability: -0.1 }],
      topCandidates: [
        {
          candidates: [
            { token: "A", logProbability: -0.1 },
            { token: "B", logProbability: -2 },
          ],
        },
      ],
    };
    const { logprobs } = await answer(candidate({ finishReason: "STOP", logprobsResult }));
    expect(logprobs).toEqual([
      {
        token: "A",
        logprob: -0.1,
        topLogprobs: [
          { token: "A", logprob: -0.1 },
          { token: "B", logprob: -2 },
        ],
      },
    ]);
  });
});

describe("failures", () => {
  const exhausted = (details: readonly object[]): object => ({
    error: {
      code: 429,
      message: "You exceeded your current quota, please check your plan and billing details.",
      status: "RESOURCE_EXHAUSTED",
      details,
    },
  });
  const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7.5s" };
  const violation = (quotaId: string): object => ({
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    violations: [{ quotaId }],
  });

  test("a quota per minute is retryable, after the wait that the error states", async () => {
    const error = await failureOf(
      exhausted([violation("GenerateRequestsPerMinutePerProjectPerModel"), retryInfo]),
      429,
    );
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, retryAfter: 7500, isRetryable: true });
  });

  test.each([
    ["a quota per day", [violation("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), retryInfo]],
    ["a quota without a hint", []],
  ])("%s is not retried", async (_, details) => {
    expect(await failureOf(exhausted(details), 429)).toMatchObject({ isRetryable: false });
  });

  test("a wrong key is an authentication error, whatever the status", async () => {
    const message = "API key not valid. Please pass a valid API key.";
    const error = await failureOf({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }, 400);
    expect(error).toBeInstanceOf(AuthenticationError);
  });

  test("a key that the server echoes is not in the error", async () => {
    const key = "plain-secret-0123456789";
    const headers = { "content-type": "application/json", "x-request-id": `r-${key}` };
    for (const respond of [
      () => Response.json({ error: { message: key } }, { status: 400, headers }),
      () => new Response("{}", { headers: { ...headers, "content-type": "text/html" } }),
    ]) {
      const model = google("gemini-3.8-flash", { apiKey: key, fetch: async () => respond() });
      const error: unknown = await collect(model.stream(hello)).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ requestId: "r-[redacted]" });
      expect(JSON.stringify(error)).not.toContain(key);
    }
  });

  test("a prompt that is too long is a context length error", async () => {
    const message = "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).";
    const error = await failureOf({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }, 400);
    expect(error).toMatchObject({ name: "ContextLengthError" });
  });

  test("an error within the stream is an error", async () => {
    const error = { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" };
    await expect(answer(data({ error }))).rejects.toMatchObject({ status: 503, isRetryable: true });
  });
});
