import { expect, test } from "vitest";
import { addUsage, cachedInputShare, noUsage } from "./usage.ts";

const whole = {
  inputTokens: 1,
  outputTokens: 2,
  totalTokens: 3,
  cachedInputTokens: 4,
  cacheWriteTokens: 5,
  reasoningTokens: 6,
};

test("each figure is added to its own", () => {
  expect(addUsage(whole, { ...whole, inputTokens: 10, cacheWriteTokens: 20, reasoningTokens: 30 })).toEqual({
    inputTokens: 11,
    outputTokens: 4,
    totalTokens: 6,
    cachedInputTokens: 8,
    cacheWriteTokens: 25,
    reasoningTokens: 36,
  });
});

test("a figure that only one of them has is that one's", () => {
  expect(addUsage(whole, noUsage)).toStrictEqual(whole);
  expect(addUsage(noUsage, whole)).toStrictEqual(whole);
});

test("what neither of them has stays unknown, and what is part of another figure is left out", () => {
  expect(addUsage(noUsage, noUsage)).toStrictEqual(noUsage);
});

test("the share of cached tokens is between 0 and 1, and unknown without the figures", () => {
  expect(cachedInputShare({ ...whole, inputTokens: 10, cachedInputTokens: 9 })).toBe(0.9);
  expect(cachedInputShare({ ...whole, inputTokens: 10, cachedInputTokens: 0 })).toBe(0);
  expect(cachedInputShare({ ...whole, inputTokens: 10, cachedInputTokens: 11 })).toBe(1);
  expect(cachedInputShare({ ...whole, inputTokens: 0, cachedInputTokens: 0 })).toBeUndefined();
  expect(cachedInputShare(noUsage)).toBeUndefined();
});
