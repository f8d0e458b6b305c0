/** Runs that wait for days: for a person who decides, or does not. */
import { afterEach, expect, test, vi } from "vitest";
import { Agent, tool } from "skein";
import { runs, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { approve, clerk, echo, order } from "./agents.ts";
import { all, newFile, testRuns, until } from "./test-runs.ts";

afterEach(() => {
  vi.useRealTimers();
});

const day = 86_400_000;

const scanning = new FunctionModel(({ messages }) =>
  messages.length === 1 ? { toolCalls: [{ toolName: "scan", arguments: { order: 7 } }] } : "Scanned.",
);

/** Lets the clock go on. */
function pass(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

test("a decision nine days later is carried out by a process that never had the run", async () => {
  const file = newFile();
  const refund = vi.fn<() => string>(() => "refunded");
  const agent = clerk(refund, { approval: true });
  const first = testRuns(file, { agents: [agent] });
  void first.work();
  await (await first.start(agent, "Refund it", { id: "r" })).result();
  await first.close();
  pass(9 * day);
  const second = testRuns(file, { agents: [agent] });
  await approve(second.get("r"));
  void second.work();
  expect(await second.get("r").result()).toMatchObject({ status: "completed", text: "It is done." });
  expect(refund).toHaveBeenCalledTimes(1);
});

test("after the approvalTimeout a call is denied, the model reads why, and a late decision is refused", async () => {
  const file = newFile();
  const refund = vi.fn<() => string>(() => "refunded");
  const agent = clerk(refund, { approval: true });
  const app = testRuns(file, { agents: [agent], approvalTimeout: 2 * day });
  void app.work();
  const run = await app.start(agent, "Refund it", { id: "r" });
  const { pending } = await run.result();
  pass(day);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(await run.state()).toMatchObject({ status: "paused" });
  pass(day + 1_000);
  await until(async () => (await run.state()).status === "completed");
  expect(refund).not.toHaveBeenCalled();
  expect(JSON.stringify((await run.state()).messages)).toContain("No person decided on it in time.");
  const decision = { approvalId: pending[0]?.approvalId ?? "", decision: "approve" } as const;
  await expect(run.decide([decision])).rejects.toMatchObject({ code: "run-ended" });
});

test("a run whose time is a week from now begins then", async () => {
  const agent = clerk(() => "refunded");
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Refund it", { at: Date.now() + 7 * day });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await run.state()).toMatchObject({ status: "queued", attempts: 0 });
  pass(7 * day);
  await until(async () => (await run.state()).status === "completed");
});

test("a result is refused for a call that is under way: its tool has its own", async () => {
  const release = Promise.withResolvers<void>();
  const agent = clerk(() => release.promise.then(() => "refunded"));
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Refund it");
  await until(async () => (await run.state()).messages.length === 2);
  expect(await run.state()).toMatchObject({ status: "running", pending: [] });
  await expect(run.resolve("call_1", "bogus")).rejects.toThrow('No call "call_1" waits for a result');
  release.resolve();
  await run.result();
  expect(JSON.stringify((await run.state()).messages)).not.toContain("bogus");
});

test("a reader may follow a run over its pauses to its end", async () => {
  const agent = clerk(() => "refunded", { approval: true });
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Refund it");
  const events = all(run.events({ until: "end" }));
  const result = run.result({ until: "end" });
  await run.result();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await approve(run);
  expect(await result).toMatchObject({ status: "completed" });
  const ends = (await events).flatMap((event) => (event.type === "run-end" ? [event.status] : []));
  expect(ends).toEqual(["paused", "completed"]);
});

test("cancel() says whether it ended the run, why is kept, and readers receive the end of one that had paused", async () => {
  const agent = clerk(() => "refunded", { approval: true });
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Refund it");
  const events = all(run.events({ until: "end" }));
  await run.result();
  expect(await run.cancel("The customer left.")).toBe(true);
  expect(await run.cancel("Again.")).toBe(false);
  expect(await run.state()).toMatchObject({ status: "cancelled", cancelReason: "The customer left." });
  expect((await events).at(-1)).toMatchObject({ type: "run-end", status: "cancelled" });
});

test("a run says which one of its conversation it waits for, and what it was started with", async () => {
  const app = testRuns(newFile(), { agents: [echo] });
  for (const id of ["a", "b", "c"]) await app.start(echo, `I am ${id}`, { id, session: "ann" });
  expect(await app.get("c").state()).toMatchObject({
    status: "queued",
    waitsFor: "b",
    input: [{ role: "user", content: "I am c" }],
  });
  expect(await app.get("a").state()).not.toHaveProperty("waitsFor");
});

test("a program without agents decides, and executes nothing", async () => {
  const file = newFile();
  const agent = clerk(() => "refunded", { approval: true });
  const worker = testRuns(file, { agents: [agent] });
  void worker.work();
  await (await worker.start(agent, "Refund it", { id: "r" })).result();
  const desk = testRuns(file, { agents: [] });
  await approve(desk.get("r"));
  expect(await desk.get("r").result()).toMatchObject({ status: "completed" });
});

test("nothing is started after close()", async () => {
  const app = runs({ agents: [echo], store: sqliteStore(newFile()) });
  await app.close();
  await expect(app.start(echo, "Hello")).rejects.toMatchObject({ code: "closed" });
  expect(() => app.work()).toThrow("after close()");
});

test("a call that waits for a result is listed with its input, beside one that waits for a person", async () => {
  const scan = tool({ name: "scan", input: order });
  const agent = clerk(() => "refunded", { approval: true }).with({ tools: [scan] });
  const app = testRuns(newFile(), { agents: [agent.with({ name: "Scanner", model: scanning })] });
  void app.work();
  const run = await app.start("Scanner", "Scan it");
  const { pending } = await run.result();
  expect(pending).toMatchObject([{ toolName: "scan", input: { order: 7 } }]);
  await run.resolve(pending[0]?.toolCallId ?? "", "scanned");
  expect((await run.state()).pending).toEqual([]);
});

test("a run that failed is not done again once a later one has gone on in its conversation", async () => {
  const refund = vi.fn<() => string>(() => "refunded");
  const agent = clerk(refund);
  const app = testRuns(newFile(), { agents: [agent, echo], runOptions: { maxTurns: 1 } });
  void app.work();
  const first = await app.start(agent, "Refund it", { session: "ann" });
  expect(await first.result()).toMatchObject({ status: "failed", ended: "max-turns" });
  await (await app.start(echo, "And now?", { session: "ann" })).result();
  await expect(first.retry()).rejects.toMatchObject({
    code: "run-ended",
    message: expect.stringContaining("another run has gone on in its conversation"),
  });
  expect(await first.state()).toMatchObject({ status: "failed" });
  expect(refund).toHaveBeenCalledTimes(1);
});

test("a run that has paused keeps its call, though an earlier one of its conversation is to be tried again", async () => {
  const refund = vi.fn<() => string>(() => "refunded");
  const failing = new Agent({
    name: "Failing",
    model: new FunctionModel(() => {
      throw new Error("The provider is down.");
    }),
  });
  const agent = clerk(refund, { approval: true });
  const app = testRuns(newFile(), { agents: [agent, failing] });
  void app.work();
  const first = await app.start(failing, "Hello", { session: "ann" });
  await first.result();
  const second = await app.start(agent, "Refund it", { session: "ann" });
  await second.result();
  await expect(first.retry()).rejects.toMatchObject({ code: "run-ended" });
  await approve(second);
  expect(await second.result()).toMatchObject({ status: "completed" });
  expect(refund).toHaveBeenCalledTimes(1);
});
