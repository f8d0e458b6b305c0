/** Durable runs in memory: as on SQLite, without a process that outlives another, and bounded. */
import { Agent } from "skein";
import { type DurableStore, memoryStore, type NewRun, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { afterEach, expect, test, vi } from "vitest";
import { approve, clerk, echo, textOf } from "./agents.ts";
import { playOn } from "./random-store-use.ts";
import { all, newFile, testRuns } from "./test-runs.ts";

afterEach(() => void vi.useRealTimers());

function newRun(id: string, others: Partial<NewRun> = {}): NewRun {
  const data = { request: { input: [{ role: "user", content: "Hello" }] }, inbox: [] } as const;
  return { id, log: `run:${id}`, agent: "A", priority: 0, data, ...others };
}

/** Adds a run, and ends it: with an entry of its conversation, and some events. */
async function endRun(store: DurableStore, id: string, others: Partial<NewRun> = {}): Promise<void> {
  const run = newRun(id, others);
  await store.create([run]);
  await store.claim({ owner: "o", build: "1", agents: ["A"], lease: 60_000, limit: 1, ids: [id] });
  const sequence = (await store.load(run.log)).length + 1;
  const events = [0, 1, 2].map((index) => ({ type: "text-delta", agent: "A", text: "Hi", index }) as const);
  await store.commit(
    { id, owner: "o" },
    {
      log: run.log,
      entries: [{ type: "message", sequence, writer: id, message: { role: "user", content: "Hello" } }],
      events: { groups: [{ first: 0, last: 2, events }], progress: { next: 3 } },
      change: { status: "completed", due: null, owner: null },
    },
  );
}

async function idsIn(store: DurableStore): Promise<string> {
  return (await store.list({ limit: 100 })).map(({ id }) => id).join();
}

async function countEvents(store: DurableStore, id: string): Promise<number> {
  return (await store.events(id, -1, 100)).flatMap(({ events }) => events).length;
}

test("runs pause, are decided on and go on in the same conversation", async () => {
  const agent = clerk(() => "refunded", { approval: true });
  const app = testRuns(memoryStore(), { agents: [agent, echo] });
  void app.work();
  const run = await app.start(agent, "Refund it", { session: "ann" });
  expect(await run.result()).toMatchObject({ status: "paused", pending: [{ input: { order: 7 } }] });
  const next = await app.start(echo, "Hello", { session: "ann" });
  expect((await next.state()).waitsFor).toBe(run.id);
  await approve(run);
  expect((await run.result()).text).toBe("It is done.");
  expect((await next.result()).text).toBe("You said: Hello");
  expect((await next.state()).messages.map(textOf)).toContain("Refund it");
});

test("programs with one store share its runs, and closing one leaves them to the other", async () => {
  const store = memoryStore();
  const web = testRuns(store, { agents: [echo] });
  const run = await web.start(echo, "Hello");
  await web.close();
  const other = testRuns(store, { agents: [echo] });
  void other.work();
  expect((await other.get(run.id).result()).text).toBe("You said: Hello");
});

test.each([1, 2, 3, 4])("any use of it comes to the same as on SQLite (%i)", async (seed) => {
  const [inMemory, onDisk] = [memoryStore(), sqliteStore(newFile())];
  const plays = [await playOn(inMemory, seed), await playOn(onDisk, seed)];
  await onDisk.close();
  expect(plays[0]).toEqual(plays[1]);
});

test("events are there without a timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  const piece = Promise.withResolvers<void>();
  const model = new FunctionModel(() => "unused");
  const agent = new Agent({
    name: "Talker",
    model: {
      provider: "p",
      modelId: "m",
      async *stream(request) {
        yield { type: "text-delta", text: "One " };
        await piece.promise;
        yield* model.stream(request);
      },
    },
  });
  const app = testRuns(memoryStore(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Go");
  for await (const event of run.events()) if (event.type === "text-delta") break;
  piece.resolve();
  const events = await all(run.events());
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
  expect(events.map(({ index }) => index)).toEqual(events.map((_, index) => index));
});

test("the last event of a run that is stuck has that status, not that of the failure that showed it", async () => {
  const store = memoryStore();
  const first = testRuns(store, { agents: [clerk(() => "refunded", { approval: true })] });
  void first.work();
  const { id } = await (await first.start("Clerk", "Refund it")).result();
  await first.close();
  const lacking = new Agent({ name: "Clerk", model: new FunctionModel(() => "unused") });
  const second = testRuns(store, { agents: [lacking] });
  const run = second.get(id);
  await approve(run);
  void second.work();
  expect(await run.result()).toMatchObject({ status: "stuck" });
  const ends = (await all(run.events())).filter(({ type }) => type === "run-end");
  expect(ends).toMatchObject([{ status: "paused" }, { status: "stuck" }]);
});

test("neither what was passed to it nor what it returns changes what it has", async () => {
  const store = memoryStore();
  const context = { euros: 10 };
  const data = { request: { input: [], context }, inbox: [] };
  const [created] = await store.create([newRun("r", { data })]);
  context.euros = 20;
  await endRun(store, "e");
  const [group] = await store.events("e", -1, 1);
  const entries = await store.load("run:e");
  const mutated = [created?.run, created?.run.data.request.context, group?.events[0], entries[0]];
  for (const value of mutated) expect(Object.isFrozen(value)).toBe(true);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a careless program does
  (entries as unknown[]).length = 0;
  expect((await store.read("r"))?.data.request.context).toEqual({ euros: 10 });
  expect(await store.load("run:e")).toHaveLength(1);
});

test("runs that ended first are forgotten with their events and conversations once there are too many", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const store = memoryStore({ keepEnded: 2 });
  await store.create([newRun("open", { at: Date.now() + 1e9 })]);
  for (const id of ["a", "b", "c", "d"]) await endRun(store, id);
  // Who waits for one of them is to see how it ended.
  expect(await idsIn(store)).toBe("d,c,b,a,open");
  vi.setSystemTime(Date.now() + 10_001);
  await endRun(store, "e");
  expect(await idsIn(store)).toBe("e,d,open");
  expect(await store.read("a")).toBeUndefined();
  expect([await countEvents(store, "a"), await countEvents(store, "d")]).toEqual([0, 3]);
  expect([(await store.load("run:a")).length, (await store.load("run:d")).length]).toEqual([0, 1]);
  // Its id is free.
  expect(await store.create([newRun("a")])).toMatchObject([{ isNew: true }]);
});

test("a run is forgotten some time after its end, and one that goes on is not", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const store = memoryStore({ keepEndedFor: 60_000 });
  await endRun(store, "a");
  await endRun(store, "b");
  const failed = await store.read("b");
  await store.update("b", failed?.revision ?? 0, { status: "queued", due: { in: 1e9 } });
  vi.setSystemTime(Date.now() + 60_001);
  await store.prune(3_600_000);
  expect(await idsIn(store)).toBe("b");
});

test("events of the runs that ended first give way to others, and all after a time", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const store = memoryStore({ keepEvents: 7 });
  for (const id of ["a", "b", "c"]) await endRun(store, id);
  vi.setSystemTime(Date.now() + 10_001);
  await endRun(store, "d");
  const counts = () => Promise.all(["a", "b", "c", "d"].map((id) => countEvents(store, id)));
  expect(await counts()).toEqual([0, 0, 3, 3]);
  await store.prune(10_000);
  expect(await counts()).toEqual([0, 0, 0, 3]);
});

test("conversations without a run are kept, those used last", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const store = memoryStore({ keepEnded: 0, keepConversations: 2 });
  for (const session of ["ann", "bob", "cid", "ann"]) {
    vi.setSystemTime(Date.now() + 10_001);
    await endRun(store, `${session} ${Date.now()}`, { log: session });
  }
  vi.setSystemTime(Date.now() + 10_001);
  await store.prune(0);
  expect(await idsIn(store)).toBe("");
  const lengths = await Promise.all(["ann", "bob", "cid"].map(async (log) => (await store.load(log)).length));
  expect(lengths).toEqual([2, 0, 1]);
});

test("who waits for changes is called after them, and for those that it waits for alone", async () => {
  const store = memoryStore();
  const calls: string[] = [];
  store.watch((id) => calls.push(`all ${id}`));
  store.watch((id) => calls.push(`changes ${id}`), { events: false });
  const stop = store.watch((id) => calls.push(`b ${id}`), { id: "b" });
  const adding = store.create([newRun("a"), newRun("b")]);
  expect(calls).toEqual([]);
  await adding;
  expect(calls.splice(0)).toEqual(["all a", "changes a", "b b", "all b", "changes b"]);
  await store.claim({ owner: "o", build: "1", agents: ["A"], lease: 60_000, limit: 1, ids: ["b"] });
  calls.length = 0;
  await store.commit({ id: "b", owner: "o" }, { events: { groups: [], progress: { next: 0 } } });
  expect(calls.splice(0)).toEqual(["b b", "all b"]);
  stop();
  await store.update("b", 2, { status: "paused" });
  expect(calls).toEqual(["all b", "changes b"]);
});

test("an option that is negative or NaN is refused", () => {
  expect(() => memoryStore({ keepEnded: -1 })).toThrow("keepEnded must be a number of at least 0");
  expect(() => memoryStore({ keepConversations: Number.NaN })).toThrow("keepConversations");
});
