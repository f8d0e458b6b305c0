/** Tools that wait themselves: for a time, and for what another program has to say. */
import { afterEach, expect, test, vi } from "vitest";
import { Agent, type AnyAgent, run, type RunOptions, tool, type ToolContext } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { approve, worker } from "./agents.ts";
import { newFile, testRuns, until } from "./test-runs.ts";

afterEach(() => {
  vi.useRealTimers();
});

const day = 86_400_000;

/** Lets the clock go on. */
function pass(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

test("a tool that sleeps for days leaves its process, and goes on after the steps it has done, in another one", async () => {
  const file = newFile();
  const done: string[] = [];
  const agent = worker(async ({ step, sleep }) => {
    const id = await step("invite", () => `invitation ${done.push("invite")}`);
    await sleep("a week", 7 * day);
    await step("remind", () => done.push("remind"));
    return id;
  });
  const first = testRuns(file, { agents: [agent] });
  void first.work();
  const before = Date.now();
  const sleeper = await first.start(agent, "Invite Ann", { id: "r" });
  await until(async () => (await sleeper.state()).at !== undefined);
  const { status, at, pending } = await sleeper.state();
  expect(status).toBe("queued");
  expect(at?.getTime()).toBeGreaterThanOrEqual(before + 7 * day);
  expect(pending).toMatchObject([
    { toolName: "context.sleep", parentToolCallId: expect.any(String), input: { until: expect.any(Number) } },
  ]);
  await first.close();
  const second = testRuns(file, { agents: [agent] });
  void second.work();
  pass(6 * day);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(done).toEqual(["invite"]);
  pass(day);
  expect(await second.get("r").result()).toMatchObject({ status: "completed", text: "invitation 1" });
  expect(done).toEqual(["invite", "remind"]);
  expect((await second.get("r").result()).warnings).toEqual([]);
});

test("a short sleep, one that is over, and a sleep without a durable run wait in the process", async () => {
  let executions = 0;
  const agent = worker(async ({ sleep }) => {
    executions += 1;
    await sleep("short", 50);
    await sleep("over", new Date(0));
    return "rested";
  });
  const app = testRuns(newFile(), { agents: [agent] });
  const rested = await app.start(agent, "Rest", { here: true });
  expect(await rested.result()).toMatchObject({ status: "completed", text: "rested" });
  expect((await run(agent, "Rest")).text).toBe("rested");
  expect(executions).toBe(2);
});

test("a sleep that nothing leaves ends with its run", async () => {
  const asleep = Promise.withResolvers<void>();
  const agent = worker(async ({ sleep }) => {
    const sleeping = sleep("long", day);
    asleep.resolve();
    await sleeping;
  });
  const controller = new AbortController();
  const running = run(agent, "Rest", { signal: controller.signal });
  await asleep.promise;
  controller.abort();
  expect(await running).toMatchObject({ status: "cancelled" });
});

test("a sleeping run is woken by resolve(), and ended by cancel()", async () => {
  const agent = worker(async ({ sleep }) => {
    await sleep("long", day);
    return "rested";
  });
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const woken = await app.start(agent, "Rest");
  await until(async () => (await woken.state()).pending.length === 1);
  await woken.resolve((await woken.state()).pending[0]?.toolCallId ?? "", null);
  expect(await woken.result()).toMatchObject({ status: "completed", text: "rested" });
  // A sleep is not an end for those who read the events.
  const ends = (await Array.fromAsync(woken.events())).filter(({ type }) => type === "run-end");
  expect(ends).toMatchObject([{ status: "completed" }]);
  const ended = await app.start(agent, "Rest");
  await until(async () => (await ended.state()).pending.length === 1);
  expect(await ended.cancel("No rest.")).toBe(true);
  expect(await ended.result()).toMatchObject({ status: "cancelled" });
});

const values = [
  "",
  "Paid.",
  null,
  0,
  false,
  [],
  [1, { a: null }],
  { paid: true, by: "Ann" },
  "x".repeat(100_000),
];

test.each(values.map((value) => [JSON.stringify(value).slice(0, 40), value] as const))(
  "a tool waits for a token, and receives what another process has for it: %s",
  async (_, value) => {
    const file = newFile();
    const received: unknown[] = [];
    let charges = 0;
    const agent = worker(async ({ step, waitFor }) => {
      await step("charge", () => (charges += 1));
      received.push(await waitFor("payment 7"));
      return "Received.";
    });
    const first = testRuns(file, { agents: [agent] });
    void first.work();
    const { status, pending } = await (await first.start(agent, "Charge Ann", { id: "r" })).result();
    expect(status).toBe("paused");
    expect(pending).toMatchObject([{ toolName: "context.waitFor", input: { token: "payment 7" } }]);
    await first.close();
    const second = testRuns(file, { agents: [agent] });
    await expect(second.get("r").resolve("payment 8", value)).rejects.toThrow(
      'No call "payment 8" waits for a result (waiting: payment 7).',
    );
    await second.get("r").resolve("payment 7", value);
    await expect(second.get("r").resolve("payment 7", value)).rejects.toThrow("has a result already");
    void second.work();
    expect(await second.get("r").result()).toMatchObject({ status: "completed", text: "Received." });
    expect(received).toEqual([value]);
    expect(charges).toBe(1);
  },
);

test("what went wrong elsewhere is an error of the tool, in the words that came", async () => {
  const agent = worker(async ({ waitFor }) => {
    try {
      return await waitFor("payment");
    } catch (error) {
      if (Object(error).code === "call-waiting") throw error;
      return `Not paid: ${Object(error).message}`;
    }
  });
  const app = testRuns(newFile(), { agents: [agent] });
  const charged = await app.start(agent, "Charge Ann", { here: true });
  await charged.result();
  await charged.resolve("payment", "The card has expired.", { isError: true });
  expect(await charged.result()).toMatchObject({ text: "Not paid: The card has expired." });
});

test("without a durable run, a wait pauses the run, and results has what it waits for", async () => {
  const agent = worker(async ({ waitFor }) => waitFor("payment"));
  const { state, pending, status } = await run(agent, "Charge Ann");
  expect(status).toBe("paused");
  const toolCallId = pending[0]?.toolCallId ?? "";
  const stored: typeof state = JSON.parse(JSON.stringify(state));
  const { text } = await run(agent, stored, { results: [{ toolCallId, content: "Paid." }] });
  expect(text).toBe("Paid.");
});

test("what a tool waits for side by side comes in any order, and an approval has its own time", async () => {
  const input = { type: "object", properties: {} } as const;
  const refund = vi.fn<() => string>(() => "refunded");
  const inner = worker(async ({ waitFor }) => waitFor("within"), "Inner");
  const agent: AnyAgent = new Agent({
    name: "Boss",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "all", arguments: {} }] },
    ),
    tools: [
      inner.asTool({ name: "inner" }),
      tool({ name: "refund", input, approval: true, execute: refund }),
      tool({
        name: "all",
        input,
        execute: (_, { call, sleep, waitFor }) =>
          Promise.all([
            call("refund", {}),
            sleep("a day", day),
            waitFor("one"),
            waitFor("two"),
            call("inner", { input: "Wait." }),
          ]),
      }),
    ],
  });
  const app = testRuns(newFile(), { agents: [agent], approvalTimeout: 3 * day });
  void app.work();
  const all = await app.start(agent, "Go", { id: "r" });
  const { pending } = await all.result();
  expect(pending.map(({ toolName }) => toolName).sort()).toEqual([
    "context.sleep",
    "context.waitFor",
    "context.waitFor",
    "context.waitFor",
    "refund",
  ]);
  await all.resolve("two", 2);
  await until(async () => (await all.state()).pending.length === 4);
  pass(day + 1_000);
  await until(async () => (await all.state()).pending.length === 3);
  await all.resolve("within", "inside");
  await until(async () => (await all.state()).pending.length === 2);
  expect(await all.result()).toMatchObject({ status: "paused" });
  pass(2 * day);
  await until(async () => (await all.state()).pending.length === 1);
  await all.resolve("one", 1);
  const { status, warnings } = await all.result();
  expect([status, warnings]).toEqual(["completed", []]);
  expect(refund).not.toHaveBeenCalled();
  expect(JSON.stringify((await all.state()).messages)).toContain("No person decided on it in time.");
});

test("a token names one wait: in a call it stands once, and of two calls that wait for it one must be named", async () => {
  const twice = worker(async ({ waitFor }) => Promise.all([waitFor("x"), waitFor("x")]));
  const { pending: once, state } = await run(twice, "Wait");
  const results = once.map(({ toolCallId }) => ({ toolCallId, content: 1 }));
  expect((await run(twice, state, { results })).text).toContain('used the token "x" twice');
  const both = new Agent({
    name: "Both",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? "Done."
        : { toolCalls: ["a", "b"].map((id) => ({ toolCallId: id, toolName: "wait", arguments: {} })) },
    ),
    tools: [
      tool({
        name: "wait",
        input: { type: "object", properties: {} },
        execute: (_, { waitFor }) => waitFor("x"),
      }),
    ],
  });
  const app = testRuns(newFile(), { agents: [both] });
  const waiting = await app.start(both, "Wait", { here: true });
  const { pending } = await waiting.result();
  await expect(waiting.resolve("x", 1)).rejects.toThrow('2 calls wait for "x". Name one of them: ');
  for (const { toolCallId } of pending) await waiting.resolve(toolCallId, 1);
  expect(await waiting.result()).toMatchObject({ status: "completed", text: "Done." });
});

test("outside a run a tool cannot wait for a token", async () => {
  const { executeToolCalls } = await import("skein");
  const wait = tool({
    name: "wait",
    input: { type: "object", properties: {} },
    execute: (_, { waitFor }) => waitFor("x"),
  });
  const [result] = await executeToolCalls([{ toolCallId: "1", toolName: "wait", arguments: "{}" }], [wait]);
  expect(JSON.stringify(result?.content)).toContain("outside a run");
});

test("an approved call that waits is not approved again", async () => {
  const execute = vi.fn<(context: ToolContext) => Promise<unknown>>(({ waitFor }) => waitFor("x"));
  const agent = new Agent({
    name: "Careful",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "pay", arguments: {} }] },
    ),
    tools: [
      tool({
        name: "pay",
        input: { type: "object", properties: {} },
        approval: true,
        execute: (_, context) => execute(context),
      }),
    ],
  });
  const app = testRuns(newFile(), { agents: [agent] });
  const paying = await app.start(agent, "Pay", { here: true });
  await paying.result();
  await approve(paying);
  await until(async () => (await paying.state()).pending[0]?.toolName === "context.waitFor");
  await paying.resolve("x", "paid");
  expect(await paying.result()).toMatchObject({ status: "completed", text: "Done." });
  expect(execute).toHaveBeenCalledTimes(2);
});

test("a value that a tool would not get whole is refused", async () => {
  const agent = worker(({ waitFor }) => waitFor("x"));
  const app = testRuns(newFile(), { agents: [agent] });
  const large = await app.start(agent, "Go", { here: true });
  await large.result();
  await expect(large.resolve("x", "x".repeat(1_100_000))).rejects.toThrow("longer than 1048576 characters");
  let deep: unknown = 1;
  for (let level = 0; level < 101; level += 1) deep = [deep];
  await expect(large.resolve("x", deep)).rejects.toThrow("nested more than 100 levels deep");
  await large.resolve("x", "small");
  expect(await large.result()).toMatchObject({ text: "small" });
});

test("a wait has a time of its own, which counts over restarts of the tool", async () => {
  const agent = worker(async ({ step, waitFor }) => {
    const [first, second] = await Promise.allSettled([
      waitFor("soon", { timeout: day }),
      waitFor("later", { timeout: 3 * day }),
    ]);
    if (first.status === "rejected" && Object(first.reason).code === "call-waiting") throw first.reason;
    if (second.status === "rejected" && Object(second.reason).code === "call-waiting") throw second.reason;
    return step("what came", () =>
      [first, second].map((each) => (each.status === "fulfilled" ? each.value : each.reason.message)),
    );
  });
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const limited = await app.start(agent, "Wait");
  expect((await limited.result()).pending).toMatchObject([
    { input: { token: "soon" } },
    { input: { token: "later" } },
  ]);
  pass(day + 1_000);
  await until(async () => (await limited.state()).pending.length === 1);
  await limited.resolve("later", "It came.");
  expect((await limited.result()).text).toBe('["Nothing came for \\"soon\\" in time.","It came."]');
});

test.each(["durable", "state", "session"])('a tool with interrupted: "tell" may wait: %s', async (kind) => {
  const execute = vi.fn<(context: ToolContext) => Promise<unknown>>(({ waitFor }) => waitFor("x"));
  const agent = new Agent({
    name: "Told",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "once", arguments: {} }] },
    ),
    tools: [
      tool({
        name: "once",
        input: { type: "object", properties: {} },
        interrupted: "tell",
        execute: (_, context) => execute(context),
      }),
    ],
  });
  if (kind !== "durable") {
    const options: RunOptions = kind === "session" ? { session: memorySession() } : {};
    const { state, pending } = await run(agent, "Go", options);
    await run(agent, options.session ? [] : state, {
      ...options,
      results: [{ toolCallId: pending[0]?.toolCallId ?? "", content: "came" }],
    });
  } else {
    const app = testRuns(newFile(), { agents: [agent] });
    const waiter = await app.start(agent, "Go", { here: true });
    await waiter.result();
    await waiter.resolve("x", "came");
    await waiter.result();
  }
  expect(execute).toHaveBeenCalledTimes(2);
  expect(await execute.mock.results[1]?.value).toBe("came");
});

test("of two approvals that came up on different days, each is denied when its own time is over", async () => {
  const input = { type: "object", properties: { order: { type: "integer" } } } as const;
  const paid: unknown[] = [];
  const agent = new Agent({
    name: "Cashier",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "both", arguments: {} }] },
    ),
    tools: [
      tool({ name: "pay", input, approval: true, execute: ({ order }) => paid.push(order) }),
      tool({
        name: "both",
        input: { type: "object", properties: {} },
        execute: async (_, { call, waitFor }) => {
          const second = async (): Promise<unknown> => {
            await waitFor("second");
            return call("pay", { order: 2 });
          };
          const results = await Promise.allSettled([call("pay", { order: 1 }), second()]);
          return results.map(({ status }) => status);
        },
      }),
    ],
  });
  const app = testRuns(newFile(), { agents: [agent], approvalTimeout: 2 * day });
  void app.work();
  const both = await app.start(agent, "Pay");
  await both.result();
  const orders = async (): Promise<readonly unknown[]> =>
    (await both.state()).pending.map((each) => (each.approvalId === undefined ? "token" : each.input));
  expect(await orders()).toHaveLength(2);
  pass(day);
  await both.resolve("second", null);
  await until(async () => !(await orders()).includes("token") && (await both.state()).status === "paused");
  pass(day + 1_000);
  await until(async () => (await orders()).length === 1);
  expect(await orders()).toEqual([{ order: 2 }]);
  await until(async () => (await both.state()).status === "paused");
  await approve(both);
  expect(await both.result()).toMatchObject({ status: "completed" });
  expect(paid).toEqual([2]);
});
