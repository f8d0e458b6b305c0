import { expect, test } from "vitest";
import { rateLimitOf } from "./rate-limit.ts";

test.each([
  ["6m0s", 360_000],
  ["17ms", 17],
  ["1h2m3.5s", 3_723_500],
  ["1d", 86_400_000],
  ["7.66", 7660],
  ["soon", undefined],
  ["5 apples", undefined],
])("a reset of %s is %s ms", (text, expected) => {
  expect(rateLimitOf({ "x-ratelimit-reset-tokens": text })?.resetTokens).toBe(expected);
});

test("is absent without headers for it", () => {
  expect(rateLimitOf({ "content-type": "text/plain", "x-ratelimit-limit-tokens": "many" })).toBeUndefined();
});

test("includes retry-after", () => {
  expect(rateLimitOf({ "retry-after": "2", "x-ratelimit-remaining": "0" })).toEqual({
    remainingRequests: 0,
    retryAfter: 2000,
  });
});
