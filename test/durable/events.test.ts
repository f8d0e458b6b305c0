/** The events of durable runs, as readers of any process receive them. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, tool, type ToolContext } from "skein";
import { type DurableStore, sqliteStore } from "skein/durable";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { approve, clerk, echo } from "./agents.ts";
import { all, newFile, testRuns, until } from "./test-runs.ts";

test("events are those of the run, with one numbering over all processes, and a reader goes on behind any of them", async () => {
  const agent = clerk(() => "refunded", { approval: true });
  const file = newFile();
  const first = testRuns(file, { agents: [agent] });
  const run = await first.start(agent, "Refund it", { id: "r", here: true });
  const early = await all(run.events());
  expect(early.at(-1)).toMatchObject({ type: "run-end", status: "paused" });
  await first.close();
  const second = testRuns(file, { agents: [agent] });
  void second.work();
  await approve(second.get("r"));
  await second.get("r").result();
  const events = await all(second.get("r").events());
  expect(events.slice(0, early.length)).toEqual(early);
  expect(events.map(({ index }) => index)).toEqual(events.map((_, index) => index));
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
  for (const { index } of events)
    expect(await all(second.get("r").events({ after: index }))).toEqual(events.slice(index + 1));
});

test("a reader that follows receives the events as they come", async () => {
  const release = Promise.withResolvers<void>();
  const agent = clerk(() => release.promise.then(() => "refunded"));
  const file = newFile();
  const app = testRuns(file, { agents: [agent] });
  const run = await testRuns(file, { agents: [agent] }).start(agent, "Refund it");
  const types: string[] = [];
  const reading = (async () => {
    for await (const event of run.events()) types.push(event.type);
  })();
  void app.work();
  await until(() => types.includes("tool-start"));
  expect(types).not.toContain("tool-end");
  release.resolve();
  await reading;
  expect(types.at(-1)).toBe("run-end");
});

test("a run whose first entry could not be stored starts once more, and no reader receives its failure", async () => {
  const plain = sqliteStore(newFile());
  let failures = 0;
  const commit: DurableStore["commit"] = async (lease, write) => {
    if (write.entries && (failures += 1) === 1) throw new Error("The connection is lost.");
    // To give the run up takes longer than events are collected.
    if (write.change) await sleep(100);
    return plain.commit(lease, write);
  };
  const app = testRuns({ ...plain, commit }, { agents: [echo] });
  const run = await app.start(echo, "Hello", { here: true });
  expect(await run.result()).toMatchObject({ status: "completed", text: "You said: Hello" });
  expect(failures).toBeGreaterThan(1);
  const types = (await all(run.events())).map(({ type }) => type);
  expect(types.filter((type) => ["turn-start", "run-end"].includes(type))).toEqual(["turn-start", "run-end"]);
});

test("what one execution writes is stored in order, however long each write takes", async () => {
  const plain = sqliteStore(newFile());
  let atOnce = 0;
  let most = 0;
  const commit: DurableStore["commit"] = async (lease, write) => {
    most = Math.max(most, (atOnce += 1));
    await sleep(60);
    atOnce -= 1;
    return plain.commit(lease, write);
  };
  const app = testRuns({ ...plain, commit }, { agents: [clerk(() => sleep(80, "refunded"))] });
  expect(await (await app.start("Clerk", "Refund it", { here: true })).result()).toMatchObject({
    status: "completed",
  });
  expect(most).toBe(1);
});

test("the events of a run that ended are kept for a while", async () => {
  const file = newFile();
  const app = testRuns(file, { agents: [echo], keepEvents: 0 });
  const run = await app.start(echo, "Hello", { here: true });
  await run.result();
  expect(await all(run.events())).not.toEqual([]);
  void app.work();
  await until(async () => (await all(run.events())).length === 0);
  expect(await run.result()).toMatchObject({ text: "You said: Hello" });
});

test("where old events gave way to later ones, readers learn how many they miss", async () => {
  const execute = (_: unknown, { progress }: ToolContext): string => {
    for (let step = 0; step < 60; step++) progress(`${step} ${"x".repeat(400_000)}`);
    return "done";
  };
  const read = tool({ name: "read", input: { type: "object" }, execute });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "read" }] }, "Read."]);
  const app = testRuns(newFile(), { agents: [new Agent({ name: "Reader", model, tools: [read] })] });
  const run = await app.start("Reader", "Read.", { here: true });
  await run.result();
  const [dropped, next, ...rest] = await all(run.events());
  expect(dropped).toMatchObject({ type: "events-dropped", agent: "Reader" });
  expect(dropped).toEqual({ ...dropped, count: next?.index, index: (next?.index ?? 0) - 1 });
  expect(rest.at(-1)?.type).toBe("run-end");
  const [behind] = await all(run.events({ after: 1 }));
  expect(behind).toEqual({ ...dropped, count: (next?.index ?? 0) - 2 });
  expect(await all(run.events({ after: next?.index ?? 0 }))).toEqual(rest);
});
