import { expect, test } from "vitest";
import { executeToolCalls } from "skein";
import { HeldWork, workCalls, workTool, type WorkInput } from "./test-calls.ts";

const byGroup = ({ group = "" }: WorkInput): string => group;

test("calls of one key run one after the other in their order, others beside them", async () => {
  const work = new HeldWork();
  const calls = workCalls({ id: "a1", group: "a" }, { id: "a2", group: "a" }, { id: "b1", group: "b" });
  const results = executeToolCalls(calls, [workTool(work.execute, { serialize: byGroup })]);
  const b1 = await work.at(1);
  expect(work.ids).toEqual(["a1", "b1"]);
  (await work.at(0)).end("ok");
  (await work.at(2)).end("ok");
  b1.end("ok");
  await results;
  expect(work.ids).toEqual(["a1", "b1", "a2"]);
});

test("with true, all calls run one after the other, over all runs", async () => {
  const work = new HeldWork();
  const tool = workTool(work.execute, { serialize: true });
  const results = ["a", "b"].map(() => executeToolCalls(workCalls("x", "y"), [tool]));
  for (const index of [0, 1, 2, 3]) (await work.at(index)).end("ok");
  await Promise.all(results);
  expect(work.most).toBe(1);
});

test("a failed call lets the next one go on, a cancelled one when its tool is done", async () => {
  const work = new HeldWork();
  const tool = workTool(work.execute, { serialize: byGroup });
  const controller = new AbortController();
  const failing = executeToolCalls(workCalls("failing"), [tool]);
  const running = executeToolCalls(workCalls("running"), [tool], { signal: controller.signal });
  const queued = executeToolCalls(workCalls("queued"), [tool], { signal: controller.signal });
  const last = executeToolCalls(workCalls("last"), [tool]);
  (await work.at(0)).fail(new Error("broken"));
  const cancelled = await work.at(1);
  controller.abort();
  expect(await running).toMatchObject([{ outcome: "cancelled" }]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(work.ids).toEqual(["failing", "running"]);
  cancelled.fail(new Error("rolled back"));
  (await work.at(2)).end("ok");
  expect([...(await failing), ...(await running), ...(await queued), ...(await last)]).toMatchObject([
    { outcome: "error" },
    { outcome: "cancelled" },
    { outcome: "cancelled" },
    { outcome: "success" },
  ]);
  expect(work.ids).toEqual(["failing", "running", "last"]);
});

test("time in the queue does not count against the timeout", async () => {
  const work = new HeldWork();
  const tool = workTool(work.execute, { serialize: true, timeout: 50 });
  const results = executeToolCalls(workCalls("hangs", "waits"), [tool]);
  (await work.at(1)).end("ok");
  expect(await results).toMatchObject([{ outcome: "timeout" }, { outcome: "success" }]);
});

test("a key function that throws, or gives no string, is an error of its own call alone", async () => {
  const serialize = ({ id }: WorkInput): string => {
    if (id === "throws") throw new Error("no such account");
    return id === "promise" ? (Promise.resolve("key") as unknown as string) : id;
  };
  const results = await executeToolCalls(workCalls("throws", "promise", "fine"), [
    workTool(() => "ok", { serialize }),
  ]);
  expect(results).toMatchObject([
    { outcome: "error", content: [{ text: "work failed: no such account" }] },
    { outcome: "error", content: [{ text: expect.stringContaining("must return a string, not a promise") }] },
    { outcome: "success" },
  ]);
});

test("a cancelled call whose tool does not end lets the next one go on at its deadline", async () => {
  const work = new HeldWork();
  const tool = workTool(work.execute, { serialize: byGroup, timeout: 40 });
  const controller = new AbortController();
  const running = executeToolCalls(workCalls("deaf"), [tool], { signal: controller.signal });
  const next = executeToolCalls(workCalls("next"), [tool]);
  await work.at(0);
  const startedAt = performance.now();
  controller.abort();
  expect(await running).toMatchObject([{ outcome: "cancelled" }]);
  (await work.at(1)).end("ok");
  expect(performance.now() - startedAt).toBeGreaterThan(20);
  expect(await next).toMatchObject([{ outcome: "success" }]);
});
