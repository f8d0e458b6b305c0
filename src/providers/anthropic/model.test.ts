import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  AuthenticationError,
  ContextLengthError,
  InvalidRequestError,
  MalformedResponseError,
  type ModelError,
  NetworkError,
  OverloadedError,
  RateLimitError,
} from "../../errors.ts";
import type { Model, ModelEvent } from "../../model/types.ts";
import { messageEnd, messageStart, textBlock, thinkingAndCalls } from "./fixtures/answers.ts";
import { collect, generationOf } from "../kit/test-collect.ts";
import { type FakeServer, frame, sendEvents, sendJson, serve } from "../kit/test-server.ts";
import { anthropic } from "./index.ts";

const key = "sk-ant-api03-SECRETSECRETSECRET";
const hello = frame([messageStart(), ...textBlock(0, "Hel", "lo"), ...messageEnd("end_turn")]);
const request = { messages: [{ role: "user" as const, content: "Hi" }] };

beforeEach(() => {
  vi.stubEnv("ANTHROPIC_API_KEY", undefined);
  vi.stubEnv("ANTHROPIC_BASE_URL", undefined);
});
afterEach(() => void vi.unstubAllEnvs());

function modelOf({ baseURL }: FakeServer): Model {
  return anthropic("claude-opus-4-6", { baseURL, apiKey: key });
}

async function failureOf(model: Model): Promise<ModelError> {
  const failure: unknown = await collect(model.stream(request)).catch((error: unknown) => error);
  if (!(failure instanceof Error)) throw new Error("the request did not fail");
  return failure as ModelError;
}

describe("an answer", () => {
  test("streams, and ends with the complete generation", async () => {
    await using server = await serve((response) => {
      response.setHeader("anthropic-ratelimit-requests-remaining", "49");
      return sendEvents(response, [frame(thinkingAndCalls)]);
    });
    const events = await collect(modelOf(server).stream(request));
    expect(events.map(({ type }) => type).join(" ")).toBe(
      "reasoning-delta reasoning-delta text-delta text-delta " +
        "tool-input-delta tool-input-delta tool-call tool-input-delta tool-call finish",
    );
    const generation = generationOf(events);
    expect(generation).toMatchObject({
      text: "Ich schaue nach: «日本»",
      finishReason: "tool-calls",
      rawFinishReason: "tool_use",
      usage: {
        inputTokens: 3120,
        outputTokens: 77,
        totalTokens: 3197,
        cachedInputTokens: 3000,
        reasoningTokens: 30,
      },
      rateLimit: { remainingRequests: 49 },
      response: { id: "msg_01", modelId: "claude-sonnet-4-6", headers: { "request-id": "req_test" } },
      warnings: [],
    });
    expect(generation.timing.totalMs).toBeGreaterThanOrEqual(generation.timing.firstTokenMs ?? Infinity);
  });

  test("is followed by the next request on the same connection", async () => {
    await using server = await serve((response) => sendEvents(response, [hello]));
    const model = modelOf(server);
    await collect(model.stream(request));
    expect(generationOf(await collect(model.stream(request))).text).toBe("Hello");
    expect(server.requests).toHaveLength(2);
  });

  test("ends with its last event, even if the server keeps the connection open", async () => {
    await using server = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(hello);
    });
    expect(generationOf(await collect(modelOf(server).stream(request))).text).toBe("Hello");
  });

  test("warns of settings that could not be sent", async () => {
    await using server = await serve((response) => sendEvents(response, [hello]));
    const events = await collect(modelOf(server).stream({ ...request, settings: { seed: 1 } }));
    expect(generationOf(events).warnings).toEqual([
      "The Messages API does not support seed: it is left out.",
    ]);
  });
});

test("an answer that is not streamed is read too", async () => {
  const message = {
    type: "message",
    id: "msg_1",
    content: [{ type: "text", text: "Hi" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 2 },
  };
  await using server = await serve((response) => sendJson(response, 200, message));
  const events = await collect(modelOf(server).stream(request));
  expect(events[0]).toEqual({ type: "text-delta", text: "Hi" });
  expect(generationOf(events)).toMatchObject({ text: "Hi", finishReason: "stop", usage: { totalTokens: 3 } });
});

describe("a request", () => {
  async function headersOf(options: Parameters<typeof anthropic>[1]) {
    await using server = await serve((response) => sendEvents(response, [hello]));
    await collect(anthropic("claude-opus-4-6", { baseURL: server.baseURL, ...options }).stream(request));
    return server.requests[0]?.headers ?? {};
  }

  test("goes to /v1/messages under the base URL, which may end with /v1", async () => {
    await using server = await serve((response) => sendEvents(response, [hello]));
    for (const end of ["", "/", "/v1", "/v1/", "/proxy"]) {
      await collect(anthropic("claude-opus-4-6", { baseURL: server.baseURL + end }).stream(request));
    }
    const urls = server.requests.map(({ url }) => url);
    expect(urls).toEqual([
      "/v1/messages",
      "/v1/messages",
      "/v1/messages",
      "/v1/messages",
      "/proxy/v1/messages",
    ]);
    expect(server.requests[0]?.body).toMatchObject({ model: "claude-opus-4-6", stream: true });
  });

  test("has the key, the version and the betas", async () => {
    expect(
      await headersOf({ apiKey: key, beta: ["a", "b"], headers: { "Anthropic-Beta": "c" } }),
    ).toMatchObject({
      "x-api-key": key,
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "a,b,c",
      "content-type": "application/json",
    });
    expect(await headersOf({ version: "2030-01-01", headers: { "X-Api-Key": "other" } })).toMatchObject({
      "x-api-key": "other",
      "anthropic-version": "2030-01-01",
    });
  });

  test("with a token does not have the key in the environment", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", key);
    const headers = await headersOf({ authToken: "tok" });
    expect(headers).toMatchObject({ authorization: "Bearer tok" });
    expect(headers).not.toHaveProperty("x-api-key");
  });

  test("reads the key and the base URL from the environment when it is sent", async () => {
    await using server = await serve((response) => sendEvents(response, [hello]));
    const model = anthropic("claude-opus-4-6");
    vi.stubEnv("ANTHROPIC_API_KEY", key);
    vi.stubEnv("ANTHROPIC_BASE_URL", server.baseURL);
    await collect(model.stream(request));
    expect(server.requests[0]?.headers["x-api-key"]).toBe(key);
  });

  test("uses the `fetch` option", async () => {
    const urls: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      urls.push(url);
      return new Response(hello, { headers: { "content-type": "text/event-stream" } });
    };
    const model = anthropic("claude-opus-5-5", { apiKey: key, fetch });
    expect(generationOf(await collect(model.stream(request))).text).toBe("Hello");
    expect(urls).toEqual(["https://api.anthropic.com/v1/messages"]);
  });

  test("without a key is not sent to Anthropic, and the error says what to do", async () => {
    const fetch = (): never => expect.unreachable("A request was sent.");
    const failure = await failureOf(anthropic("claude-opus-4-6", { fetch }));
    expect(failure).toBeInstanceOf(AuthenticationError);
    expect(failure.message).toMatch(/ANTHROPIC_API_KEY.*apiKey/);
  });
});

describe("a failure", () => {
  test.each([
    [401, "authentication_error", "invalid x-api-key", AuthenticationError, false],
    [403, "permission_error", "Your key may not use this model.", AuthenticationError, false],
    [400, "invalid_request_error", "messages: at least one message is required", InvalidRequestError, false],
    [
      400,
      "invalid_request_error",
      "prompt is too long: 210000 tokens > 200000 maximum",
      ContextLengthError,
      false,
    ],
    [
      400,
      "invalid_request_error",
      "Your credit balance is too low to access the API.",
      RateLimitError,
      false,
    ],
    [404, "not_found_error", "model: claude-nope", InvalidRequestError, false],
    [413, "request_too_large", "Request exceeds the maximum size", ContextLengthError, false],
    [429, "rate_limit_error", "This request would exceed your rate limit.", RateLimitError, true],
    [500, "api_error", "Internal server error", OverloadedError, true],
    [529, "overloaded_error", "Overloaded", OverloadedError, true],
  ])(
    "with status %i and type %s (%s) is a typed error without the key",
    async (status, type, message, kind, isRetryable) => {
      await using server = await serve((response) =>
        sendJson(
          response,
          status,
          { type: "error", error: { type, message: `${message} ${key}` }, request_id: "req_1" },
          { "request-id": "req_1", "retry-after": "3" },
        ),
      );
      const failure = await failureOf(modelOf(server));
      expect(failure).toBeInstanceOf(kind);
      expect(failure).toMatchObject({
        status,
        isRetryable,
        providerCode: type,
        requestId: "req_1",
        retryAfter: 3000,
      });
      expect(failure.providerMessage).toContain(message);
      const texts = [
        failure.message,
        failure.stack,
        JSON.stringify(failure),
        JSON.stringify(failure.data),
      ].join("\n");
      expect(texts).not.toContain("SECRET");
    },
  );

  test("within a stream is a typed error, after the events before it", async () => {
    const error = {
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
      request_id: "req_1",
    };
    await using server = await serve((response) =>
      sendEvents(response, [frame([messageStart(), ...textBlock(0, "Hel"), error])]),
    );
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of modelOf(server).stream(request)) events.push(event);
    })();
    await expect(reading).rejects.toBeInstanceOf(OverloadedError);
    await expect(reading).rejects.toMatchObject({ requestId: "req_test", providerCode: "overloaded_error" });
    expect(events).toEqual([{ type: "text-delta", text: "Hel" }]);
  });

  test("a stream that ends early is truncated, and is retryable only before any output", async () => {
    await using empty = await serve((response) => sendEvents(response, [frame([messageStart()])]));
    expect(await failureOf(modelOf(empty))).toMatchObject({ code: "malformed-response", isRetryable: true });
    await using half = await serve((response) =>
      sendEvents(response, [frame([messageStart(), ...textBlock(0, "Hel")])]),
    );
    expect(await failureOf(modelOf(half))).toMatchObject({ code: "malformed-response", isRetryable: false });
  });

  test("a connection that breaks within an answer is a network error", async () => {
    await using server = await serve(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame([messageStart(), ...textBlock(0, "Hel")]), () => response.destroy());
    });
    expect(await failureOf(modelOf(server))).toBeInstanceOf(NetworkError);
  });

  test("an unreadable answer is malformed", async () => {
    await using noise = await serve((response) => sendEvents(response, ["data: {oops\n\n"]));
    expect(await failureOf(modelOf(noise))).toBeInstanceOf(MalformedResponseError);
    await using other = await serve((response) => sendJson(response, 200, { object: "chat.completion" }));
    expect(await failureOf(modelOf(other))).toBeInstanceOf(MalformedResponseError);
  });
});

describe("an abort", () => {
  test("stops the stream at once, with the signal's reason, and closes the connection", async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await serve(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame([messageStart(), ...textBlock(0, "Hel", "lo")]));
      await once(response, "close");
      closed.resolve();
    });
    const controller = new AbortController();
    const reason = new Error("enough");
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of modelOf(server).stream({ ...request, signal: controller.signal })) {
        events.push(event);
        controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(events).toEqual([{ type: "text-delta", text: "Hel" }]);
    await closed.promise;
  });

  test("while the stream is silent stops it too", async () => {
    const started = Promise.withResolvers<void>();
    await using server = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame([messageStart()]));
      started.resolve();
    });
    const controller = new AbortController();
    const reading = collect(modelOf(server).stream({ ...request, signal: controller.signal }));
    await started.promise;
    controller.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });

  test("before the request sends nothing", async () => {
    await using server = await serve((response) => sendEvents(response, [hello]));
    await expect(
      collect(modelOf(server).stream({ ...request, signal: AbortSignal.abort() })),
    ).rejects.toThrow("aborted");
    expect(server.requests).toEqual([]);
  });

  test("leaving the loop early closes the connection", async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await serve(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame([messageStart(), ...textBlock(0, "Hel")]));
      await once(response, "close");
      closed.resolve();
    });
    for await (const event of modelOf(server).stream(request)) {
      expect(event).toEqual({ type: "text-delta", text: "Hel" });
      break;
    }
    await closed.promise;
  });
});

describe("without a key", () => {
  const answer = async (): Promise<Response> =>
    new Response(frame([messageStart(), ...textBlock(0, "Hi"), ...messageEnd("end_turn")]), {
      headers: { "content-type": "text/event-stream" },
    });

  test("an Authorization header is enough, and sent alone", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", undefined);
    const fetch = vi.fn<typeof globalThis.fetch>(answer);
    const model = anthropic("claude-x", { headers: { Authorization: "Bearer of-the-gateway" }, fetch });
    expect(generationOf(await collect(model.stream({ messages: [] }))).text).toBe("Hi");
    const headers = fetch.mock.calls[0]?.[1]?.headers;
    expect(headers).toMatchObject({ authorization: "Bearer of-the-gateway" });
    expect(headers).not.toHaveProperty("x-api-key");
    vi.unstubAllEnvs();
  });

  test("and without a process, the error says what to set", async () => {
    vi.stubGlobal("process", undefined);
    try {
      await expect(
        collect(anthropic("claude-x", { fetch: answer }).stream({ messages: [] })),
      ).rejects.toMatchObject({
        code: "authentication",
        message: expect.stringContaining("ANTHROPIC_API_KEY"),
      });
      const model = anthropic("claude-x", { apiKey: "a-key-for-tests", fetch: answer });
      expect(generationOf(await collect(model.stream({ messages: [] }))).text).toBe("Hi");
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
