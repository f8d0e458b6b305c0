import { Agent, tool } from "skein";
import { memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { afterEach, expect, test, vi } from "vitest";
import { newFile, testRuns, until } from "./test-runs.ts";

afterEach(() => void vi.restoreAllMocks());

const clock = Date.now;

/** Puts the clock forward, or back. */
function moveClock(milliseconds: number): void {
  vi.spyOn(Date, "now").mockImplementation(() => clock() + milliseconds);
}

const stores = [
  ["sqliteStore()", newFile()],
  ["memoryStore()", memoryStore()],
] as const;

/** An agent whose tool pays once it may. */
function payingAgent(): {
  readonly agent: Agent;
  readonly effects: string[];
  readonly begin: Promise<void>;
  readonly pay: () => void;
} {
  const effects: string[] = [];
  const begun = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  const pay = tool({
    name: "pay",
    description: "Pay.",
    input: { type: "object", properties: {} },
    execute: async (_input, { idempotencyKey, signal }) => {
      begun.resolve();
      await allowed.promise;
      effects.push(`${idempotencyKey}${signal.aborted ? " (aborted)" : ""}`);
      return `paid, payment ${effects.length}`;
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.length === 1 ? { toolCalls: [{ toolName: "pay", arguments: {} }] } : "It is paid.",
  );
  return {
    agent: new Agent({ name: "Desk", model, tools: [pay] }),
    effects,
    begin: begun.promise,
    pay: () => allowed.resolve(),
  };
}

test.each(stores)(
  "%s: a worker does not take its own run away when the clock is put forward",
  async (name, store) => {
    const { agent, effects, begin, pay } = payingAgent();
    const errors: unknown[] = [];
    const app = testRuns(store, { agents: [agent], onError: (error) => errors.push(error) });
    void app.work();
    const run = await app.start(agent, "Pay!", { id: `clock-${name}` });
    await begin;
    moveClock(60_000);
    // What waits looks at least once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    pay();
    expect(await run.result()).toMatchObject({ status: "completed", text: "It is paid.", attempts: 1 });
    expect(effects).toHaveLength(1);
    expect(errors).toEqual([]);
  },
);

test.each(stores)(
  "%s: a worker that stood still for longer than its lease goes on with its run",
  async (name, store) => {
    const { agent, effects, begin, pay } = payingAgent();
    const app = testRuns(store, { agents: [agent], lease: 200 });
    void app.work();
    const run = await app.start(agent, "Pay!", { id: `still-${name}`, here: true });
    await begin;
    const end = clock() + 500;
    while (clock() < end);
    await new Promise((resolve) => setTimeout(resolve, 300));
    pay();
    expect(await run.result()).toMatchObject({ status: "completed", attempts: 1 });
    expect(effects).toHaveLength(1);
    expect(effects[0]).not.toContain("aborted");
  },
);

test("another process has the run of one whose lease has ended", async () => {
  const file = newFile();
  const [first, second] = [payingAgent(), payingAgent()];
  second.pay();
  const one = testRuns(file, { agents: [first.agent] });
  void one.work();
  const run = await one.start(first.agent, "Pay!");
  await first.begin;
  moveClock(60_000);
  const other = testRuns(file, { agents: [second.agent] });
  void other.work();
  expect(await run.result()).toMatchObject({ status: "completed" });
  expect(second.effects).toHaveLength(1);
});

test.each(stores)(
  "%s: a run that may begin at once does so by a clock that is put back",
  async (name, store) => {
    const agent = new Agent({ name: "Desk", model: new FunctionModel(() => "Hello") });
    const app = testRuns(store, { agents: [agent] });
    const run = await app.start(agent, "Hello", { id: `back-${name}` });
    expect((await run.state()).at).toBeUndefined();
    moveClock(-3_600_000);
    void app.work();
    expect(await run.result({ timeout: 4_000 })).toMatchObject({ status: "completed" });
  },
);

test("a run that was decided on goes on by a clock that is put back", async () => {
  const approved = tool({
    name: "pay",
    description: "Pay.",
    input: { type: "object", properties: {} },
    approval: true,
    execute: () => "paid",
  });
  const model = new FunctionModel(({ messages }) =>
    messages.length === 1 ? { toolCalls: [{ toolName: "pay", arguments: {} }] } : "It is paid.",
  );
  const agent = new Agent({ name: "Desk", model, tools: [approved] });
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Pay!");
  const { pending } = await run.result();
  await run.decide([{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" }]);
  moveClock(-3_600_000);
  expect(await run.result({ timeout: 4_000 })).toMatchObject({ status: "completed" });
});

test("what a process could not give up while its store failed is another's, though it keeps the leases of others", async () => {
  const store = memoryStore();
  let isDown = false;
  const unlessDown = <T>(work: () => Promise<T>): Promise<T> =>
    isDown ? Promise.reject(new Error("The store is down.")) : work();
  const failing: typeof store = {
    ...store,
    key: store.key,
    claim: (request) => unlessDown(() => store.claim(request)),
    renew: (...request) => unlessDown(() => store.renew(...request)),
    commit: (...request) => unlessDown(() => store.commit(...request)),
  };
  const [first, second] = [payingAgent(), payingAgent()];
  const one = testRuns(failing, { agents: [first.agent], lease: 200 });
  void one.work({ concurrency: 1 });
  const run = await one.start(first.agent, "Pay!");
  await first.begin;
  isDown = true;
  await new Promise((resolve) => setTimeout(resolve, 600));
  // Its one place goes to this run, which never ends.
  const other = await one.start(first.agent, "Pay!", { priority: 1 });
  isDown = false;
  await until(async () => (await other.state()).status === "running");
  await new Promise((resolve) => setTimeout(resolve, 300));
  second.pay();
  void testRuns(store, { agents: [second.agent], lease: 200 }).work();
  expect(await run.result({ timeout: 5_000 })).toMatchObject({ status: "completed" });
  expect(second.effects).toHaveLength(1);
});
