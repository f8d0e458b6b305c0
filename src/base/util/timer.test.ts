import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTimer } from "./timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("it waits for longer than the platform's timers can", () => {
  const call = vi.fn<() => void>();
  startTimer(call, 5_000_000_000);
  vi.advanceTimersByTime(4_999_999_999);
  expect(call).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(call).toHaveBeenCalledTimes(1);
});

test("Infinity is never, and leaves no timer behind", () => {
  startTimer(() => {}, Number.POSITIVE_INFINITY);
  expect(vi.getTimerCount()).toBe(0);
});

test("it ends wherever it is", () => {
  const call = vi.fn<() => void>();
  const stop = startTimer(call, 5_000_000_000);
  vi.advanceTimersByTime(3_000_000_000);
  stop();
  vi.advanceTimersByTime(3_000_000_000);
  expect(call).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
