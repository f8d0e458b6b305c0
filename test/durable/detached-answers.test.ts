/** Answers to a run whose agents are runs of their own: all of them or none, one after the other, and tokens. */
import { Agent, type AnyAgent, tool } from "skein";
import { type DurableStore, memoryStore, type RunHandle, type Runs, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { dyingAtChange, dyingStore, withoutSeveral } from "./dying-store.ts";
import { all, newFile, testRuns, until } from "./test-runs.ts";

const toInput = { type: "object", properties: { to: { type: "string" } }, required: ["to"] } as const;
const noInput = { type: "object", properties: {} } as const;

const stores: readonly (readonly [name: string, open: () => DurableStore])[] = [
  ["in memory", () => memoryStore()],
  ["in SQLite", () => sqliteStore(newFile())],
  ["in a store that changes one run at a time", () => withoutSeveral(memoryStore())],
];

/** An agent that calls its tools once, and then says what came of it. */
function caller(
  name: string,
  tools: Agent["tools"],
  toolCalls: readonly (readonly [string, Readonly<Record<string, string>>])[],
): Agent {
  return new Agent({
    name,
    model: new FunctionModel(({ messages }) => {
      const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
      if (results.length > 0)
        return results
          .flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? part.text : [])))
          .join(", ");
      return { toolCalls: toolCalls.map(([toolName, input]) => ({ toolName, arguments: input })) };
    }),
    tools,
  });
}

/** An agent whose detached agent is to pay Ada and Bob, and that is to pay Cid and Dan itself and by another one. */
function desk(paid: string[]): AnyAgent {
  const pay = tool({
    name: "pay",
    input: toInput,
    approval: true,
    execute: ({ to }: { readonly to: string }) => {
      paid.push(to);
      return `paid ${to}`;
    },
  });
  const clerk = caller(
    "Clerk",
    [pay],
    [
      ["pay", { to: "Ada" }],
      ["pay", { to: "Bob" }],
    ],
  );
  const cashier = caller("Cashier", [pay], [["pay", { to: "Cid" }]]);
  const boss = caller("Boss", [cashier.asTool({ detached: true })], [["cashier", { input: "Pay" }]]);
  const tools = [clerk.asTool({ detached: true }), boss.asTool({ detached: true }), pay];
  return caller("Desk", tools, [
    ["clerk", { input: "Pay" }],
    ["boss", { input: "Pay" }],
    ["pay", { to: "Dan" }],
  ]);
}

/** What came of the calls of a run, by name. */
async function partsOf(run: RunHandle): Promise<readonly string[]> {
  return (await run.result({ until: "end" })).text.split(", ").toSorted();
}

const people = ["Ada", "Bob", "Cid", "Dan"];

/** The approvals of a run, by who is to be paid. */
async function approvalsOf(run: RunHandle): Promise<ReadonlyMap<string, string>> {
  const { pending } = await run.state();
  return new Map(
    pending.flatMap(({ approvalId, input }) => {
      const { to }: { readonly to?: unknown } = Object(input);
      return approvalId !== undefined && typeof to === "string" ? [[to, approvalId] as const] : [];
    }),
  );
}

/** A run of the desk that waits for all its calls, and no worker any more. */
async function waitingDesk(
  store: DurableStore,
  paid: string[],
): Promise<{ app: Runs; agent: AnyAgent; run: RunHandle; ids: string[] }> {
  const agent = desk(paid);
  const app = testRuns(store, { agents: [agent] });
  const stop = new AbortController();
  const working = app.work({ signal: stop.signal });
  const run = await app.start(agent, "Pay them", { id: "r" });
  await until(
    async () => (await approvalsOf(run)).size === people.length && (await run.state()).status === "paused",
  );
  stop.abort();
  await working;
  const approvals = await approvalsOf(run);
  return { app, agent, run, ids: people.map((name) => approvals.get(name) ?? "") };
}

function approving(ids: readonly string[]): { approvalId: string; decision: "approve" }[] {
  return ids.map((approvalId) => ({ approvalId, decision: "approve" }));
}

test.each(stores)("an answer that is refused has none of its parts taken %s", async (_, open) => {
  const paid: string[] = [];
  const { app, run, ids } = await waitingDesk(open(), paid);
  const [ada = "", , , dan = ""] = ids;
  const decisions = approving(ids);
  const refused = [
    { decisions: [...decisions, ...approving(["no-such-id"])] },
    { decisions: [...approving(["no-such-id"]), ...decisions] },
    { decisions, results: [{ toolCallId: "no-such-call", content: "x" }] },
    { decisions: [...decisions, ...approving([ada])] },
    { decisions: [...decisions, ...approving([dan])] },
  ];
  for (const answers of refused)
    await expect(run.answer(answers)).rejects.toMatchObject({ code: "invalid-input" });
  expect([...(await approvalsOf(run)).keys()].toSorted()).toEqual(people);
  await run.decide(ids.map((approvalId) => ({ approvalId, decision: "deny" })));
  void app.work();
  expect(await run.result({ until: "end" })).toMatchObject({ status: "completed" });
  expect(paid).toEqual([]);
});

const deaths = stores.flatMap(([name, open]) =>
  [false, true].flatMap((isAfter) =>
    [false, true].map((isRepeated) => ({ name, open, isAfter, isRepeated })),
  ),
);

test.each(deaths)(
  "an answer whose process dies at a write (after it: $isAfter) is there as a whole or not at all $name (repeated: $isRepeated)",
  async ({ open, isAfter, isRepeated }) => {
    for (let at = 1, isDead = true; isDead; at++) {
      const paid: string[] = [];
      const store = open();
      const { app, ids } = await waitingDesk(store, paid);
      const dying = dyingAtChange(store, { at, isAfter });
      const answers = { decisions: approving(ids) };
      const answering = testRuns(dying.store, { agents: [] }).get("r").answer(answers);
      await answering.catch(() => undefined);
      isDead = dying.isDead();
      const run = app.get("r");
      if (isRepeated) await run.answer(answers).catch(() => undefined);
      void app.work();
      const isWhole = isRepeated || at > 1 || isAfter || !isDead;
      const { status } = await run.result({ until: isWhole ? "end" : "pause" });
      expect([at, status]).toEqual([at, isWhole ? "completed" : "paused"]);
      expect(paid.toSorted()).toEqual(isWhole ? people : []);
    }
  },
);

test("what an interrupted answer has left is passed on, whatever fails meanwhile", async () => {
  for (let at = 1, isDead = true; isDead; at++) {
    const paid: string[] = [];
    const store = withoutSeveral(memoryStore());
    const { agent, ids } = await waitingDesk(store, paid);
    const interrupted = dyingAtChange(store, { at: 2, isAfter: false });
    await testRuns(interrupted.store, { agents: [] })
      .get("r")
      .answer({ decisions: approving(ids) });
    expect((await store.read("r"))?.data.outbox?.items).toHaveLength(2);
    const dying = dyingAtChange(store, { at, isAfter: false });
    const failing = testRuns(dying.store, { agents: [agent], lease: 200 });
    void failing.work();
    await until(async () => dying.isDead() || (await store.read("r"))?.data.outbox === undefined);
    await failing.close({ drain: 0 });
    isDead = dying.isDead();
    const app = testRuns(store, { agents: [agent] });
    void app.work();
    expect(await app.get("r").result({ until: "end" })).toMatchObject({ status: "completed" });
    expect(paid.toSorted()).toEqual(people);
  }
});

test("an answer that was interrupted is not refused for what it has done before, and another one is", async () => {
  const paid: string[] = [];
  const store = withoutSeveral(memoryStore());
  const { run, ids } = await waitingDesk(store, paid);
  const answers = { decisions: approving(ids) };
  const dying = dyingAtChange(store, { at: 3, isAfter: false });
  await testRuns(dying.store, { agents: [] }).get("r").answer(answers);
  expect(dying.isDead()).toBe(true);
  await run.answer(answers);
  expect((await approvalsOf(run)).size).toBe(0);
  await expect(run.answer(answers)).rejects.toThrow("was approved before");
});

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
      ["context.runAgent", undefined],
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
