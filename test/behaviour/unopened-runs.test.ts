/** A run that fails before it has done anything: what to resume. */
import { describe, expect, test, vi } from "vitest";
import {
  Agent,
  AgentNotFoundError,
  run,
  type RunInput,
  type RunOptions,
  type RunResult,
  type RunState,
  SkeinError,
  stream,
  tool,
  type Session,
  type Toolset,
} from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { memoryJournal } from "./test-journal.ts";
import { empty } from "./test-nested.ts";

async function errorOf(running: Promise<unknown>): Promise<SkeinError> {
  const error: unknown = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SkeinError)) throw new Error("The run did not fail.", { cause: error });
  return error;
}

/** Desk runs Helper, which ships and then fails at its session; the ways that its session fails are `failing`. */
function desk() {
  const shipped: string[] = [];
  const ship = tool({
    name: "ship",
    input: empty,
    execute: (_, { idempotencyKey }) => `shipped ${shipped.push(idempotencyKey)}`,
  });
  const turn = { toolCalls: [{ toolName: "ship", arguments: {} }] };
  const helper = new Agent({
    name: "Helper",
    model: new FunctionModel(({ messages }) => (messages.length > 1 ? "Shipped." : turn)),
    tools: [ship],
  });
  const call = { toolCalls: [{ toolName: "helper", arguments: { input: "Ship." } }] };
  const model = new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : call));
  return { agent: new Agent({ name: "Desk", model, tools: [helper.asTool()] }), shipped };
}

/** A session that fails at one of its entries, before it stores anything, or after. */
function failing(stored: Session, isDue: (text: string) => boolean, place: "before" | "after"): Session {
  return {
    load: () => stored.load(),
    clear: () => stored.clear(),
    async append(entries) {
      const isFailing = isDue(JSON.stringify(entries));
      if (isFailing && place === "before") throw new Error("disk full");
      await stored.append(entries);
      if (isFailing) throw new Error("disk full");
    },
  };
}

test("a run that cannot claim its session leaves it at that: nothing is executed again, whatever is resumed", async () => {
  const stored = memorySession();
  const { agent, shipped } = desk();
  const isResult = (text: string): boolean => text.includes("shipped 1");
  await errorOf(run(agent, "Go", { session: failing(stored, isResult, "after") }));
  const refused = await errorOf(run(agent, [], { session: failing(stored, () => true, "before") }));
  expect(refused).toMatchObject({ code: "session-failed", message: expect.stringContaining("Resume from") });
  expect(refused.state).toBeUndefined();
  const done = await run(agent, [], { session: stored });
  expect([done.text, shipped.length]).toEqual(["Done.", 1]);
});

test("a session whose decisions are refused stands where it was, signed or not", async () => {
  const pay = tool({ name: "pay", input: empty, approval: true, execute: () => "paid" });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay" }] }, "Done."]);
  const agent = new Agent({ name: "Clerk", model, tools: [pay] });
  const options = { stateSecret: "a secret of this test", session: memorySession() };
  const paused = await run(agent, "Pay", options);
  const refused = await errorOf(
    run(agent, [], { ...options, approvals: [{ approvalId: "unknown", decision: "approve" }] }),
  );
  expect(refused.state).toBeUndefined();
  const approvals = paused.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
  }));
  expect((await run(agent, [], { ...options, approvals })).text).toBe("Done.");
});

test.each(["a state", "a session"])(
  "a decision in %s is not changed while a toolset is down",
  async (keeper) => {
    const { agent, done, isDown } = shop();
    const options: RunOptions = keeper === "a session" ? { session: memorySession() } : {};
    const paused = await run(agent, "Go", options);
    const { approvals, results } = answersTo(paused);
    const from = (state: RunState | undefined): RunInput => (keeper === "a session" ? [] : (state ?? []));
    isDown.value = true;
    const first = await errorOf(run(agent, from(paused.state), { ...options, approvals, results }));
    const denied = approvals.map((each) => ({ ...each, decision: "deny" as const }));
    const second = await errorOf(run(agent, from(first.state), { ...options, approvals: denied, results }));
    isDown.value = false;
    await run(agent, from(second.state), { ...options, results });
    expect(done).toEqual(["charge", "mail"]);
  },
);

/** A shop whose toolset is down when it is told, and what it has done: an order charges, and waits for a scan, as the model does, and a mail for a person. */
function shop() {
  const done: string[] = [];
  const isDown = { value: false };
  const does = (name: string, options: { approval?: true } = {}) =>
    tool({ name, input: empty, ...options, execute: () => `${done.push(name)}` });
  const order = tool({
    name: "order",
    input: empty,
    async execute(_: object, { call }) {
      await call("charge", {});
      return call("scan", {});
    },
  });
  const set: Toolset = {
    name: "set",
    tools: () => (isDown.value ? Promise.reject(new Error("The server is down.")) : []),
  };
  const calls = ["order", "mail", "scan"].map((toolName) => ({ toolName, arguments: {} }));
  const agent = new Agent({
    name: "Shop",
    model: new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : { toolCalls: calls })),
    tools: [
      order,
      does("charge"),
      tool({ name: "scan", input: empty }),
      does("mail", { approval: true }),
      set,
    ],
  });
  return { agent, done, isDown };
}

/** What the program has for the calls of the shop. */
function answersTo({ pending }: Pick<RunResult, "pending">) {
  return {
    approvals: pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : { approvalId, decision: "approve" as const },
    ),
    results: pending.flatMap(({ approvalId, toolCallId }) =>
      approvalId === undefined ? { toolCallId, content: "scanned" } : [],
    ),
  };
}

test.each(["a state", "a signed state", "a session"])(
  "what comes while a toolset is down costs %s neither what was done nor what was decided",
  async (keeper) => {
    const { agent, done, isDown } = shop();
    const options: RunOptions = {
      ...(keeper === "a session" && { session: memorySession() }),
      ...(keeper === "a signed state" && { stateSecret: "a secret of this test" }),
    };
    const paused = await run(agent, "Go", options);
    expect(paused.pending.map(({ toolName }) => toolName)).toEqual(["scan", "mail", "scan"]);
    const answers = answersTo(paused);
    isDown.value = true;
    const from = (state: RunState | undefined): RunInput => (keeper === "a session" ? [] : (state ?? []));
    const error = await errorOf(run(agent, from(paused.state), { ...options, ...answers }));
    expect(error.message).toContain("The server is down.");
    isDown.value = false;
    const { results } = answers;
    const ended = await run(agent, from(error.state), { ...options, results });
    expect([ended.status, done]).toEqual(["completed", ["charge", "mail"]]);
  },
);

test("a run that waits for the session of one that fails has the decisions which came to that", async () => {
  const { agent, done } = clerk();
  const session = memorySession({ busy: "wait" });
  const { approvals } = answersTo(await run(agent, "Pay", { session }));
  const without = new Agent({ name: "Clerk", model: new ScriptedModel([]) });
  const failing = run(without, [], { session, approvals });
  const waiting = run(agent, [], { session });
  expect(await errorOf(failing)).toBeInstanceOf(AgentNotFoundError);
  expect([(await waiting).text, done]).toEqual(["Paid.", ["pay"]]);
});

test("what a run has done that fails is stored before another process can have its session", async () => {
  const stored = memorySession();
  const types: string[] = [];
  const session: Session = {
    ...stored,
    append: (entries) => {
      types.push(
        ...entries.map((entry) => (entry.type === "claim" && entry.until === 0 ? "end" : entry.type)),
      );
      return stored.append(entries);
    },
  };
  const { agent } = clerk();
  const { approvals } = answersTo(await run(agent, "Pay", { session }));
  const without = new Agent({ name: "Clerk", model: new ScriptedModel([]) });
  await errorOf(run(without, [], { session, approvals }));
  expect(types.slice(-2)).toEqual(["decision", "end"]);
  const middleware = [
    {
      model() {
        throw new Error("The model is down.");
      },
    },
  ];
  await errorOf(run(agent, "And now?", { session, middleware }));
  expect(types.at(-1)).toBe("end");
});

describe("a run that is cancelled before it goes on", () => {
  const cases = ["a state", "a signed state", "a session"].flatMap((keeper) =>
    [true, false].map((isDecided) => ({ keeper, isDecided })),
  );
  const optionsOf = (keeper: string): RunOptions => ({
    ...(keeper === "a session" && { session: memorySession() }),
    ...(keeper === "a signed state" && { stateSecret: "a secret of this test" }),
  });
  const inputOf = (keeper: string, { state }: RunResult): RunInput => (keeper === "a session" ? [] : state);

  test.each(cases)("leaves $keeper as it stands, decided: $isDecided", async ({ keeper, isDecided }) => {
    const { agent, done } = clerk();
    const options = optionsOf(keeper);
    const paused = await run(agent, "Pay", options);
    const { approvals } = answersTo(paused);
    const decided = isDecided && { approvals };
    const signal = AbortSignal.abort();
    const cancelled = await run(agent, inputOf(keeper, paused), { ...options, ...decided, signal });
    const { signature: _, ...before } = paused.state;
    const expected = { ...before, ...(isDecided && { decisions: approvals }) };
    expect(cancelled).toMatchObject({ status: "cancelled", messages: [], pending: [], warnings: [] });
    expect(cancelled.state).toMatchObject(expected);
    expect(cancelled.agent.name).toBe("Cashier");
    const next = await run(agent, inputOf(keeper, cancelled), {
      ...options,
      ...(!isDecided && { approvals }),
    });
    expect([next.text, done]).toEqual(["Paid.", ["pay"]]);
  });

  test.each(["a state", "a session"])("does not take a decision back in %s", async (keeper) => {
    const { agent, done } = clerk();
    const options = optionsOf(keeper);
    const paused = await run(agent, "Pay", options);
    const { approvals } = answersTo(paused);
    const signal = AbortSignal.abort();
    const cancelled = await run(agent, inputOf(keeper, paused), { ...options, approvals, signal });
    const denied = approvals.map((each) => ({ ...each, decision: "deny" as const }));
    const refused = run(agent, inputOf(keeper, cancelled), { ...options, approvals: denied });
    expect((await errorOf(refused)).message).toContain("was approved before");
    expect(done).toEqual([]);
  });

  test.each(["a state", "a session"])("warns of a decision that does not fit %s", async (keeper) => {
    const { agent, done } = clerk();
    const options = optionsOf(keeper);
    const paused = await run(agent, "Pay", options);
    const approvals = [{ approvalId: "unknown", decision: "approve" as const }];
    const signal = AbortSignal.abort();
    const cancelled = await run(agent, inputOf(keeper, paused), { ...options, approvals, signal });
    expect(cancelled.warnings).toEqual([expect.stringContaining('"unknown", which is not pending')]);
    expect(await run(agent, inputOf(keeper, cancelled), options)).toMatchObject({ status: "paused" });
    expect(done).toEqual([]);
  });

  test.each(["a state", "a session"])(
    "leaves calls within calls in %s, and waits for their results",
    async (keeper) => {
      const { agent, done } = shop();
      const options = optionsOf(keeper);
      const paused = await run(agent, "Go", options);
      const { approvals, results } = answersTo(paused);
      const signal = AbortSignal.abort();
      const answers = { approvals, results };
      const cancelled = await run(agent, inputOf(keeper, paused), { ...options, ...answers, signal });
      expect(cancelled.state).toMatchObject({ pending: paused.pending, decisions: approvals });
      const ended = await run(agent, inputOf(keeper, cancelled), { ...options, results });
      expect([ended.status, done]).toEqual(["completed", ["charge", "mail"]]);
    },
  );

  test("ends although the store of its session does not answer", async () => {
    const stored = memorySession();
    const { agent } = clerk();
    await run(agent, "Pay", { session: stored });
    const silent: Session = { ...stored, load: () => new Promise(() => {}) };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const running = run(agent, [], { session: silent, signal: AbortSignal.abort() });
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
      await vi.advanceTimersByTimeAsync(6_000);
      expect(await running).toMatchObject({ status: "cancelled" });
    } finally {
      vi.useRealTimers();
    }
  });
});

/** A clerk who has the lead after a handoff, and pays once a person agrees. The function that lists its colleague is `isDown` at times. */
function clerk() {
  const done: string[] = [];
  const isDown = { value: false };
  const pay = tool({ name: "pay", input: empty, approval: true, execute: () => `${done.push("pay")}` });
  const cashier = new Agent({
    name: "Cashier",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool" && done.length > 0 ? "Paid." : { toolCalls: [{ toolName: "pay" }] },
    ),
    tools: [pay],
  });
  const agent = new Agent({
    name: "Clerk",
    model: new FunctionModel(() => ({ toolCalls: [{ toolName: "transfer_to_cashier" }] })),
    handoffs: () => {
      if (isDown.value) throw new Error("The list cannot be loaded.");
      return [cashier];
    },
  });
  return { agent, done, isDown };
}

test.each(["a state", "a signed state", "a session"])(
  "a handoffs function that throws as a run is resumed fails the run, and costs %s no decision",
  async (keeper) => {
    const { agent, done, isDown } = clerk();
    const options: RunOptions = {
      ...(keeper === "a session" && { session: memorySession() }),
      ...(keeper === "a signed state" && { stateSecret: "a secret of this test" }),
    };
    const paused = await run(agent, "Pay", options);
    const { approvals } = answersTo(paused);
    isDown.value = true;
    const from = (state: RunState | undefined): RunInput => (keeper === "a session" ? [] : (state ?? []));
    const error = await errorOf(stream(agent, from(paused.state), { ...options, approvals }).result);
    expect([error.code, error.message]).toEqual(["run-failed", "The run failed: The list cannot be loaded."]);
    // Nor does it where nothing is decided.
    const again = await errorOf(run(agent, from(error.state), options));
    const kept = options.session ? (await readSession(options.session)).state : again.state;
    expect(kept).toMatchObject({ agent: "Cashier", status: "paused", decisions: approvals });
    isDown.value = false;
    expect([(await run(agent, from(again.state), options)).text, done]).toEqual(["Paid.", ["pay"]]);
  },
);

test("a session keeps a decision that came to a program without its agent", async () => {
  const { agent, done } = clerk();
  const session = memorySession();
  const { approvals } = answersTo(await run(agent, "Pay", { session }));
  const other = new Agent({ name: "Clerk", model: new ScriptedModel([]) });
  const error = await errorOf(run(other, [], { session, approvals }));
  expect(error).toBeInstanceOf(AgentNotFoundError);
  expect([(await run(agent, [], { session })).text, done]).toEqual(["Paid.", ["pay"]]);
});

test.each(["failed", "been cancelled"])(
  "a model call that has %s does not count as a turn: a journal goes on with its keys",
  async (how) => {
    const keys: string[] = [];
    const pay = tool({
      name: "pay",
      input: empty,
      execute: (_: object, { idempotencyKey }) => `${keys.push(idempotencyKey)}`,
    });
    let isFirst = true;
    const controller = new AbortController();
    const model = new FunctionModel(({ messages }) => {
      if (!isFirst) return messages.length > 1 ? "Done." : { toolCalls: [{ toolName: "pay" }] };
      isFirst = false;
      if (how === "failed") return { error: new Error("down") };
      controller.abort();
      return { text: "late", delay: 60_000 };
    });
    const agent = new Agent({ name: "A", model, tools: [pay] });
    const journal = memoryJournal();
    const first = await run(agent, "Pay", { journal, runId: "r", signal: controller.signal }).catch(
      (error: SkeinError) => error,
    );
    expect(first.state?.turn).toBe(0);
    await run(agent, first.state ?? [], { journal });
    await run(agent, "Pay", { journal, runId: "r" });
    expect(keys).toEqual(["r/turn-1/tool/call_1"]);
  },
);
