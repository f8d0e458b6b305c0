import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Watch } from "./watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = expect.objectContaining({ name: "ModelTimeoutError", code: "timeout" });
const watchOf = (timeout: number, caller?: AbortSignal): Watch =>
  new Watch(caller, timeout, { provider: "p", modelId: "m" });

test("the time of a wait counts, and no other", () => {
  const watch = watchOf(1_000);
  watch.begin();
  vi.advanceTimersByTime(600);
  watch.pause();
  vi.advanceTimersByTime(10_000);
  watch.begin();
  vi.advanceTimersByTime(399);
  expect(watch.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watch.signal.reason).toEqual(late);
});

test("a pause that lasts beyond the timer does not lose what was waited before", () => {
  const watch = watchOf(1_000);
  watch.begin();
  vi.advanceTimersByTime(600);
  watch.pause();
  vi.advanceTimersByTime(200);
  watch.begin();
  vi.advanceTimersByTime(399);
  expect(watch.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watch.signal.aborted).toBe(true);
});

test("what comes of the answer begins another wait", () => {
  const watch = watchOf(1_000);
  watch.begin();
  for (let piece = 0; piece < 5; piece++) {
    vi.advanceTimersByTime(900);
    watch.begin();
    watch.restart();
  }
  vi.advanceTimersByTime(999);
  expect(watch.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watch.signal.aborted).toBe(true);
});

test("the end is waited for as long as its own limit", () => {
  const watch = watchOf(60_000);
  watch.begin();
  expect(watch.isEnding).toBe(false);
  watch.expectEnd(50);
  expect(watch.isEnding).toBe(true);
  watch.begin();
  vi.advanceTimersByTime(49);
  expect(watch.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watch.signal.reason).toEqual(late);
});

test("a wait beyond what a timer can hold is waited for", () => {
  const month = 30 * 24 * 60 * 60 * 1_000;
  const watch = watchOf(month);
  watch.begin();
  vi.advanceTimersByTime(month - 1);
  expect(watch.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watch.signal.aborted).toBe(true);
});

test("once the exchange is over, neither a timer nor a listener is left", () => {
  const caller = new AbortController();
  const watch = watchOf(1_000, caller.signal);
  watch.begin();
  watch.end();
  expect([vi.getTimerCount(), getEventListeners(caller.signal, "abort")]).toEqual([0, []]);
});

test("a race ends with the caller's reason, and what comes too late is discarded", async () => {
  const caller = new AbortController();
  const watch = watchOf(1_000, caller.signal);
  const { promise, resolve } = Promise.withResolvers<string>();
  const discarded: string[] = [];
  const race = watch.race(promise, (value) => discarded.push(value));
  const reason = new Error("enough");
  caller.abort(reason);
  await expect(race).rejects.toBe(reason);
  resolve("late");
  await promise;
  expect(discarded).toEqual(["late"]);
  expect(getEventListeners(watch.signal, "abort")).toEqual([]);
});

test("a race has the promise's value or its error, and leaves no listener behind", async () => {
  const watch = watchOf(1_000);
  const discard = vi.fn<(value: string) => void>();
  expect(await watch.race(Promise.resolve("value"), discard)).toBe("value");
  const error = new Error("refused");
  await expect(watch.race(Promise.reject(error), discard)).rejects.toBe(error);
  expect(discard).not.toHaveBeenCalled();
  expect(getEventListeners(watch.signal, "abort")).toEqual([]);
});

test("a race that a timeout ends has the error, and what fails too late is dropped", async () => {
  const watch = watchOf(1_000);
  const { promise, reject } = Promise.withResolvers<never>();
  watch.begin();
  const race = watch.race(promise, () => {}).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await race).toEqual(late);
  reject(new Error("late"));
  await vi.advanceTimersByTimeAsync(0);
});

test("the error names the model and the limit as it was set, also while only the end is to come", () => {
  for (const milliseconds of [undefined, 50]) {
    const watch = watchOf(1_000);
    if (milliseconds !== undefined) watch.expectEnd(milliseconds);
    watch.begin();
    vi.advanceTimersByTime(1_000);
    expect(watch.signal.reason).toMatchObject({
      provider: "p",
      modelId: "m",
      message: "p:m sent nothing of an answer for 1000 ms (settings.timeout).",
    });
  }
});

test("one timer serves a whole exchange, however often a wait begins", () => {
  const watch = watchOf(1_000);
  for (let count = 0; count < 3; count++) {
    watch.begin();
    watch.pause();
    expect(vi.getTimerCount()).toBe(1);
  }
  watch.expectEnd(50);
  expect(vi.getTimerCount()).toBe(0);
});

test("what comes between two waits is not waited for", () => {
  const watch = watchOf(1_000);
  watch.begin();
  vi.advanceTimersByTime(900);
  watch.pause();
  watch.restart();
  vi.advanceTimersByTime(5_000);
  expect(watch.signal.aborted).toBe(false);
  watch.begin();
  vi.advanceTimersByTime(999);
  expect(watch.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watch.signal.aborted).toBe(true);
});

test("no time at all is a millisecond", () => {
  const watch = watchOf(0);
  watch.begin();
  expect(watch.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watch.signal.aborted).toBe(true);
});
