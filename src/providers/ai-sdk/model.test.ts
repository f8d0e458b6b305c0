import { afterEach, describe, expect, test } from "vitest";
import {
  AuthenticationError,
  ConfigurationError,
  ContextLengthError,
  InvalidRequestError,
  MalformedResponseError,
  ModelError,
  NetworkError,
  OverloadedError,
  RateLimitError,
} from "../../errors.ts";
import { setRealModelsBlocked } from "../../model/real-models.ts";
import { aiSdkError } from "./errors.ts";
import { fromAiSdk } from "./model.ts";
import { answerOf, ends, eventsOf, languageModel } from "./test-language-model.ts";
import type { AiSdkLanguageModel, AiSdkStreamResult } from "./types.ts";

afterEach(() => setRealModelsBlocked(false));

const context = { provider: "ai-sdk/maker.chat", modelId: "m-1", headers: {} };

/** An error in the form of the AI SDK's. */
function thrown(name: string, message: string, fields: object = {}, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { name: `AI_${name}`, ...fields });
}

describe("fromAiSdk", () => {
  test("gives its models the name of their provider", () => {
    expect(fromAiSdk(languageModel([]))).toMatchObject({ provider: "ai-sdk/maker.chat", modelId: "m-1" });
  });

  test.each([
    ["a name", "openai/gpt-5.2"],
    ["nothing", undefined],
    ["another specification", { ...languageModel([]), specificationVersion: "v9" }],
  ])("says what to pass instead of %s", (_, value) => {
    expect(() => fromAiSdk(value as AiSdkLanguageModel)).toThrow(ConfigurationError);
    expect(() => fromAiSdk(value as AiSdkLanguageModel)).toThrow(/openai\("gpt-5\.2"\) of @ai-sdk\/openai/);
  });

  test("refuses an unknown option", () => {
    expect(() => fromAiSdk(languageModel([]), { filesInResult: true } as object)).toThrow(/"filesInResults"/);
  });

  test("sends requests only to servers on this machine while real models are blocked", async () => {
    setRealModelsBlocked(true);
    const model = languageModel([ends.v4]);
    await expect(answerOf(model)).rejects.toMatchObject({ code: "real-model-blocked" });
    expect(model.calls).toEqual([]);
    const local = { ...model, config: { baseURL: "http://127.0.0.1:8080/v1" } };
    expect(await answerOf(local)).toMatchObject({ finishReason: "stop" });
  });
});

describe("a failure", () => {
  const call = {
    url: "https://api.maker.example/v1/chat?key=sk-123456789",
    requestBodyValues: { prompt: "a secret" },
  };

  test.each([
    [401, { error: { message: "Bad key sk-abcdefghij." } }, AuthenticationError],
    [400, { error: { message: "prompt is too long" } }, ContextLengthError],
    [400, { error: { message: "No such field." } }, InvalidRequestError],
    [429, { error: { message: "Slow down.", code: "rate_limit_exceeded" } }, RateLimitError],
    [503, { message: "Down." }, OverloadedError],
  ])("with status %i is typed, and reveals no secret", (statusCode, body, kind) => {
    const responseHeaders = { "retry-after": "2", "x-request-id": "req_1" };
    const responseBody = JSON.stringify(body);
    const error = aiSdkError(
      thrown("APICallError", "Failed", { statusCode, responseHeaders, responseBody, ...call }),
      context,
    );
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status: statusCode, requestId: "req_1", retryAfter: 2000 });
    expect(`${error.message}${JSON.stringify(error)}${String(error.cause)}`).not.toMatch(/sk-|secret/);
  });

  test.each([
    [thrown("LoadAPIKeyError", "OpenAI API key is missing."), AuthenticationError],
    [thrown("UnsupportedFunctionalityError", "'audio' is not supported."), InvalidRequestError],
    [thrown("JSONParseError", "JSON parsing failed: Text: {."), MalformedResponseError],
    [
      thrown("APICallError", "Invalid JSON", { statusCode: 200 }, thrown("TypeValidationError", "no")),
      MalformedResponseError,
    ],
    [
      thrown("APICallError", "Cannot connect", { ...call, isRetryable: true }, new Error("refused")),
      NetworkError,
    ],
    [
      new TypeError("terminated", { cause: Object.assign(new Error("closed"), { code: "UND_ERR_SOCKET" }) }),
      NetworkError,
    ],
    [
      thrown("RetryError", "tried thrice", { lastError: { statusCode: 529, message: "busy" } }),
      OverloadedError,
    ],
    [{ type: "overloaded_error", message: "Overloaded" }, OverloadedError],
    ["Rate limit reached", ModelError],
    [new Error("a defect"), ModelError],
  ])("without a status is typed: %s", (error, kind) => {
    const typed = aiSdkError(error, context);
    expect(typed).toBeInstanceOf(kind);
    expect(typed.message).toContain("ai-sdk/maker.chat:m-1");
  });

  test("within a stream ends it, after the events before it", async () => {
    const parts = [
      { type: "text-delta", id: "0", delta: "Hel" },
      { type: "error", error: { message: "Overloaded", type: "overloaded_error", statusCode: 529 } },
    ];
    const types: string[] = [];
    const reading = async (): Promise<void> => {
      const messages = [{ role: "user", content: "Hello" }] as const;
      for await (const event of fromAiSdk(languageModel(parts)).stream({ messages })) types.push(event.type);
    };
    await expect(reading()).rejects.toMatchObject({ code: "overloaded", status: 529, isRetryable: true });
    expect(types).toEqual(["text-delta"]);
  });

  test("before the stream starts has the same form", async () => {
    const model = { ...languageModel([]), doStream: () => Promise.reject(new Error("a defect")) };
    await expect(eventsOf(model)).rejects.toMatchObject({ code: "model-failed" });
  });
});

describe("a signal", () => {
  test("that is already aborted sends no request", async () => {
    const model = languageModel([ends.v4]);
    await expect(eventsOf(model, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
    expect(model.calls).toEqual([]);
  });

  test("ends a call to a model that ignores it, and cancels a stream that comes too late", async () => {
    const controller = new AbortController();
    const call = Promise.withResolvers<AbortSignal | undefined>();
    const late = Promise.withResolvers<AiSdkStreamResult>();
    const model: AiSdkLanguageModel = {
      ...languageModel([]),
      doStream: ({ abortSignal }) => {
        call.resolve(abortSignal);
        return late.promise;
      },
    };
    const events = eventsOf(model, { signal: controller.signal });
    const signal = await call.promise;
    controller.abort(new Error("enough"));
    await expect(events).rejects.toThrow("enough");
    expect(signal?.aborted).toBe(true);
    const cancelled = Promise.withResolvers<void>();
    late.resolve({ stream: new ReadableStream({ cancel: () => cancelled.resolve() }) });
    await cancelled.promise;
  });

  test("ends a silent stream, and closes it", async () => {
    const controller = new AbortController();
    const cancelled = Promise.withResolvers<void>();
    const stream = new ReadableStream<object>({
      start: (parts) => parts.enqueue({ type: "text-delta", id: "0", delta: "Hel" }),
      cancel: () => cancelled.resolve(),
    });
    const model = { ...languageModel([]), doStream: () => Promise.resolve({ stream }) };
    const messages = [{ role: "user", content: "Hello" }] as const;
    const events = fromAiSdk(model).stream({ messages, signal: controller.signal })[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: "text-delta" } });
    const next = events.next();
    controller.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    await cancelled.promise;
  });

  test("is not needed to leave: the stream is closed when its reader stops", async () => {
    const cancelled = Promise.withResolvers<void>();
    const stream = new ReadableStream<object>({
      pull: (parts) => parts.enqueue({ type: "text-delta", id: "0", delta: "Hel" }),
      cancel: () => cancelled.resolve(),
    });
    const model = { ...languageModel([]), doStream: () => Promise.resolve({ stream }) };
    for await (const event of fromAiSdk(model).stream({ messages: [{ role: "user", content: "Hello" }] })) {
      expect(event.type).toBe("text-delta");
      break;
    }
    await cancelled.promise;
  });
});
