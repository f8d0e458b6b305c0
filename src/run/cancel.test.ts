import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
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
