import { describe, expect, test } from "vitest";
import { rateLimitOf, UsageCounter } from "./answer.ts";

function usageOf(...usages: unknown[]): ReturnType<UsageCounter["total"]> {
  const counter = new UsageCounter();
  for (const usage of usages) counter.update(usage);
  return counter.total();
}

describe("usage", () => {
  test("input tokens include what was read from and written to the cache", () => {
    const start = {
      input_tokens: 20,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 3000,
      output_tokens: 1,
    };
    expect(usageOf(start, { output_tokens: 42 })).toEqual({
      inputTokens: 3120,
      outputTokens: 42,
      totalTokens: 3162,
      cachedInputTokens: 3000,
      cacheWriteTokens: 100,
    });
  });

  test("counts replace earlier ones and are never added", () => {
    const usage = usageOf(
      { input_tokens: 699, output_tokens: 1 },
      { input_tokens: 1630, output_tokens: 90 },
      { output_tokens: 158 },
    );
    expect(usage).toEqual({ inputTokens: 1630, outputTokens: 158, totalTokens: 1788 });
  });

  test("a later zero or null does not replace a count", () => {
    const usage = usageOf({ input_tokens: 10, output_tokens: 5 }, { input_tokens: 0, output_tokens: null });
    expect(usage).toEqual({ inputTokens: 10, outputTokens: 5, totalTokens: 15 });
  });

  test("what was not reported is undefined, not NaN", () => {
    const unknown = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };
    expect(usageOf()).toEqual(unknown);
    expect(usageOf(undefined, null, "x", { input_tokens: "7", output_tokens: Number.NaN })).toEqual(unknown);
    expect(usageOf({ output_tokens: 3 })).toEqual({ ...unknown, outputTokens: 3 });
  });

  test("searches of the web are counted, if there were any", () => {
    const searched = (count: number): object => ({ server_tool_use: { web_search_requests: count } });
    expect(usageOf({ input_tokens: 1, ...searched(0) }, { output_tokens: 2, ...searched(3) })).toMatchObject({
      webSearches: 3,
    });
    expect(usageOf({ input_tokens: 1, output_tokens: 2, ...searched(0) })).not.toHaveProperty("webSearches");
  });

  test("thinking tokens are counted separately", () => {
    expect(
      usageOf({ input_tokens: 1, output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } }),
    ).toMatchObject({
      reasoningTokens: 4,
    });
  });
});

describe("rate limits", () => {
  const now = Date.parse("2026-05-01T12:00:00Z");

  test("reset times become milliseconds from now", () => {
    const headers = {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "49",
      "anthropic-ratelimit-requests-reset": "2026-05-01T12:00:01Z",
      "anthropic-ratelimit-tokens-limit": "400000",
      "anthropic-ratelimit-tokens-remaining": "399000",
      "anthropic-ratelimit-tokens-reset": "2026-05-01T11:59:59Z",
      "retry-after": "7",
    };
    expect(rateLimitOf(headers, now)).toEqual({
      limitRequests: 50,
      remainingRequests: 49,
      resetRequests: 1000,
      limitTokens: 400_000,
      remainingTokens: 399_000,
      resetTokens: 0,
      retryAfter: 7000,
    });
  });

  test("without a limit for all tokens, the limit for input tokens is reported", () => {
    const headers = {
      "anthropic-ratelimit-input-tokens-limit": "30000",
      "anthropic-ratelimit-input-tokens-remaining": "12",
    };
    expect(rateLimitOf(headers, now)).toEqual({ limitTokens: 30_000, remainingTokens: 12 });
  });

  test("missing or unreadable headers give no rate limit", () => {
    expect(rateLimitOf({}, now)).toBeUndefined();
    expect(rateLimitOf({ "anthropic-ratelimit-requests-limit": "many" }, now)).toBeUndefined();
  });
});
