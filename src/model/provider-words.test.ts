import { describe, expect, test } from "vitest";
import type { ModelError } from "../errors.ts";
import { isHtml, providerError, requestIdOf, retryAfterOf } from "./http-errors.ts";

const redact = (text: string): string => text.replaceAll("hunter2", "***");

function errorOf(
  status: number | undefined,
  body: unknown,
  headers: Record<string, string> = {},
): ModelError {
  return providerError({ provider: "acme", modelId: "m", status, headers, body, redact });
}

test.each<[number, string, boolean]>([
  [400, "invalid-request", false],
  [401, "authentication", false],
  [402, "rate-limit", false],
  [403, "authentication", false],
  [404, "invalid-request", false],
  [408, "timeout", true],
  [409, "overloaded", true],
  [413, "context-length", false],
  [425, "overloaded", true],
  [429, "rate-limit", true],
  [498, "overloaded", true],
  [499, "invalid-request", false],
  [500, "overloaded", true],
  [599, "overloaded", true],
])("a status %i without words is %s", (status, code, isRetryable) => {
  expect(errorOf(status, "")).toMatchObject({ code, isRetryable, status });
});

test.each<[string, string]>([
  ["context_length_exceeded", "context-length"],
  ["exceed_context_size_error", "context-length"],
  ["max_prompt_tokens_exceeded", "context-length"],
  ["request_too_large", "context-length"],
  ["content_filter", "content-filter"],
  ["content_policy_violation", "content-filter"],
  ["ResponsibleAIPolicyViolation", "content-filter"],
  ["moderation_blocked", "content-filter"],
  ["SAFETY", "content-filter"],
  ["insufficient_quota", "rate-limit"],
  ["billing_hard_limit_reached", "rate-limit"],
  ["insufficient_credits", "rate-limit"],
  ["insufficient_balance", "rate-limit"],
  ["tool_use_failed", "invalid-request"],
  ["invalid_api_key", "authentication"],
  ["authentication_error", "authentication"],
  ["PERMISSION_DENIED", "authentication"],
  ["UNAUTHENTICATED", "authentication"],
  ["unauthorized", "authentication"],
  ["rate_limit_exceeded", "rate-limit"],
  ["ratelimited", "rate-limit"],
  ["too_many_requests", "rate-limit"],
  ["RESOURCE_EXHAUSTED", "rate-limit"],
  ["tokens_exceeded", "rate-limit"],
  ["timeout_error", "timeout"],
  ["DEADLINE_EXCEEDED", "timeout"],
  ["overloaded_error", "overloaded"],
  ["UNAVAILABLE", "overloaded"],
  ["server_error", "overloaded"],
  ["api_error", "overloaded"],
  ["INTERNAL", "overloaded"],
  ["invalid_request_error", "invalid-request"],
  ["model_not_found", "invalid-request"],
  ["unsupported_parameter", "invalid-request"],
])("the code %s, or such a type, says that the failure is %s", (word, code) => {
  expect(errorOf(undefined, { error: { code: word } })).toMatchObject({ code, providerCode: word });
  expect(errorOf(undefined, { error: { type: word } })).toMatchObject({ code, providerCode: word });
});

test.each<[string, string]>([
  ["The context length is 8.", "context-length"],
  ["It exceeds the context window.", "context-length"],
  ["It exceeds the Context Size.", "context-length"],
  ["Prompt is too long.", "context-length"],
  ["Input is too long for this model.", "context-length"],
  ["Too many input tokens.", "context-length"],
  ["Reduce the length of your prompt.", "context-length"],
  ["Please reduce the length of the input.", "context-length"],
  ["It violates the content policy.", "content-filter"],
  ["By Azure's content management policy.", "content-filter"],
  ["Caught by the content filter.", "content-filter"],
  ["Your input was flagged.", "content-filter"],
  ["It is against our usage policy.", "content-filter"],
  ["Your credit balance is too low.", "rate-limit"],
  ["You exceeded your current quota.", "rate-limit"],
  ["You exceeded your monthly included credits.", "rate-limit"],
  ["Insufficient balance.", "rate-limit"],
  ["The team has used all available credits.", "rate-limit"],
  ["Invalid API key.", "authentication"],
  ["Incorrect API key provided.", "authentication"],
  ["API key not valid.", "authentication"],
  ["API key expired.", "authentication"],
  ["Something else.", "invalid-request"],
])("where the code is a general one, the words %j count", (message, code) => {
  expect(errorOf(400, { error: { message, code: "invalid_request_error" } })).toMatchObject({ code });
});

describe("of a code, a message and a status", () => {
  const quota = "You exceeded your current quota.";

  test("the code counts most, unless it is a vague one", () => {
    expect(errorOf(500, { error: { message: "Prompt is too long.", code: "timeout" } }).code).toBe("timeout");
    expect(errorOf(500, { error: { message: "Prompt is too long.", code: "internal" } }).code).toBe(
      "context-length",
    );
    expect(errorOf(429, { error: { message: "No.", code: "invalid" } }).code).toBe("rate-limit");
  });

  test("a message does not change what 401 and 404 say", () => {
    expect(errorOf(401, { error: { message: "The prompt is too long." } }).code).toBe("authentication");
    expect(errorOf(404, { error: { message: "The prompt is too long." } }).code).toBe("invalid-request");
  });

  test("a limit that will be the same next time is not retried, one that says when is", () => {
    const body = { message: quota, status: "RESOURCE_EXHAUSTED" };
    expect(errorOf(429, { error: body })).toMatchObject({ code: "rate-limit", isRetryable: false });
    const details = [{ retryDelay: "7s" }];
    expect(errorOf(429, { error: { ...body, details } })).toMatchObject({
      isRetryable: true,
      retryAfter: 7000,
    });
  });

  test("a status in the body counts where there is no other", () => {
    expect(errorOf(undefined, { error: { code: 429 } })).toMatchObject({ code: "rate-limit", status: 429 });
    expect(errorOf(undefined, { error: { status: 403 } })).toMatchObject({
      code: "authentication",
      status: 403,
    });
    expect(errorOf(undefined, { error: { code: 400 } })).toMatchObject({
      code: "invalid-request",
      status: 400,
    });
    expect(errorOf(500, { error: { code: 429 } })).toMatchObject({ code: "overloaded", status: 500 });
    for (const code of [399, 600, 1])
      expect(errorOf(undefined, { error: { code } })).toMatchObject({
        code: "overloaded",
        status: undefined,
      });
  });
});

describe("how long to wait, as google.rpc.RetryInfo has it,", () => {
  const waitOf = (details: unknown): number | undefined => errorOf(429, { error: { details } }).retryAfter;

  test("is a number of seconds, with a fraction or without", () => {
    expect(waitOf([{ "@type": "Help" }, { retryDelay: "12s" }, { retryDelay: "9s" }])).toBe(12_000);
    expect(waitOf([null, "x", { retryDelay: 3 }, { retryDelay: "0.25s" }])).toBe(250);
  });

  test.each(["in 5s", "5s.", "5", "s", ".5s", "5.s", "-5s", "5.xs", ""])(
    "is not known from %j",
    (retryDelay) => {
      expect(waitOf([{ retryDelay }])).toBeUndefined();
    },
  );

  test("is not known where there is none, or where the quota of a day is spent", () => {
    expect(waitOf(undefined)).toBeUndefined();
    expect(waitOf({ retryDelay: "5s" })).toBeUndefined();
    expect(
      waitOf([{ retryDelay: "5s" }, { violations: [{ quotaId: "RequestsPerDayPerModel" }] }]),
    ).toBeUndefined();
    expect(waitOf([{ retryDelay: "5s" }, { violations: [{ quotaId: "PerMinute" }] }])).toBe(5000);
    expect(waitOf([{ retryDelay: "5s" }, { quotaId: "x" }, { words: "PerDay" }])).toBe(5000);
  });

  test("stands behind what a header says", () => {
    const body = { error: { details: [{ retryDelay: "5s" }] } };
    expect(errorOf(429, body, { "retry-after": "2" }).retryAfter).toBe(2000);
    expect(errorOf(429, body, { "retry-after": "0" }).retryAfter).toBe(0);
  });
});

describe("the words of a provider", () => {
  const wordsOf = (body: unknown): string | undefined => errorOf(400, body).providerMessage;

  test.each<[string, unknown, string | undefined]>([
    ["none in nothing", "", undefined],
    ["none in blanks", "  \n", undefined],
    ["none in what is neither an object nor a text", 7, undefined],
    ["none in an empty list", [], undefined],
    ["none where the detail is null", { detail: null }, undefined],
    ["none where the message is null", { message: null }, undefined],
    ["text without the blanks around it", " out of memory\n", "out of memory"],
    ["those of the error before the body's", { message: "outer", error: { message: "inner" } }, "inner"],
    ["those of the body where the error has none", { message: "outer", error: { code: "x" } }, "outer"],
    ["the body's detail", { detail: "outer", error: {} }, "outer"],
    ["the error's detail", { error: { detail: "inner" }, message: "outer" }, "inner"],
    ["an error that is text, before the message", { error: "short", message: "long" }, "short"],
    ["nothing of metadata without words", { error: { message: "no", metadata: { raw: 1 } } }, "no"],
    ["nothing of metadata that is none", { error: { message: "no", metadata: "x" } }, "no"],
    ["no metadata alone", { error: { metadata: { raw: "why" } } }, undefined],
    ["a page without a title", "<html><body>Hi</body></html>", "an HTML page"],
    ["a page with an empty title", "<html><title></title></html>", "an HTML page"],
    [
      "a page's title, without blanks",
      ' <!DOCTYPE HTML><title lang="en"> Log in </title>',
      'an HTML page, "Log in"',
    ],
  ])("are %s", (_, body, words) => {
    expect(wordsOf(body)).toBe(words);
  });

  test("are shown up to 2,000 characters, without secrets", () => {
    expect(wordsOf({ message: "hunter2" + "x".repeat(3000) })).toBe("***" + "x".repeat(1997));
  });

  test("end the sentence of the error themselves, or a full stop is added", () => {
    const messageOf = (message: string): string => errorOf(400, { message }).message;
    for (const words of ["No.", "No!", "Why?"])
      expect(messageOf(words)).toBe(`acme:m refused the request (400): ${words}`);
    expect(messageOf("No")).toBe("acme:m refused the request (400): No.");
    expect(messageOf("No. Not")).toBe("acme:m refused the request (400): No. Not.");
    expect(errorOf(undefined, {}).message).toBe("acme:m is overloaded or failing.");
    expect(errorOf(undefined, { code: "x" }).message).toBe("acme:m is overloaded or failing (x).");
  });

  test("the code of an error that is a text is the body's", () => {
    expect(errorOf(400, { error: "no", code: "e_1", status: "s" })).toMatchObject({ providerCode: "e_1" });
    expect(errorOf(400, { error: { status: "FAILED" } })).toMatchObject({ providerCode: "FAILED" });
    expect(errorOf(400, { error: { code: 7 } })).toMatchObject({ providerCode: undefined });
  });
});

test("a page is distinguished from a text about one", () => {
  for (const page of ["<html>", '\n <HTML lang="en">', "<!doctype html>", "<!DOCTYPE HTML PUBLIC>"])
    expect(isHtml(page)).toBe(true);
  for (const text of ["", "see <html>", "x\n<!doctype html>", "<doctype html>", "<body>"])
    expect(isHtml(text)).toBe(false);
});

test("only a provider that says true or false decides itself whether its error may be retried", () => {
  expect(errorOf(500, "", { "x-should-retry": "perhaps" }).isRetryable).toBe(true);
  expect(errorOf(400, "", { "x-should-retry": "perhaps" }).isRetryable).toBe(false);
});

test("the id of a request is the first of two headers, at most 200 characters, without secrets", () => {
  expect(requestIdOf({})).toBeUndefined();
  expect(requestIdOf({ "x-request-id": "a", "request-id": "b" })).toBe("a");
  expect(requestIdOf({ "request-id": "b" })).toBe("b");
  expect(requestIdOf({ "request-id": `hunter2${"x".repeat(300)}` }, redact)).toBe(`***${"x".repeat(197)}`);
  expect(requestIdOf({ "request-id": "sk-abcdef123456" })).toBe("[redacted]");
});

test.each<[Record<string, string>, number | undefined]>([
  [{ "retry-after-ms": "soon", "retry-after": "3" }, 3000],
  [{ "retry-after-ms": "0", "retry-after": "3" }, 0],
  [{ "retry-after": " 3 " }, 3000],
  [{ "retry-after": "3s" }, undefined],
  [{ "retry-after": "x3" }, undefined],
  [{ "retry-after": "3." }, undefined],
  [{ "retry-after": "1.25" }, 1250],
  [{ "retry-after": "at 12:30" }, undefined],
  [{ "retry-after": "Wed, 21 Oct 2015" }, undefined],
])("the headers %j ask to wait %s milliseconds", (headers, wait) => {
  expect(retryAfterOf(headers)).toBe(wait);
});
