/** What durable runs say of what they have used. */
import { DatabaseSync } from "node:sqlite";
import { Agent, type Generation, type Model, type ModelCall, tool, type Usage } from "skein";
import { type DurableStore, memoryStore, type RunInfo, runs, sqliteStore } from "skein/durable";
import { costOf } from "skein/models";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { approve } from "./agents.ts";
import { newFile, testRuns } from "./test-runs.ts";

const each: Usage = { inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100 };
const empty = { type: "object", properties: {} } as const;
const prices = { "test:big": { input: 10, output: 20 }, "test:small": { input: 1, output: 2 } };
const big = 0.012;
const small = 0.0012;

/** A model with a price, whose answers report what they used. */
function priced(modelId: string, answer: ConstructorParameters<typeof FunctionModel>[0]): Model {
  const model = new FunctionModel(answer);
  const usedUp = (generation: Generation): Generation => ({
    ...generation,
    usage: each,
    response: { ...generation.response, provider: "test", modelId },
  });
  return {
    provider: "test",
    modelId,
    async *stream(request) {
      for await (const event of model.stream(request))
        yield event.type === "finish" ? { ...event, generation: usedUp(event.generation) } : event;
    },
  };
}

/** Asks a helper, then has a refund approved, then answers: three answers of its model, one of the helper's. */
function desk(): Agent {
  const helper = new Agent({ name: "Helper", model: priced("small", () => "Order 7.") });
  const refund = tool({ name: "refund", input: empty, approval: true, execute: () => "refunded" });
  const model = priced("big", ({ messages }) => {
    const calls = messages.filter(({ role }) => role === "tool").length;
    if (calls === 0) return { toolCalls: [{ toolName: "helper", arguments: { input: "Which?" } }] };
    return calls === 1 ? { toolCalls: [{ toolName: "refund" }] } : "It is done.";
  });
  return new Agent({ name: "Desk", model, tools: [helper.asTool({ name: "helper" }), refund] });
}

function countsOf({ modelCalls }: RunInfo): object {
  return Object.fromEntries(modelCalls.map(({ modelId, sum }: ModelCall) => [modelId, sum?.calls]));
}

function storesOfFile(): () => DurableStore {
  const file = newFile();
  return () => sqliteStore(file);
}

function storesOfProcess(): () => DurableStore {
  const store = memoryStore();
  return () => store;
}

test.each([
  ["sqliteStore()", storesOfFile],
  ["memoryStore()", storesOfProcess],
])("a run in %s sums what it has used over processes, pauses and agents within it", async (name, stores) => {
  const open = stores();
  const first = testRuns(open(), { agents: [desk()] });
  const started = await first.start("Desk", "Refund it", { id: "r" });
  expect(await started.state()).toMatchObject({ turns: 0, modelCalls: [] });
  void first.work();
  const paused = await started.result();
  expect(paused).toMatchObject({ status: "paused", turns: 2, usage: { totalTokens: 3_300 } });
  expect(costOf(paused, prices)).toBeCloseTo(2 * big + small, 6);
  const second = testRuns(open(), { agents: [desk()] });
  if (name === "sqliteStore()") await first.close();
  await approve(second.get("r"));
  void second.work();
  const done = await second.get("r").result();
  expect(done).toMatchObject({ status: "completed", turns: 3, usage: { inputTokens: 4_000 } });
  expect(countsOf(done)).toEqual({ big: 3, small: 1 });
  expect(costOf(done, prices)).toBeCloseTo(3 * big + small, 6);
  const [listed] = await second.list();
  expect(listed && costOf(listed, prices)).toBeCloseTo(3 * big + small, 6);
});

test("an answer that a dying process has stored counts once, though another goes on", async () => {
  const file = newFile();
  const called = Promise.withResolvers<void>();
  const agent = (execute: () => unknown): Agent =>
    new Agent({
      name: "Clerk",
      model: priced("big", ({ messages }) =>
        messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName: "charge" }] } : "It is done.",
      ),
      tools: [tool({ name: "charge", input: empty, interrupted: "repeat", execute })],
    });
  const hangs = agent(() => {
    called.resolve();
    return new Promise(() => {});
  });
  const dying = runs({ agents: [hangs], store: sqliteStore(file), lease: 200, onError: () => {} });
  void dying.work();
  await dying.start("Clerk", "Charge it", { id: "r" });
  await called.promise;
  await dying.close({ drain: 0 });
  const next = testRuns(file, { agents: [agent(() => "charged")] });
  void next.work();
  const done = await next.get("r").result();
  expect(done).toMatchObject({ status: "completed", turns: 2 });
  expect(countsOf(done)).toEqual({ big: 2 });
});

test("a run that an earlier version of Skein has begun goes on, and says that not all of its cost is known", async () => {
  const file = newFile();
  const first = testRuns(file, { agents: [desk()] });
  void first.work();
  await (await first.start("Desk", "Refund it", { id: "r" })).result();
  await first.close();
  const database = new DatabaseSync(file);
  database.exec("UPDATE skein_runs SET progress = json_remove(progress, '$.used')");
  database.close();
  const second = testRuns(file, { agents: [desk()] });
  expect(await second.get("r").result()).toMatchObject({ status: "paused", turns: 2 });
  await approve(second.get("r"));
  void second.work();
  const done = await second.get("r").result();
  expect(done).toMatchObject({ status: "completed", turns: 3, usage: { totalTokens: 1_100 } });
  expect(countsOf(done)).toEqual({ unknown: undefined, big: 1 });
  expect(costOf(done, prices)).toBeUndefined();
});

test("what a failed run has used counts, and what retry() adds to it", async () => {
  let isBroken = true;
  const agent = new Agent({
    name: "Clerk",
    model: priced("big", ({ messages }) => {
      if (messages.at(-1)?.role === "user") return { toolCalls: [{ toolName: "look" }] };
      if (isBroken) throw new Error("The key is wrong.");
      return "It is done.";
    }),
    tools: [tool({ name: "look", input: empty, execute: () => "there" })],
  });
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Look");
  const failed = await run.result();
  expect(failed).toMatchObject({ status: "failed" });
  expect(costOf(failed, prices)).toBeCloseTo(big, 6);
  isBroken = false;
  await run.retry();
  expect(costOf(await run.result(), prices)).toBeCloseTo(2 * big, 6);
});

test("a run that was cancelled before it began has cost nothing, and one that waits what it has used", async () => {
  const app = testRuns(newFile(), { agents: [desk()] });
  const early = await app.start("Desk", "Refund it");
  await early.cancel();
  expect(costOf(await early.result())).toBe(0);
  void app.work();
  const run = await app.start("Desk", "Refund it");
  await run.result();
  await run.cancel();
  const cancelled = await run.result();
  expect(cancelled).toMatchObject({ status: "cancelled", turns: 2 });
  expect(costOf(cancelled, prices)).toBeCloseTo(2 * big + small, 6);
});
