import { expect, test, vi } from "vitest";
import { Semaphore } from "./semaphore.ts";

/** Work that says when it begins, and ends when it is told to. */
function held(
  log: string[],
  name: string,
): { readonly work: () => Promise<string>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async (): Promise<string> => {
    log.push(name);
    await promise;
    return name;
  };
  return { work, end: resolve };
}

test("as many as there are places run at once, the others in the order in which they came", async () => {
  const semaphore = new Semaphore(2);
  const log: string[] = [];
  const all = ["a", "b", "c", "d"].map((name) => held(log, name));
  const passed = all.map(({ work }) => semaphore.run(work));
  expect(log).toEqual(["a", "b"]);
  all[1]?.end();
  await passed[1];
  expect(log).toEqual(["a", "b", "c"]);
  all[0]?.end();
  await passed[0];
  expect(log).toEqual(["a", "b", "c", "d"]);
  for (const { end } of all) end();
  expect(await Promise.all(passed)).toEqual(["a", "b", "c", "d"]);
  expect(semaphore.isIdle).toBe(true);
});

test("a task that gives up does not hold up those behind it", async () => {
  const semaphore = new Semaphore(1);
  const log: string[] = [];
  const [first, second, third] = [held(log, "first"), held(log, "second"), held(log, "third")];
  const controller = new AbortController();
  const passed = semaphore.run(first.work);
  const waiting = semaphore.run(second.work, controller.signal);
  const last = semaphore.run(third.work);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  first.end();
  third.end();
  expect(await Promise.all([passed, last])).toEqual(["first", "third"]);
  expect(log).toEqual(["first", "third"]);
  expect(semaphore.isIdle).toBe(true);
});

test("what throws gives its place back", async () => {
  const semaphore = new Semaphore(1);
  await expect(
    semaphore.run(() => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(semaphore.isIdle).toBe(true);
  expect(await semaphore.run(() => "yes")).toBe("yes");
});

test("an aborted signal rejects, whether or not there is room", async () => {
  const semaphore = new Semaphore(1);
  const signal = AbortSignal.abort(new Error("late"));
  await expect(semaphore.run(() => "in", signal)).rejects.toThrow("late");
  const { work, end } = held([], "inside");
  const inside = semaphore.run(work);
  await expect(semaphore.run(() => "in", signal)).rejects.toThrow("late");
  end();
  await inside;
  expect(semaphore.isIdle).toBe(true);
});

test("a queue that was empty in between is served again", async () => {
  const semaphore = new Semaphore(1);
  for (const round of ["one", "two", "three"]) {
    const log: string[] = [];
    const [first, second] = [held(log, `${round} a`), held(log, `${round} b`)];
    const passed = [semaphore.run(first.work), semaphore.run(second.work)];
    first.end();
    second.end();
    await Promise.all(passed);
    expect(log).toEqual([`${round} a`, `${round} b`]);
  }
  expect(semaphore.isIdle).toBe(true);
});

test("a place is held for as long as work has more to do, and the last one that leaves is reported", async () => {
  const idle = vi.fn<() => void>();
  const semaphore = new Semaphore(1, idle);
  const rest = Promise.withResolvers<void>();
  const log: string[] = [];
  const first = semaphore.run(
    () => "done",
    undefined,
    () => rest.promise,
  );
  const second = held(log, "second");
  const passed = semaphore.run(second.work);
  expect(await first).toBe("done");
  expect(log).toEqual([]);
  rest.resolve();
  second.end();
  expect(await passed).toBe("second");
  expect([log, idle.mock.calls.length, semaphore.isIdle]).toEqual([["second"], 1, true]);
});
