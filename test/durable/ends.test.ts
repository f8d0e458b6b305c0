/** How durable runs end, and what of them is there afterwards. */
import { Agent, run as runOnce, stream, tool } from "skein";
import { memoryStore } from "skein/durable";
import { dollars } from "skein/models";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { textOf } from "./agents.ts";
import { all, newFile, testRuns } from "./test-runs.ts";

const any = { type: "object", properties: {} } as const;

/** An agent whose model waits for this, and repeats what users said. */
function listener(answer: () => unknown): Agent {
  const model = new FunctionModel(async ({ messages }) => {
    await answer();
    return messages
      .filter(({ role }) => role === "user")
      .map(textOf)
      .join(" | ");
  });
  return new Agent({ name: "Desk", model });
}

const stores = [
  ["sqliteStore()", () => newFile()],
  ["memoryStore()", () => memoryStore()],
] as const;

test.each(stores)("%s: what was sent to a run that failed is read by the next, once", async (_, open) => {
  let isDown = true;
  const called = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  const agent = listener(async () => {
    called.resolve();
    await allowed.promise;
    if (isDown) throw new Error("The provider is down.");
  });
  const app = testRuns(open(), { agents: [agent] });
  void app.work();
  const first = await app.start(agent, "first", { session: "ann" });
  await called.promise;
  await first.queue("my address");
  await first.steer("be quick");
  allowed.resolve();
  expect(await first.result({ until: "end" })).toMatchObject({ status: "failed" });
  isDown = false;
  const second = await app.start(agent, "second", { session: "ann" });
  expect(await second.result({ until: "end" })).toMatchObject({
    text: "first | my address | be quick | second",
  });
  const third = await app.start(agent, "third", { session: "ann" });
  const { text } = await third.result({ until: "end" });
  expect(text).toBe("first | my address | be quick | second | third");
  await expect(first.retry()).rejects.toMatchObject({ code: "run-ended" });
});

test("what was sent to a run that was tried again is read by that run, once", async () => {
  let isDown = true;
  const called = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  const agent = listener(async () => {
    called.resolve();
    await allowed.promise;
    if (isDown) throw new Error("The provider is down.");
  });
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const first = await app.start(agent, "first", { session: "ann" });
  await called.promise;
  await first.steer("my address");
  allowed.resolve();
  await first.result({ until: "end" });
  isDown = false;
  await first.retry();
  expect(await first.result({ until: "end" })).toMatchObject({ text: "first | my address" });
  const second = await app.start(agent, "second", { session: "ann" });
  expect(await second.result({ until: "end" })).toMatchObject({ text: "first | my address | second" });
});

test("what was sent to a run that reached its limit, or was cancelled while it waited, is read by the next", async () => {
  const pay = tool({ name: "pay", input: any, approval: true, execute: () => "paid" });
  const work = tool({ name: "work", input: any, execute: () => "worked" });
  const model = new FunctionModel(({ messages }) => {
    const said = messages.filter(({ role }) => role === "user").map(textOf);
    if (said.includes("tell me")) return said.join(" | ");
    return { toolCalls: [{ toolName: said.includes("pay") ? "pay" : "work", arguments: {} }] };
  });
  const agent = new Agent({ name: "Desk", model, tools: [pay, work] });
  const app = testRuns(newFile(), { agents: [agent], runOptions: { maxTurns: 1 } });
  void app.work();
  const first = await app.start(agent, "work", { session: "ann" });
  await first.queue("one");
  expect(await first.result({ until: "end" })).toMatchObject({ status: "failed", ended: "max-turns" });
  const second = await app.start(agent, "pay", { session: "ann" });
  await second.result();
  await second.steer("two");
  await second.cancel();
  const third = await app.start(agent, "tell me", { session: "ann" });
  expect(await third.result({ until: "end" })).toMatchObject({ text: "work | one | pay | two | tell me" });
});

/** An agent whose tool waits each time, and which is asked again. */
function polling(
  wait: "sleep" | "approval" | "detached",
  calls: number,
): { readonly agents: readonly Agent[]; readonly count: () => number } {
  let count = 0;
  const usage = { inputTokens: 100, outputTokens: 10 };
  const other = new Agent({
    name: "Other",
    model: new FunctionModel(() => ({ text: "done", usage: { inputTokens: 0, outputTokens: 0 } })),
  });
  const poll = tool({
    name: "poll",
    input: any,
    approval: wait === "approval",
    execute: async (_: unknown, context) => {
      if (wait === "sleep") await context.sleep("a while", 1_005);
      if (wait === "detached") await context.runAgent(other, "Look.", { detached: true });
      return "not yet";
    },
  });
  const model = new FunctionModel(
    () => {
      count += 1;
      return count < calls
        ? { toolCalls: [{ toolName: "poll", arguments: {} }], usage }
        : { text: "end", usage };
    },
    { provider: "openai", modelId: "gpt-test" },
  );
  return { agents: [new Agent({ name: "Desk", model, tools: [poll] }), other], count: () => count };
}

const limits = [
  ["maxTokens", { maxTokens: 300 }],
  ["maxCost", { maxCost: dollars(300, { "openai:gpt-test": { input: 1_000_000, output: 1_000_000 } }) }],
] as const;

for (const wait of ["sleep", "detached"] as const)
  test.each(limits)(`%s counts over waits of the run's own: ${wait}`, async (_, runOptions) => {
    const { agents, count } = polling(wait, 9);
    const app = testRuns(newFile(), { agents, runOptions });
    void app.work();
    const run = await app.start("Desk", "Look.");
    expect(await run.result({ until: "end" })).toMatchObject({ status: "failed", ended: "budget" });
    expect(count()).toBe(3);
    // It begins again with this.
    await run.retry();
    await run.result({ until: "end" });
    expect(count()).toBe(6);
  });

test("maxTokens begins again with what a person has decided", async () => {
  const { agents, count } = polling("approval", 6);
  const app = testRuns(newFile(), { agents, runOptions: { maxTokens: 300 } });
  void app.work();
  const run = await app.start("Desk", "Look.");
  let result = await run.result();
  while (result.status === "paused") {
    const [{ approvalId = "" } = {}] = result.pending;
    await run.decide([{ approvalId, decision: "approve" }]);
    result = await run.result();
  }
  expect([result.status, result.text, count()]).toEqual(["completed", "end", 6]);
});

test("a run whose time is over has failed, and can be tried again", async () => {
  let delay = 10_000;
  const agent = new Agent({
    name: "Desk",
    model: new FunctionModel(async () => {
      await new Promise((resolve) => setTimeout(resolve, delay));
      return "Hello";
    }),
  });
  const app = testRuns(newFile(), { agents: [agent], runOptions: { timeout: 200 } });
  void app.work();
  const run = await app.start(agent, "Hello");
  const { status, ended, warnings } = await run.result();
  expect([status, ended]).toEqual(["failed", "cancelled"]);
  expect(warnings.join()).toContain("The run took longer than 200 ms.");
  delay = 0;
  await run.retry();
  expect(await run.result()).toMatchObject({ status: "completed", text: "Hello" });
});

test("a run that waits for others when its time is over has them end", async () => {
  const slow = new Agent({ name: "Slow", model: new FunctionModel(() => new Promise(() => {})) });
  const both = tool({
    name: "both",
    input: any,
    execute: async (_: unknown, { runAgent }) => {
      void runAgent(slow, "Wait.", { detached: true }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    },
  });
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "both", arguments: {} }] }));
  const agent = new Agent({ name: "Desk", model, tools: [both] });
  const file = newFile();
  const app = testRuns(file, { agents: [agent, slow], runOptions: { timeout: 500 } });
  void app.work({ concurrency: 1 });
  const run = await app.start(agent, "Hello");
  expect(await run.result()).toMatchObject({ status: "failed", ended: "cancelled" });
  const [child] = await app.list({ agent: "Slow" });
  expect(await app.get(child?.id ?? "").result({ until: "end" })).toMatchObject({ status: "cancelled" });
});

test("a run that is cancelled while no process has it has an end among its events", async () => {
  const started = Promise.withResolvers<void>();
  const work = tool({
    name: "work",
    input: any,
    execute: () => {
      started.resolve();
      return new Promise(() => {});
    },
  });
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "work", arguments: {} }] }));
  const agent = new Agent({ name: "Desk", model, tools: [work] });
  const store = memoryStore();
  let isGone = false;
  // Of a process that has died, nothing more comes to the store.
  const dying: typeof store = {
    ...store,
    commit: (...write) => (isGone ? Promise.reject(new Error("gone")) : store.commit(...write)),
    renew: (...request) => (isGone ? Promise.resolve([]) : store.renew(...request)),
  };
  const one = testRuns(dying, { agents: [agent], lease: 200 });
  void one.work();
  const run = await one.start(agent, "Work.");
  await started.promise;
  isGone = true;
  const two = testRuns(store, { agents: [agent], lease: 200 });
  const handle = two.get(run.id);
  expect(await handle.cancel("enough")).toBe(true);
  void two.work();
  expect(await handle.result({ until: "end" })).toMatchObject({
    status: "cancelled",
    cancelReason: "enough",
  });
  const events = await all(handle.events({ until: "end" }));
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "cancelled", agent: "Desk" });
  expect(events.filter(({ type }) => type === "run-end")).toHaveLength(1);
});

test("the JSON text of a state is not a message: start(), steer(), queue()", async () => {
  const pay = tool({ name: "pay", input: any, approval: true, execute: () => "paid" });
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "pay", arguments: {} }] }));
  const agent = new Agent({ name: "Desk", model, tools: [pay] });
  const text = JSON.stringify((await runOnce(agent, "Pay.")).state);
  const app = testRuns(newFile(), { agents: [agent] });
  await expect(app.start(agent, text)).rejects.toMatchObject({ code: "invalid-input" });
  const run = await app.start(agent, "Pay.");
  await expect(run.steer(text)).rejects.toThrow("steer() takes a message of the user");
  await expect(run.queue(text)).rejects.toThrow("queue() takes a message of the user");
  const running = stream(agent, "Pay.");
  expect(() => running.steer(text)).toThrow("steer() takes a message of the user");
  await running.result;
});

test("a reason that is not a text is refused", async () => {
  const agent = listener(() => undefined);
  const app = testRuns(newFile(), { agents: [agent] });
  const run = await app.start(agent, "Hello");
  // @ts-expect-error -- a program in JavaScript
  await expect(run.cancel(5n)).rejects.toMatchObject({ code: "invalid-option" });
  expect((await run.state()).status).toBe("queued");
});
