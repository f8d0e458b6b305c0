/** Durable runs as a program uses them, on a real SQLite file. */
import { Agent, tool, type UserMessage } from "skein";
import { DurableRunError } from "skein/durable";
import { readSession, sqliteSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test, vi } from "vitest";
import { clerk, echo, textOf, order, approve } from "./agents.ts";
import { all, newFile, testRuns, until } from "./test-runs.ts";

test("a run is executed by the worker of another program that shares the file", async () => {
  const file = newFile();
  const web = testRuns(file, { agents: [echo] });
  const run = await web.start("Echo", "Hello", { id: "a" });
  expect(run).toMatchObject({ id: "a", isNew: true });
  expect(await run.state()).toMatchObject({ status: "queued", attempts: 0, messages: [] });
  void testRuns(file, { agents: [echo] }).work();
  expect(await run.result()).toMatchObject({
    status: "completed",
    ended: "completed",
    text: "You said: Hello",
  });
  expect((await web.get("a").state()).messages).toHaveLength(2);
});

test("parts of a wrong form are refused before anything is stored, whatever the model", async () => {
  const app = testRuns(newFile(), { agents: [echo] });
  const wrong: UserMessage = JSON.parse('{"role":"user","content":[{"type":"image","image":"x"}]}');
  await expect(app.start(echo, [wrong], { id: "a" })).rejects.toThrow('Did you mean "url"?');
  expect(await app.list()).toEqual([]);
  const run = await app.start(echo, "Hello", { id: "a" });
  await expect(run.steer(wrong)).rejects.toMatchObject({ code: "invalid-input" });
  expect(await run.state()).toMatchObject({ unread: [] });
});

test("a run that pauses is decided on by a program that has never executed it", async () => {
  const file = newFile();
  const refund = vi.fn<() => string>(() => "refunded");
  const agent = clerk(refund, { approval: true });
  const first = testRuns(file, { agents: [agent] });
  void first.work();
  const paused = await (await first.start(agent, "Refund it", { id: "order-7" })).result();
  expect(paused).toMatchObject({ status: "paused", pending: [{ toolName: "refund", input: { order: 7 } }] });
  await first.close();
  const second = testRuns(file, { agents: [agent] });
  await approve(second.get("order-7"));
  expect(refund).not.toHaveBeenCalled();
  void second.work();
  expect(await second.get("order-7").result()).toMatchObject({ status: "completed", text: "It is done." });
  expect(refund).toHaveBeenCalledTimes(1);
});

test("double, forged and late decisions are refused, and change nothing", async () => {
  const refund = vi.fn<() => string>(() => "refunded");
  const agent = clerk(refund, { approval: true });
  const app = testRuns(newFile(), { agents: [agent] });
  const run = await app.start(agent, "Refund it");
  await expect(run.decide([{ approvalId: "x", decision: "approve" }])).rejects.toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining("has not begun"),
  });
  const stop = new AbortController();
  const working = app.work({ signal: stop.signal });
  const { pending } = await run.result();
  stop.abort();
  await working;
  const approvalId = pending[0]?.approvalId ?? "";
  await expect(run.decide([{ approvalId: "forged", decision: "approve" }])).rejects.toThrow(approvalId);
  await run.decide([{ approvalId, decision: "deny", reason: "Too much." }]);
  await expect(run.decide([{ approvalId, decision: "approve" }])).rejects.toThrow("was denied before");
  await expect(run.decide([JSON.parse('{"approvalId":"x","decision":"maybe"}')])).rejects.toMatchObject({
    code: "invalid-input",
  });
  void app.work();
  expect(await run.result()).toMatchObject({ status: "completed" });
  expect(refund).not.toHaveBeenCalled();
  await expect(run.decide([{ approvalId, decision: "approve" }])).rejects.toMatchObject({
    code: "run-ended",
  });
  expect(JSON.stringify((await run.state()).messages)).toContain("Too much.");
});

test("the result of a call that is executed elsewhere comes by resolve()", async () => {
  const external = tool({ name: "scan", input: { type: "object", properties: {} } });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName: "scan" }] } : "Scanned.",
  );
  const agent = new Agent({ name: "Scanner", model, tools: [external] });
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Scan");
  const { pending } = await run.result();
  const toolCallId = pending[0]?.toolCallId ?? "";
  await expect(run.resolve("other", "x")).rejects.toThrow(`waiting: ${toolCallId}`);
  await run.resolve(toolCallId, { pages: 3 });
  expect(await run.result()).toMatchObject({ status: "completed", text: "Scanned." });
  expect(JSON.stringify((await run.state()).messages)).toContain('{\\"pages\\":3}');
});

test("an id is one run, however often it is started, and another agent's run is refused", async () => {
  const file = newFile();
  const app = testRuns(file, { agents: [echo, clerk(() => "")] });
  const handles = await Promise.all(
    Array.from({ length: 20 }, () => app.start("Echo", "Hello", { id: "once" })),
  );
  expect(handles.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(await app.list()).toHaveLength(1);
  const clash = { name: "DurableRunError", code: "run-exists", data: { id: "once" } };
  await expect(app.start("Clerk", "Hello", { id: "once" })).rejects.toMatchObject(clash);
  await expect(app.start("Echo", "Hello", { id: "once", session: "ann" })).rejects.toMatchObject(clash);
});

test("the idempotency keys of a run begin with its id", async () => {
  const refund = vi.fn<() => string>(() => "refunded");
  const agent = clerk(refund);
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  await (await app.start(agent, "Refund it", { id: "order-7" })).result();
  expect(refund).toHaveBeenCalledWith(7, expect.stringMatching(/^order-7\/turn-1\/tool\//));
});

test("runs of a conversation follow one another, and a session of the same name has it", async () => {
  const file = newFile();
  const app = testRuns(file, { agents: [echo] });
  const started = [];
  for (const text of ["one", "two", "three"]) started.push(await app.start(echo, text, { session: "ann" }));
  void app.work({ concurrency: 3 });
  await Promise.all(started.map((run) => run.result()));
  const session = sqliteSession(file, "ann");
  const { messages } = await readSession(session);
  session.close();
  expect(messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(messages.flatMap((each) => (each.role === "user" ? [each.content] : []))).toEqual([
    "one",
    "two",
    "three",
  ]);
});

test("a paused run holds its conversation until it is decided on or cancelled", async () => {
  const agent = clerk(() => "refunded", { approval: true });
  const app = testRuns(newFile(), { agents: [agent, echo] });
  void app.work();
  const first = await app.start(agent, "Refund it", { session: "ann" });
  await first.result();
  const second = await app.start(echo, "And now?", { session: "ann" });
  await expect(second.result({ timeout: 100 })).rejects.toMatchObject({ code: "run-timeout" });
  await first.cancel("The customer has changed their mind.");
  expect(await second.result()).toMatchObject({ status: "completed" });
  expect(await first.state()).toMatchObject({ status: "cancelled", pending: [] });
});

test("runs with a higher priority come first, and none before its time", async () => {
  const seen: string[] = [];
  const agent = new Agent({
    name: "Noting",
    model: new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      seen.push(last?.role === "user" ? textOf(last) : "");
      return "Noted.";
    }),
  });
  const app = testRuns(newFile(), { agents: [agent] });
  const later = await app.start(agent, "later", { at: new Date(Date.now() + 2_000) });
  const low = await app.start(agent, "low");
  await app.start(agent, "high", { priority: 5 });
  await app.start(agent, "middle", { priority: 2 });
  void app.work({ concurrency: 1 });
  await low.result();
  expect(seen).toEqual(["high", "middle", "low"]);
  expect(await later.state()).toMatchObject({ status: "queued", at: expect.any(Date) });
  await later.result();
  expect(seen.at(-1)).toBe("later");
});

test("cancel() ends a run that runs, at once, and one that waits", async () => {
  const callStarted = Promise.withResolvers<void>();
  const aborted = vi.fn<() => void>();
  const slow = tool({
    name: "refund",
    input: order,
    execute: (_, { signal }) => {
      callStarted.resolve();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          aborted();
          resolve("late");
        });
      });
    },
  });
  const agent = clerk(() => "").with({ tools: [slow] });
  const file = newFile();
  const worker = testRuns(file, { agents: [agent], lease: 500 });
  const web = testRuns(file, { agents: [agent] });
  const waiting = await web.start(agent, "Refund it", { at: Date.now() + 60_000 });
  const running = await web.start(agent, "Refund it");
  void worker.work();
  await callStarted.promise;
  await Promise.all([running.cancel("Enough."), waiting.cancel()]);
  expect(await running.result()).toMatchObject({ status: "cancelled" });
  expect(await waiting.result()).toMatchObject({ status: "cancelled" });
  expect(aborted).toHaveBeenCalledTimes(1);
  await running.cancel();
  expect(await running.state()).toMatchObject({ status: "cancelled" });
});

test("a run that failed is reported, and goes on from where it was after retry()", async () => {
  const refund = vi.fn<() => string>(() => "refunded");
  let isBroken = true;
  const agent = clerk(refund).with({
    model: new FunctionModel(({ messages }) => {
      if (messages.at(-1)?.role === "user")
        return { toolCalls: [{ toolName: "refund", arguments: { order: 7 } }] };
      if (isBroken) throw new Error("The provider is down.");
      return "It is done.";
    }),
  });
  const errors: unknown[] = [];
  const app = testRuns(newFile(), {
    agents: [agent],
    onError: (error, id) => void errors.push([id, String(error)]),
  });
  void app.work();
  const run = await app.start(agent, "Refund it", { id: "r" });
  expect(await run.result()).toMatchObject({
    status: "failed",
    error: { message: expect.stringContaining("The provider is down.") },
  });
  expect(errors).toEqual([["r", expect.stringContaining("The provider is down.")]]);
  isBroken = false;
  await run.retry();
  expect(await run.result()).toMatchObject({ status: "completed", text: "It is done." });
  expect(refund).toHaveBeenCalledTimes(1);
  await expect(run.retry()).rejects.toMatchObject({ code: "run-ended" });
});

test("a limit fails a run, says which, and retry() goes on with a new one", async () => {
  const agent = clerk(() => "refunded");
  const file = newFile();
  const app = testRuns(file, { agents: [agent], runOptions: { maxTurns: 1 } });
  void app.work();
  const run = await app.start(agent, "Refund it", { id: "r" });
  expect(await run.result()).toMatchObject({ status: "failed", ended: "max-turns" });
  await app.close();
  const other = testRuns(file, { agents: [agent], runOptions: { maxTurns: 3 } });
  void other.work();
  await other.get("r").retry();
  expect(await other.get("r").result()).toMatchObject({ status: "completed" });
});

test("a run whose agent a program lacks is stuck, and a program that has it goes on", async () => {
  const file = newFile();
  const web = testRuns(file, { agents: [echo] });
  const run = await web.start(echo, "Hello");
  const without = testRuns(file, { agents: [clerk(() => "")], lease: 200 });
  void without.work();
  await until(async () => (await run.state()).status === "stuck");
  expect(await run.result()).toMatchObject({ status: "stuck", missing: "agent Echo" });
  void testRuns(file, { agents: [echo] }).work();
  await until(async () => (await run.state()).status === "completed");
});

test("start({ here: true }) executes the run without a worker, and goes on after a pause", async () => {
  const agent = clerk(() => "refunded", { approval: true });
  const app = testRuns(newFile(), { agents: [agent] });
  const run = await app.start(agent, "Refund it", { here: true });
  expect(await run.result()).toMatchObject({ status: "paused" });
  await approve(run);
  expect(await run.result()).toMatchObject({ status: "completed" });
});

test("list() shows runs, those that were started last first", async () => {
  const app = testRuns(newFile(), { agents: [echo] });
  for (let number = 1; number <= 5; number++)
    await app.start(echo, "Hello", { id: `run-${number}`, ...(number === 2 && { session: "ann" }) });
  await app.get("run-3").cancel();
  const ids = async (filter: Parameters<typeof app.list>[0]) => (await app.list(filter)).map(({ id }) => id);
  expect(await ids({})).toEqual(["run-5", "run-4", "run-3", "run-2", "run-1"]);
  expect(await ids({ limit: 2, after: "run-4" })).toEqual(["run-3", "run-2"]);
  expect(await ids({ status: "cancelled" })).toEqual(["run-3"]);
  expect(await ids({ session: "ann" })).toEqual(["run-2"]);
  expect(await ids({ agent: "Nobody" })).toEqual([]);
  expect((await app.list({ session: "ann" }))[0]).toMatchObject({ session: "ann", agent: "Echo" });
});

test("start() takes a context, and what JSON cannot carry is refused", async () => {
  const agent = new Agent<{ user: string }>({
    name: "Polite",
    instructions: ({ context }) => `Greet ${context.user}.`,
    model: new FunctionModel(({ instructions = "" }) => instructions),
  });
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Hello", { context: { user: "Ann" } });
  expect(await run.result()).toMatchObject({ text: "Greet Ann." });
  for (const context of [[1], null, "text", new Date(0)])
    await expect(app.start(agent, "Hello", { context })).rejects.toThrow(
      "The context of start() must be an object, not",
    );
  await expect(app.start(agent, "Hello", { context: { db: new Map() } })).rejects.toThrow(
    "context.db is a Map",
  );
});

test("what is not there, and what is wrong, is named", async () => {
  const app = testRuns(newFile(), { agents: [echo] });
  for (const work of [
    () => app.get("x").state(),
    () => app.get("x").result(),
    () => app.get("x").decide([{ approvalId: "a", decision: "approve" }]),
    () => app.get("x").cancel(),
    () => app.get("x").retry(),
    () => all(app.get("x").events()),
  ])
    await expect(work()).rejects.toMatchObject({ name: "DurableRunError", code: "run-not-found" });
  await expect(app.start("Ecko", "Hello")).rejects.toThrow('lists: Echo. Add "Ecko" to them.');
  await expect(app.start("Echo", [])).rejects.toThrow("needs a message");
  await expect(app.start("Echo", "Hello", { id: "" })).rejects.toThrow("option id of start()");
  await expect(app.start("Echo", "Hello", { session: "run:a" })).rejects.toThrow("must not begin with");
  await expect(app.start("Echo", "Hello", { at: Number.NaN })).rejects.toThrow("option at");
  await expect(app.list({ limit: 0 })).rejects.toThrow("option limit");
  expect(() => testRuns(newFile(), { agents: JSON.parse('["Echo"]') })).toThrow("list of agents");
  expect(() => testRuns(newFile(), { agents: [] }).work()).toThrow("work() needs agents");
  expect(() => testRuns(newFile(), { agents: [echo], runOptions: JSON.parse('{"runId":"x"}') })).toThrow(
    "cannot set runId",
  );
  expect(new DurableRunError("x", "run-ended")).toMatchObject({ code: "run-ended", data: {} });
});

test("work() names an option that makes no sense", async () => {
  const app = testRuns(newFile(), { agents: [echo] });
  expect(() => app.work({ concurrency: 1.5 })).toThrow(
    "concurrency of work() must be an integer of at least 1",
  );
  expect(() => app.work({ signal: 5 as never })).toThrow("signal of work() must be an AbortSignal, not 5");
});
