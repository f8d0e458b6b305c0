import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { drain } from "./drain.ts";

afterEach(() => void vi.useRealTimers());

const ignore = (): void => {};

function* count(steps: number): Generator<number> {
  for (let step = 1; step <= steps; step++) yield step;
}

test("a generator of a call that is over is not begun", async () => {
  const steps: unknown[] = [];
  const generator = (function* () {
    yield steps.push("begun");
  })();
  expect(await drain(generator, { signal: AbortSignal.abort(), progress: ignore })).toBeUndefined();
  expect(steps).toEqual([]);
});

test("each yield is progress, once, and the listener is gone at the end", async () => {
  const progress: unknown[] = [];
  const { signal } = new AbortController();
  const report = (value: unknown): void => void progress.push(value);
  expect(await drain(count(3), { signal, progress: report })).toBe(3);
  expect(progress).toEqual([1, 2, 3]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("quick steps do not wait for timers, and after 256 of them timers get their turn", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  const { signal } = new AbortController();
  expect(await drain(count(255), { signal, progress: ignore })).toBe(255);
  expect(vi.getTimerCount()).toBe(0);
  let last: unknown;
  const long = drain(count(300), { signal, progress: (value) => (last = value) });
  await setImmediate();
  expect([last, vi.getTimerCount()]).toEqual([256, 1]);
  await vi.runAllTimersAsync();
  expect(await long).toBe(300);
});

test("timers get their turn after ten milliseconds of steps", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  const { signal } = new AbortController();
  const seen: unknown[] = [];
  const slow = drain(count(4), {
    signal,
    progress: (value) => {
      seen.push(value);
      vi.advanceTimersByTime(5);
    },
  });
  await setImmediate();
  expect([seen, vi.getTimerCount()]).toEqual([[1, 2], 1]);
  await vi.runAllTimersAsync();
  expect(await slow).toBe(4);
});
