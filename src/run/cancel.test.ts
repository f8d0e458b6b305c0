import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CancelScope, RunCancelled } from "./cancel.ts";

/** Has the engine free whatever nothing refers to. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

test("work that has ended, in whatever order, is let go of while the scope goes on", async () => {
  const scope = new CancelScope(undefined, undefined);
  const { promise, resolve } = Promise.withResolvers<object>();
  const begin = async (work: Promise<object>): Promise<WeakRef<object>> =>
    new WeakRef(Object(await scope.race(work)));
  const first = begin(promise);
  const others = await Promise.all([begin(Promise.resolve({})), begin(Promise.resolve({}))]);
  const failed = await begin(Promise.reject(new Error("no"))).catch(
    (error: unknown) => new WeakRef(Object(error)),
  );
  resolve({});
  const refs = [await first, ...others, failed];
  await setImmediate();
  collectGarbage();
  // The first promise is still here, and so is its value.
  expect(refs.map((ref) => ref.deref() === undefined)).toEqual([false, true, true, true]);
  expect(await promise).toBe(refs[0]?.deref());
});

test("a cancellation ends all work that is under way, and none that has ended", async () => {
  const scope = new CancelScope(undefined, undefined);
  const never = new Promise<never>(() => {});
  const works = [scope.race(never), scope.race(Promise.resolve("done")), scope.race(never)];
  const settled = Promise.allSettled(works.map((work) => Promise.resolve(work)));
  await setImmediate();
  scope.cancel("enough");
  expect(await settled).toEqual([
    { status: "rejected", reason: expect.any(RunCancelled) },
    { status: "fulfilled", value: "done" },
    { status: "rejected", reason: expect.any(RunCancelled) },
  ]);
});

describe("a timeout", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("ends the scope with a reason that says how long it was", async () => {
    const scope = new CancelScope(undefined, 1_000);
    const work = Promise.resolve(scope.race(new Promise<never>(() => {})));
    vi.advanceTimersByTime(999);
    expect(scope.isCancelled).toBe(false);
    vi.advanceTimersByTime(1);
    await expect(work).rejects.toThrow(RunCancelled);
    expect(scope.signal.reason).toMatchObject({
      name: "TimeoutError",
      message: "The run took longer than 1000 ms.",
    });
  });

  test("that no timer can hold never comes", () => {
    for (const timeout of [0x80000000, Infinity, undefined]) void new CancelScope(undefined, timeout);
    expect(vi.getTimerCount()).toBe(0);
    void new CancelScope(undefined, 0x7fffffff);
    expect(vi.getTimerCount()).toBe(1);
  });

  test("is let go of with the scope, and so is the caller's signal", () => {
    const { signal } = new AbortController();
    const scope = new CancelScope(signal, 1_000);
    expect([vi.getTimerCount(), getEventListeners(signal, "abort").length]).toEqual([1, 1]);
    expect(scope.isDisposed).toBe(false);
    scope.dispose();
    expect([vi.getTimerCount(), getEventListeners(signal, "abort").length]).toEqual([0, 0]);
    expect(scope.isDisposed).toBe(true);
  });
});

test("a caller's signal ends the scope with its own reason, also one that was aborted before", () => {
  const controller = new AbortController();
  const scope = new CancelScope(controller.signal, undefined);
  controller.abort("later");
  scope.cancel("once more");
  expect(scope.signal.reason).toBe("later");
  const aborted = AbortSignal.abort("before");
  expect(new CancelScope(aborted, undefined).signal.reason).toBe("before");
  expect(getEventListeners(aborted, "abort")).toEqual([]);
});

test("what is there already comes at once, unless the scope has ended", async () => {
  const scope = new CancelScope(undefined, undefined);
  expect(scope.race(7)).toBe(7);
  scope.cancel("enough");
  expect(() => scope.race(7)).toThrow(expect.objectContaining({ name: "RunCancelled", cause: "enough" }));
  await expect(scope.race(Promise.reject(new Error("no")))).rejects.toMatchObject({ cause: "enough" });
});
