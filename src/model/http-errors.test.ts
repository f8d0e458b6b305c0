import { describe, expect, test } from "vitest";
import { providerError, retryAfterOf } from "./http-errors.ts";

const redact = (text: string): string => text;

function errorOf(status: number | undefined, body: unknown, headers: Record<string, string> = {}): Error {
  return providerError({ provider: "acme", modelId: "m", status, headers, body, redact });
}

/** Bodies as the providers named send them. */
const failures: readonly (readonly [string, number | undefined, unknown, string, boolean])[] = [
  [
    "OpenAI, wrong key",
    401,
    {
      error: {
        message: "Incorrect API key provided.",
        type: "invalid_request_error",
        param: null,
        code: "invalid_api_key",
      },
    },
    "authentication",
    false,
  ],
  [
    "Anthropic, wrong key",
    401,
    { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
    "authentication",
    false,
  ],
  [
    "Anthropic, not allowed",
    403,
    { type: "error", error: { type: "permission_error", message: "Not allowed" } },
    "authentication",
    false,
  ],
  [
    "OpenAI, too many requests",
    429,
    {
      error: {
        message: "Rate limit reached for gpt-4o.",
        type: "requests",
        param: null,
        code: "rate_limit_exceeded",
      },
    },
    "rate-limit",
    true,
  ],
  [
    "OpenAI, quota",
    429,
    {
      error: {
        message: "You exceeded your current quota, please check your plan.",
        type: "insufficient_quota",
        param: null,
        code: "insufficient_quota",
      },
    },
    "rate-limit",
    false,
  ],
  [
    "DeepSeek, balance",
    402,
    {
      error: {
        message: "Insufficient Balance",
        type: "unknown_error",
        param: null,
        code: "invalid_request_error",
      },
    },
    "rate-limit",
    false,
  ],
  [
    "Anthropic, credit",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "Your credit balance is too low to access the Anthropic API.",
      },
    },
    "rate-limit",
    false,
  ],
  [
    "Anthropic, too many requests",
    429,
    {
      type: "error",
      error: { type: "rate_limit_error", message: "This request would exceed your rate limit" },
    },
    "rate-limit",
    true,
  ],
  [
    "OpenAI, context",
    400,
    {
      error: {
        message: "This model's maximum context length is 128000 tokens.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    },
    "context-length",
    false,
  ],
  [
    "Anthropic, context",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    },
    "context-length",
    false,
  ],
  [
    "llama.cpp, context",
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size",
        type: "exceed_context_size_error",
      },
    },
    "context-length",
    false,
  ],
  [
    "vLLM, context",
    400,
    {
      object: "error",
      message:
        "This model's maximum context length is 4096 tokens. Please reduce the length of the messages.",
      type: "BadRequestError",
      code: 400,
    },
    "context-length",
    false,
  ],
  [
    "Anthropic, too large",
    413,
    { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
    "context-length",
    false,
  ],
  [
    "Azure, content filter",
    400,
    {
      error: {
        code: "content_filter",
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        innererror: { code: "ResponsibleAIPolicyViolation" },
      },
    },
    "content-filter",
    false,
  ],
  [
    "Anthropic, content filter",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "Output blocked by content filtering policy" },
    },
    "content-filter",
    false,
  ],
  [
    "OpenRouter, moderation",
    403,
    { error: { code: 403, message: "Your chosen model requires moderation and your input was flagged" } },
    "content-filter",
    false,
  ],
  [
    "OpenAI, unknown model",
    404,
    {
      error: {
        message: "The model `x` does not exist",
        type: "invalid_request_error",
        param: null,
        code: "model_not_found",
      },
    },
    "invalid-request",
    false,
  ],
  [
    "OpenAI, wrong parameter",
    400,
    {
      error: {
        message: "Unsupported parameter: 'max_tokens'",
        type: "invalid_request_error",
        param: "max_tokens",
        code: "unsupported_parameter",
      },
    },
    "invalid-request",
    false,
  ],
  [
    "FastAPI, wrong field",
    422,
    { detail: [{ loc: ["body", "messages"], msg: "field required" }] },
    "invalid-request",
    false,
  ],
  [
    "Groq, unreadable call",
    400,
    {
      error: {
        message: "Failed to call a function.",
        type: "invalid_request_error",
        code: "tool_use_failed",
      },
    },
    "invalid-request",
    true,
  ],
  [
    "OpenAI, failing",
    500,
    { error: { message: "The server had an error", type: "server_error", param: null, code: null } },
    "overloaded",
    true,
  ],
  [
    "Anthropic, overloaded",
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    "overloaded",
    true,
  ],
  [
    "a proxy, unavailable",
    503,
    "<html><head><title>503 Service Unavailable</title></head></html>",
    "overloaded",
    true,
  ],
  ["a proxy, bad gateway", 502, "", "overloaded", true],
  ["a conflict", 409, { message: "locked" }, "overloaded", true],
  ["a slow request", 408, { error: "took too long" }, "timeout", true],
  ["Ollama, unknown model", 404, { error: "model 'x' not found" }, "invalid-request", false],
  [
    "Google, in an array",
    429,
    [{ error: { code: 429, message: "Resource exhausted", status: "RESOURCE_EXHAUSTED" } }],
    "rate-limit",
    true,
  ],
  [
    "Anthropic in a stream, overloaded",
    undefined,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    "overloaded",
    true,
  ],
  [
    "OpenRouter in a stream, upstream",
    undefined,
    { error: { code: 502, message: "Provider returned error", metadata: { raw: "upstream is down" } } },
    "overloaded",
    true,
  ],
  [
    "Responses in a stream",
    undefined,
    { type: "error", code: "rate_limit_exceeded", message: "Slow down", param: null },
    "rate-limit",
    true,
  ],
  [
    "OpenAI in a stream, wrong request",
    undefined,
    { error: { type: "invalid_request_error", message: "Bad" } },
    "invalid-request",
    false,
  ],
  ["nothing said in a stream", undefined, { error: {} }, "overloaded", true],
];

test.each(failures)("%s", (_title, status, body, code, isRetryable) => {
  expect(errorOf(status, body)).toMatchObject({ code, isRetryable, provider: "acme", modelId: "m" });
});

describe("an error", () => {
  test("carries the provider's words, code, status and request id, and says what to do", () => {
    const body = { error: { message: "Incorrect API key provided.", code: "invalid_api_key", type: "x" } };
    expect(errorOf(401, body, { "x-request-id": "req_1" })).toMatchObject({
      message:
        "acme:m did not accept the key (401, invalid_api_key): Incorrect API key provided. Check the key, and that it may use this model.",
      status: 401,
      providerMessage: "Incorrect API key provided.",
      providerCode: "invalid_api_key",
      requestId: "req_1",
      data: { status: 401, requestId: "req_1", providerCode: "invalid_api_key" },
    });
    expect(errorOf(500, "", { "request-id": "req_2" })).toMatchObject({
      requestId: "req_2",
      message: "acme:m is overloaded or failing (500).",
    });
  });

  test.each<[place: string, body: unknown, words: string]>([
    ["the message of its error", { error: { message: "a" } }, "a"],
    ["its error", { error: "b" }, "b"],
    ["its message", { message: "c" }, "c"],
    ["its detail", { detail: "d" }, "d"],
    ["a list of details", { detail: [{ msg: "e" }] }, '[{"msg":"e"}]'],
    ["plain text", "plain text", "plain text"],
    ["the title of a page", "<html><title>502 Bad Gateway</title></html>", 'an HTML page, "502 Bad Gateway"'],
    ["a page of 60,000 openings of a title", `<html>${"<title".repeat(60_000)}`, "an HTML page"],
    ["its metadata as well", { error: { message: "f", metadata: { raw: "why" } } }, "f why"],
  ])("finds the provider's words in %s", (_place, body, words) => {
    expect(errorOf(500, body)).toMatchObject({ providerMessage: words });
  });

  test("is bounded, however much the provider says", () => {
    expect(errorOf(500, { message: "x".repeat(100_000) }).message.length).toBeLessThan(2200);
  });

  test("is retryable or not as the provider says", () => {
    expect(errorOf(400, {}, { "x-should-retry": "true" })).toMatchObject({ isRetryable: true });
    expect(errorOf(500, {}, { "x-should-retry": "false" })).toMatchObject({ isRetryable: false });
  });

  test("masks what its redactor masks in the message and the code", () => {
    const error = providerError({
      provider: "acme",
      modelId: "m",
      status: 401,
      body: { error: { message: "no secret here", code: "secret" } },
      redact: (text) => text.replaceAll("secret", "***"),
    });
    expect(JSON.stringify([error.message, error.data])).not.toContain("secret");
  });
});

describe("retry-after", () => {
  test.each([
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "in 5 minutes" }, undefined],
    [{}, undefined],
  ])("is read from %j", (headers, expected) => {
    expect(retryAfterOf(headers)).toBe(expected);
  });

  test("is the time until a date", () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const wait = retryAfterOf({ "retry-after": inAnHour });
    expect(wait).toBeGreaterThan(3_500_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
  });

  test("stands on the error", () => {
    expect(errorOf(429, {}, { "retry-after": "3" })).toMatchObject({ retryAfter: 3000 });
  });
});

test("a body with both a code and a type is read by both, and shows the code", () => {
  const quota = { error: { message: "No.", type: "insufficient_quota", code: "e_17" } };
  expect(errorOf(429, quota)).toMatchObject({ code: "rate-limit", isRetryable: false, providerCode: "e_17" });
  const context = {
    error: { message: "No.", type: "invalid_request_error", code: "context_length_exceeded" },
  };
  expect(errorOf(400, context)).toMatchObject({
    code: "context-length",
    providerCode: "context_length_exceeded",
  });
  const vague = { error: { message: "No.", type: "overloaded_error", code: "error" } };
  expect(errorOf(undefined, vague)).toMatchObject({ code: "overloaded", providerCode: "overloaded_error" });
});
