/** Calls and tokens of agents that are runs of their own: decided and resolved one after the other. */
import { type Agent, type AnyAgent, tool } from "skein";
import { type DurableStore, memoryStore, type RunHandle } from "skein/durable";
import { expect, test } from "vitest";
import {
  approvalsOf,
  approving,
  caller,
  noInput,
  partsOf,
  people,
  stores,
  toInput,
  waitingDesk,
} from "./detached-desk.ts";
import { dyingStore } from "./dying-store.ts";
import { all, testRuns, until } from "./test-runs.ts";

test.each(stores)(
  "calls are decided one after the other, without a worker and with one %s",
  async (_, open) => {
    const paid: string[] = [];
    const { app, run, ids } = await waitingDesk(open(), paid);
    const [ada = "", ...rest] = ids;
    await run.decide(approving([ada]));
    expect([...(await approvalsOf(run)).keys()].toSorted()).toEqual(["Bob", "Cid", "Dan"]);
    await expect(run.decide(approving([ada]))).rejects.toThrow("was approved before");
    void app.work();
    for (const approvalId of rest) await run.decide(approving([approvalId]));
    expect(await run.result({ until: "end" })).toMatchObject({ status: "completed" });
    expect(paid.toSorted()).toEqual(people);
  },
);

test("a call that waits on is not shown as a new one when the one beside it is decided", async () => {
  const pay = tool({ name: "pay", input: toInput, approval: true, execute: () => "paid" });
  const clerk = caller(
    "Clerk",
    [pay],
    [
      ["pay", { to: "Ada" }],
      ["pay", { to: "Bob" }],
    ],
  );
  const agent = caller("Desk", [clerk.asTool({ detached: true })], [["clerk", { input: "Pay" }]]);
  const app = testRuns(memoryStore(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Pay");
  await run.result();
  const { pending } = await run.state();
  const ids = pending.flatMap(({ approvalId }) => approvalId ?? []);
  for (const id of ids) {
    await run.decide(approving([id]));
    await run.result();
  }
  const events = await all(run.events({ until: "end" }));
  const inner = events.flatMap((event) => (event.type === "agent-event" ? [event.event] : []));
  const inputs = inner.filter(({ type }) => type === "tool-input-delta");
  expect(inputs).toHaveLength(2);
  expect(inner.filter(({ type }) => type === "tool-end")).toHaveLength(2);
});

test.each([false, true])(
  "a call that was decided does not wait any more, whenever the worker dies (detached: %s)",
  async (detached) => {
    for (let at = 1, isDead = true; isDead; at++) {
      const paid: string[] = [];
      const pay = tool({
        name: "pay",
        input: toInput,
        approval: true,
        execute: ({ to }: { readonly to: string }) => paid.push(to),
      });
      const clerk = caller(
        "Clerk",
        [pay],
        [
          ["pay", { to: "Ada" }],
          ["pay", { to: "Bob" }],
        ],
      );
      const agent = detached
        ? caller("Desk", [clerk.asTool({ detached })], [["clerk", { input: "Pay" }]])
        : clerk;
      const store = memoryStore();
      const { run, stop } = await pausedRun(store, agent);
      await stop();
      const approvals = await approvalsOf(run);
      await run.decide(approving([approvals.get("Ada") ?? ""]));
      isDead = await workUntilDeath(store, agent, at);
      void testRuns(store, { agents: [agent], lease: 200 }).work();
      await until(async () => (await run.state()).status === "paused");
      const { pending } = await run.result();
      const waiting = pending.flatMap(({ approvalId }) => approvalId ?? []);
      expect([at, waiting]).toEqual([at, [approvals.get("Bob")]]);
      expect([...(await approvalsOf(run)).keys()]).toEqual(["Bob"]);
    }
  },
);

/** A run that has paused, and what ends its worker. */
async function pausedRun(
  store: DurableStore,
  agent: AnyAgent,
): Promise<{ readonly run: RunHandle; readonly stop: () => Promise<void> }> {
  const app = testRuns(store, { agents: [agent] });
  const signal = new AbortController();
  const working = app.work({ signal: signal.signal });
  const run = await app.start(agent, "Pay", { id: "r" });
  await run.result();
  const stop = async (): Promise<void> => {
    signal.abort();
    await working;
  };
  return { run, stop };
}

/** Works until the process dies at a write, or the run has paused. Returns whether it has died. */
async function workUntilDeath(store: DurableStore, agent: AnyAgent, at: number): Promise<boolean> {
  let isDead = false;
  const dying = dyingStore(store, { at, isAfter: false }, () => {
    isDead = true;
    throw new Error("The process is gone.");
  });
  const app = testRuns({ ...dying.store, eventDelay: 0 }, { agents: [agent], lease: 200 });
  void app.work();
  await until(async () => isDead || (await store.read("r"))?.status === "paused");
  await app.close({ drain: 0 });
  return isDead;
}

test.each(stores)(
  "results of a program's own tools are passed on one after the other %s",
  async (_, open) => {
    const measure = tool({ name: "measure", input: toInput });
    const clerk = caller(
      "Clerk",
      [measure],
      [
        ["measure", { to: "a" }],
        ["measure", { to: "b" }],
      ],
    );
    const agent = caller("Desk", [clerk.asTool({ detached: true })], [["clerk", { input: "Measure" }]]);
    const app = testRuns(open(), { agents: [agent] });
    void app.work();
    const run = await app.start(agent, "Measure");
    const { pending } = await run.result();
    const calls = pending.filter(({ toolName }) => toolName === "measure");
    expect(calls).toHaveLength(2);
    for (const { toolCallId, input } of calls) await run.resolve(toolCallId, input);
    expect(await partsOf(run)).toEqual(['{"to":"a"}', '{"to":"b"}']);
  },
);

/** An agent whose tool waits for a token. */
function shop(token: string, name = "Shop", timeout?: number): Agent {
  const sell = tool({
    name: "sell",
    input: noInput,
    execute: async (_, { waitFor }) =>
      `${name}: ${JSON.stringify(await waitFor(token, timeout === undefined ? {} : { timeout }))}`,
  });
  return caller(name, [sell], [["sell", {}]]);
}

test.each(stores)(
  "a token that a detached agent waits for is the run's around it, at any depth %s",
  async (_, open) => {
    const boss = caller(
      "Boss",
      [shop("payment").asTool({ detached: true })],
      [["shop", { input: "A lamp" }]],
    );
    const agent = caller("Desk", [boss.asTool({ detached: true })], [["boss", { input: "A lamp" }]]);
    const app = testRuns(open(), { agents: [agent] });
    void app.work();
    const run = await app.start(agent, "A lamp");
    const { status, pending } = await run.result();
    expect(status).toBe("paused");
    expect(pending.map(({ toolName, input }) => [toolName, Object(input).token])).toEqual([
      ["context.waitFor", "payment"],
    ]);
    await expect(run.resolve("another", 1)).rejects.toThrow(
      'No call "another" waits for a result (waiting: payment)',
    );
    await run.resolve("payment", { euros: 40 });
    expect(await run.result({ until: "end" })).toMatchObject({
      status: "completed",
      text: 'Shop: {"euros":40}',
    });
  },
);

test("a detached agent whose time for a token is over goes on, as well as the run around it", async () => {
  const agent = caller(
    "Desk",
    [shop("payment", "Shop", 1).asTool({ detached: true })],
    [["shop", { input: "x" }]],
  );
  const app = testRuns(memoryStore(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "A lamp");
  expect((await run.result({ until: "end" })).text).toContain('Nothing came for "payment" in time.');
});

test("of two detached agents that wait for one token, each is named by its call", async () => {
  const tools = ["Left", "Right"].map((name) => shop("payment", name).asTool({ detached: true }));
  const agent = caller("Desk", tools, [
    ["left", { input: "x" }],
    ["right", { input: "x" }],
  ]);
  const app = testRuns(memoryStore(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Lamps");
  const waits = async () =>
    (await run.state()).pending.filter(({ toolName }) => toolName === "context.waitFor");
  await until(async () => (await waits()).length === 2);
  const [left, right] = (await waits()).map(({ toolCallId }) => toolCallId);
  await expect(run.resolve("payment", 1)).rejects.toThrow(
    `2 calls wait for "payment". Name one of them: ${left}, ${right}.`,
  );
  await run.resolve(right ?? "", "second");
  // Then it is clear whose it is.
  await run.resolve("payment", "first");
  expect(await partsOf(run)).toEqual(['Left: "first"', 'Right: "second"']);
});
