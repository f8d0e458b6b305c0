import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { executeToolCalls } from "skein";
import { loadAll, workCalls, workTool } from "./test-calls.ts";

beforeAll(loadAll);
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A limited tool that notes at which millisecond each call begins. */
function notingTool(calls: number, per: number) {
  const start = performance.now();
  const starts: [string, number][] = [];
  const tool = workTool(({ id }) => void starts.push([id, performance.now() - start]), {
    rateLimit: { calls, per },
  });
  return { tool, starts };
}

test("as many calls as allowed begin in any stretch of time, the others later and in their order", async () => {
  const { tool, starts } = notingTool(2, 1_000);
  const first = executeToolCalls(workCalls("a"), [tool]);
  await vi.advanceTimersByTimeAsync(600);
  const rest = executeToolCalls(workCalls("b", "c", "d", "e"), [tool]);
  await vi.advanceTimersByTimeAsync(2_000);
  await Promise.all([first, rest]);
  expect(starts).toEqual([
    ["a", 0],
    ["b", 600],
    ["c", 1_000],
    ["d", 1_600],
    ["e", 2_000],
  ]);
});

test("a call that is cancelled while it waits takes no place from those behind it", async () => {
  const { tool, starts } = notingTool(1, 1_000);
  const controller = new AbortController();
  const first = executeToolCalls(workCalls("first"), [tool]);
  await vi.advanceTimersByTimeAsync(0);
  const waiting = executeToolCalls(workCalls("next", "after"), [tool], { signal: controller.signal });
  const last = executeToolCalls(workCalls("last"), [tool]);
  await vi.advanceTimersByTimeAsync(500);
  controller.abort();
  expect(await waiting).toMatchObject([{ outcome: "cancelled" }, { outcome: "cancelled" }]);
  await vi.advanceTimersByTimeAsync(500);
  expect(await last).toMatchObject([{ outcome: "success" }]);
  await first;
  expect(starts).toEqual([
    ["first", 0],
    ["last", 1_000],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test("waits beyond what a timer can hold are waited for", async () => {
  const month = 30 * 24 * 60 * 60 * 1_000;
  const { tool, starts } = notingTool(1, month);
  const results = executeToolCalls(workCalls("a", "b"), [tool]);
  await vi.advanceTimersByTimeAsync(month - 1);
  expect(starts).toEqual([["a", 0]]);
  await vi.advanceTimersByTimeAsync(1);
  await results;
  expect(starts[1]).toEqual(["b", month]);
});
