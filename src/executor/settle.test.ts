import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LazySignal, settle } from "./settle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What a wait comes to, once `act` has been done while it lasts; nothing may be left of it. */
async function waitFor(
  work: PromiseLike<unknown>,
  {
    timeout = 1_000,
    act = () => {},
  }: { timeout?: number; act?: (controller: AbortController) => unknown } = {},
) {
  const parent = new AbortController();
  const signal = new LazySignal();
  const settlement = settle(work, signal, timeout, parent.signal);
  await vi.advanceTimersByTimeAsync(0);
  const timers = vi.getTimerCount();
  await act(parent);
  const settled = await settlement;
  expect([vi.getTimerCount(), getEventListeners(parent.signal, "abort")]).toEqual([0, []]);
  return { settled, signal, timers };
}

test("work that ends in time is its value or its error, and its signal stays as it is", async () => {
  const slow = (end: () => Promise<unknown>) =>
    new Promise<void>((resolve) => setTimeout(resolve, 500)).then(end);
  const act = () => vi.advanceTimersByTimeAsync(500);
  const value = await waitFor(
    slow(async () => 7),
    { act },
  );
  expect([value.settled, value.signal.aborted]).toEqual([{ kind: "value", value: 7 }, false]);
  const error = new Error("no");
  const failed = await waitFor(
    slow(() => Promise.reject(error)),
    { act },
  );
  expect([failed.settled, failed.signal.signal.aborted]).toEqual([{ kind: "error", error }, false]);
});

test("work that has ended at once is not timed", async () => {
  const { settled, timers } = await waitFor(Promise.resolve("now"));
  expect([settled, timers]).toEqual([{ kind: "value", value: "now" }, 0]);
});

test("at the deadline the signal is aborted with a TimeoutError that says how long it was", async () => {
  const act = () => vi.advanceTimersByTimeAsync(1_000);
  const { settled, signal } = await waitFor(new Promise(() => {}), { act });
  expect(settled).toEqual({ kind: "timeout" });
  expect(signal.aborted).toBe(true);
  expect(signal.signal.reason).toMatchObject({
    name: "TimeoutError",
    message: "The tool took longer than 1000 ms.",
  });
});

test("a cancellation aborts the signal with its own reason, also one that is read before", async () => {
  const reason = new Error("enough");
  const { settled, signal } = await waitFor(new Promise(() => {}), { act: (parent) => parent.abort(reason) });
  expect([settled, signal.signal.reason]).toEqual([{ kind: "cancelled" }, reason]);
  const parent = new AbortController();
  const early = new LazySignal();
  const listened = early.signal;
  const settlement = settle(new Promise(() => {}), early, 1_000, parent.signal);
  parent.abort(reason);
  expect([await settlement, listened.reason, vi.getTimerCount()]).toEqual([{ kind: "cancelled" }, reason, 0]);
});

test("a deadline that no timer can hold never comes", async () => {
  const longest = 2 ** 31 - 1;
  for (const [timeout, count] of [
    [longest, 1],
    [longest + 1, 0],
    [Number.POSITIVE_INFINITY, 0],
  ] as const) {
    const { timers } = await waitFor(new Promise(() => {}), { timeout, act: (parent) => parent.abort() });
    expect(timers).toBe(count);
  }
});
