import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sleep } from "./sleep.ts";
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

test("so does sleep, which leaves no timer behind where it is aborted", async () => {
  const stop = new AbortController();
  const call = vi.fn<() => void>();
  void sleep(5_000_000_000).then(call);
  const aborted = sleep(5_000_000_000, stop.signal);
  await vi.advanceTimersByTimeAsync(4_999_999_999);
  expect(call).not.toHaveBeenCalled();
  stop.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(1);
  expect([call.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
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
