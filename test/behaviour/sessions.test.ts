/** Conversations that are kept between runs: in every store, through crashes, and with two runs at once. */
import { describe, expect, test } from "vitest";
import { Agent, result, run, stream, tool, type Message, type Session, type SessionEntry } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { storesIn, temporaryFolder } from "../../src/sessions/test-stores.ts";

const empty = { type: "object", properties: {} } as const;
const call = (...names: string[]) => ({ toolCalls: names.map((toolName) => ({ toolName })) });

/** Roles, and for results their outcomes. */
function outline(messages: readonly Message[]): readonly string[] {
  return messages.map((message) =>
    message.role === "tool" ? `${message.result.toolName}: ${message.result.outcome}` : message.role,
  );
}

/** A session that remembers what it held after each addition. */
function observed(session: Session = memorySession()): { session: Session; states: SessionEntry[][] } {
  const states: SessionEntry[][] = [];
  const append: Session["append"] = async (entries) => {
    await session.append(entries);
    states.push([...(await session.load()).entries]);
  };
  return { session: { ...session, load: session.load.bind(session), append }, states };
}

/** A session as another process finds it. */
async function sessionOf(entries: readonly SessionEntry[]): Promise<Session> {
  const session = memorySession();
  await session.append(entries);
  return session;
}

describe.each(storesIn(temporaryFolder()))("%s", (_, newSession) => {
  test("a conversation goes on with its history, its agent and its context", async () => {
    const sales: Agent = new Agent({ name: "Sales", model: new FunctionModel(() => "I sell.") });
    const transfer = tool({
      name: "transfer",
      input: empty,
      execute: () => result({ agent: sales, context: { visits: 1 } }),
    });
    const desk = new Agent({
      name: "Desk",
      model: new ScriptedModel([call("transfer")]),
      tools: [transfer],
      handoffs: [sales],
    });
    const session = newSession();
    const first = await run(desk, "Hello", { session, context: { name: "Ann", visits: 0 } });
    expect(first.agent.name).toBe("Sales");

    const second = await run(desk, "And now?", { session, context: { handle: () => {} } });
    expect(second).toMatchObject({ text: "I sell.", turns: 1, context: { name: "Ann", visits: 1 } });
    expect(second.context).toHaveProperty("handle");
    expect(second.agent.name).toBe("Sales");
    expect(second.messages).toHaveLength(1);
    expect(outline(second.state.messages)).toEqual([
      "user",
      "assistant",
      "transfer: success",
      "assistant",
      "user",
      "assistant",
    ]);
    const { messages, state } = await readSession(session);
    expect(messages).toEqual(second.state.messages);
    expect(state).toMatchObject({ agent: "Sales", status: "completed", pending: [] });
  });

  test("starts empty after clear", async () => {
    const session = newSession();
    const model = new FunctionModel(({ messages }) => `${messages.length}`);
    const agent = new Agent({ name: "A", model });
    await run(agent, "one", { session, context: { a: 1 } });
    await session.clear();
    const after = await run(agent, "two", { session });
    expect(after).toMatchObject({ text: "1", context: {} });
    expect((await readSession(session)).messages).toHaveLength(2);
  });
});

test("each thing is kept before the next is begun: answers before their calls, results before the next answer", async () => {
  const session = memorySession();
  const seen: (readonly string[])[] = [];
  const look = async (): Promise<void> => {
    seen.push(outline((await readSession(session)).messages));
  };
  const peek = tool({ name: "peek", input: empty, execute: look });
  const turns = [call("peek"), "done"] as const;
  const model = new FunctionModel(async ({ messages }) => {
    await look();
    return turns[messages.length === 1 ? 0 : 1];
  });
  await run(new Agent({ name: "A", model, tools: [peek] }), "go", { session });
  expect(seen).toEqual([["user"], ["user", "assistant"], ["user", "assistant", "peek: success"]]);
  expect(outline((await readSession(session)).messages)).toEqual([...seen[2]!, "assistant"]);
});

/** A run of three calls, two of them in one answer, and all that its session held at some time. */
async function crashing() {
  const made: string[] = [];
  const tools = ["first", "second", "third"].map((name) =>
    tool({
      name,
      input: empty,
      execute: async () => {
        made.push(name);
        return result({ value: name, context: { [name]: true } });
      },
    }),
  );
  const answer = ({ messages }: { messages: readonly Message[] }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    return turn === 0 ? call("first", "second") : turn === 1 ? call("third") : "done";
  };
  const agent = new Agent({ name: "A", model: new FunctionModel(answer), tools });
  const { session, states } = observed();
  const whole = await run(agent, "go", { session });
  expect(whole).toMatchObject({ status: "completed", text: "done" });
  expect(states.length).toBeGreaterThan(5);
  made.length = 0;
  return { agent, made, whole, states };
}

test("a run goes on from a crash after any of its steps, and ends as it would have; finished calls are not made again", async () => {
  const { agent, made, whole, states } = await crashing();
  for (const entries of states.slice(0, -1)) {
    made.length = 0;
    const found = await sessionOf(entries);
    const { state } = await readSession(found);
    const finished = entries.filter(({ type }) => type === "step").length;
    const resumed = await run(agent, [], { session: found });
    expect(resumed.status).toBe("completed");
    expect(outline(resumed.state.messages)).toEqual(outline(whole.state.messages));
    expect(resumed.context).toEqual({ first: true, second: true, third: true });
    expect(resumed.state.turn).toBe(3);
    expect(resumed.state.runId).toBe(state?.runId);
    expect(outline((await readSession(found)).messages)).toEqual(outline(whole.state.messages));
    const results = state?.messages.filter(({ role }) => role === "tool").length ?? 0;
    expect(made).toHaveLength(3 - Math.max(finished, results));
  }
});

test("a session that is read has the results of finished calls: a run of that state does not make them again", async () => {
  const { agent, made, states } = await crashing();
  for (const entries of states.slice(0, -1)) {
    made.length = 0;
    const { state } = await readSession(await sessionOf(entries));
    if (!state) continue;
    const finished = state.messages.filter(({ role }) => role === "tool").length;
    const resumed = await run(agent, state);
    expect(resumed).toMatchObject({
      status: "completed",
      context: { first: true, second: true, third: true },
    });
    expect(made).toHaveLength(3 - finished);
  }
  const both = states.map((entries) => entries.filter(({ type }) => type === "step").length);
  expect(both).toContain(1);
});

test("a new message after a crash keeps the results of finished calls", async () => {
  const { agent, states } = await crashing();
  const crashed = states.find((entries) => entries.at(-1)?.type === "step") ?? [];
  const model = new ScriptedModel(["Fine."]);
  const session = await sessionOf(crashed);
  await run(agent.with({ model }), "And now?", { session });
  const outlined = outline(model.requests[0]?.messages ?? []);
  expect(outlined.filter((each) => each.endsWith(": success"))).toHaveLength(1);
  expect(outlined.filter((each) => each.endsWith(": cancelled"))).toHaveLength(1);
  expect(outline((await readSession(session)).messages)).toEqual([...outlined, "assistant"]);
});

test("a new message gives up calls that a crash left open: it is not known whether they were executed", async () => {
  const never = tool({ name: "never", input: empty, execute: () => "?" });
  const { session, states } = observed();
  const model = new ScriptedModel([call("never"), "done"]);
  await run(new Agent({ name: "A", model, tools: [never] }), "go", { session });
  const crashed = states.find((entries) =>
    entries.some(({ type, ...rest }) => "message" in rest && JSON.stringify(rest).includes("assistant")),
  );
  const found = await sessionOf(crashed ?? []);
  expect((await readSession(found)).state).toMatchObject({
    status: "running",
    pending: [{ toolName: "never" }],
  });
  const next = new ScriptedModel(["Fine."]);
  await run(new Agent({ name: "A", model: next, tools: [never] }), "Never mind", { session: found });
  const expected = ["user", "assistant", "never: cancelled", "user"];
  expect(outline(next.requests[0]!.messages)).toEqual(expected);
  expect(JSON.stringify(next.requests[0]!.messages)).toContain("may or may not have taken effect");
  expect(outline((await readSession(found)).messages)).toEqual([...expected, "assistant"]);
});

test.each([undefined, "a secret"])(
  "a run that waits for a decision is resumed with it from the session (stateSecret: %s)",
  async (stateSecret) => {
    const pay = tool({ name: "pay", input: empty, approval: true, execute: () => "paid" });
    const model = new ScriptedModel([call("pay"), "Done."]);
    const agent = new Agent({ name: "A", model, tools: [pay] });
    const session = memorySession();
    const options = { session, ...(stateSecret !== undefined && { stateSecret }) };
    const paused = await run(agent, "Pay!", options);
    const { state } = await readSession(session);
    expect(state?.pending).toEqual(paused.pending);
    const approvalId = state?.pending[0]?.approvalId ?? "";
    const approvals = [{ approvalId, decision: "approve" } as const];
    const done = await run(agent, [], { ...options, approvals });
    expect(done).toMatchObject({ status: "completed", text: "Done.", pending: [] });
    expect((await readSession(session)).state).toMatchObject({ status: "completed", pending: [] });
    await expect(run(agent, [], { ...options, approvals })).rejects.toMatchObject({ code: "invalid-input" });
  },
);

test("results that were made elsewhere are taken up", async () => {
  const ask = tool({ name: "ask", input: empty });
  const model = new ScriptedModel([call("ask"), "Thanks."]);
  const agent = new Agent({ name: "A", model, tools: [ask] });
  const session = memorySession();
  await run(agent, "go", { session });
  const other = { session, results: [{ toolCallId: "other", content: "" }] };
  await expect(run(agent, [], other)).rejects.toMatchObject({ code: "invalid-input" });
  const results = [{ toolCallId: "call_1", content: "42" }];
  expect(await run(agent, [], { session, results })).toMatchObject({ text: "Thanks." });
});

test("a cancelled run is kept with every call answered", async () => {
  const controller = new AbortController();
  const stop = tool({ name: "stop", input: empty, execute: () => controller.abort() });
  const agent = new Agent({ name: "A", model: new ScriptedModel([call("stop", "stop")]), tools: [stop] });
  const session = memorySession();
  const cancelled = await run(agent, "go", { session, signal: controller.signal, concurrency: 1 });
  expect(cancelled.status).toBe("cancelled");
  const { messages, state } = await readSession(session);
  expect(messages).toEqual(cancelled.state.messages);
  expect(state).toMatchObject({ status: "cancelled", pending: [] });
});

test("a run whose session another one has taken over is refused; the session stays whole, and the run has its state", async () => {
  const session = memorySession();
  const gate = Promise.withResolvers<string>();
  const slow = new Agent({ name: "A", model: new FunctionModel(() => gate.promise) });
  const quick = new Agent({ name: "A", model: new FunctionModel(() => "quick") });
  await run(quick, "hello", { session });
  const running = stream(slow, "slow?", { session });
  for await (const event of running) if (event.type === "turn-start") break;
  // What a process writes that takes the first one for dead.
  const sequence = ((await session.load()).entries.at(-1)?.sequence ?? 0) + 1;
  await session.append([{ type: "claim", until: 0, sequence, writer: "another" }]);
  expect(await run(quick, "quick?", { session: { ...session, key: "elsewhere" } })).toMatchObject({
    text: "quick",
  });
  gate.resolve("slow");
  const conflict = await running.result.catch((error: unknown) => error);
  expect(conflict).toMatchObject({ code: "session-conflict", state: { status: "completed" } });
  const { messages } = await readSession(session);
  expect(outline(messages)).toEqual(["user", "assistant", "user", "user", "assistant"]);
  expect(await run(quick, "again", { session })).toMatchObject({ status: "completed" });
});

test("if its agent no longer exists, the conversation continues with the agent of the run; resuming needs it", async () => {
  const session = memorySession();
  const model = new FunctionModel(() => "Hi");
  await run(new Agent({ name: "Old", model }), "hello", { session });
  const next = new Agent({ name: "New", model });
  await expect(run(next, [], { session })).rejects.toMatchObject({ code: "agent-not-found" });
  const { agent, warnings } = await run(next, "hello?", { session });
  expect(agent.name).toBe("New");
  expect(warnings).toEqual([expect.stringMatching(/"Old".*New goes on/)]);
});

test("what a run cannot do with a session is a typed error", async () => {
  const agent = new Agent({ name: "A", model: new FunctionModel(() => "Hi") });
  const session = memorySession();
  await expect(run(agent, [], { session })).rejects.toMatchObject({ code: "invalid-input" });
  const { state } = await run(agent, "hello", { session });
  await expect(run(agent, state, { session })).rejects.toMatchObject({ code: "invalid-input" });
  const broken = {
    ...session,
    load: async () => {
      throw new Error("no disk");
    },
  };
  await expect(run(agent, "x", { session: broken })).rejects.toMatchObject({
    code: "session-failed",
    message: expect.stringContaining("no disk"),
  });
  const odd = await sessionOf([]);
  const bad = { ...odd, load: async () => ({ entries: [{ type: "?", sequence: 1, writer: "a" } as never] }) };
  await expect(run(agent, "x", { session: bad })).rejects.toMatchObject({ code: "session-unreadable" });
  const gap: SessionEntry[] = [1, 3].map((sequence) => ({ type: "clear", sequence, writer: "a" }));
  const gaps = { ...odd, load: async () => ({ entries: gap }) };
  await expect(run(agent, "x", { session: gaps })).rejects.toThrow("its entry 2 is not there");
});

test.each([undefined, null, {}, { entries: {} }, { entries: [], warnings: 5 }])(
  "a store that loads %j is unreadable",
  async (loaded) => {
    const agent = new Agent({ name: "A", model: new ScriptedModel([]) });
    const session = { ...memorySession(), load: async () => loaded as never };
    const unreadable = {
      code: "session-unreadable",
      message: expect.stringContaining("its function `load`"),
    };
    await expect(run(agent, "x", { session })).rejects.toMatchObject(unreadable);
    await expect(readSession(session)).rejects.toMatchObject(unreadable);
  },
);

const clear = { type: "clear", sequence: 1, writer: "a" } as const;
const state = { ...clear, type: "state", runId: "r", agent: "A" } as const;

test.each<[string, readonly unknown[], number]>([
  ["of an unknown type", [clear, { type: "?", sequence: 2, writer: "a" }], 2],
  ["that is not an object", [null], 1],
  ["that is missing", [clear, { ...clear, sequence: 3 }], 2],
  ["that comes twice", [clear, clear], 2],
  ["of a state without its agent", [{ ...clear, type: "state", runId: "r" }], 1],
  ["of a state with odd approvals", [{ ...state, approvals: "zz" }], 1],
  ["of a state with an odd approval", [{ ...state, approvals: [null] }], 1],
  ["of a state with odd work within it", [{ ...state, nested: [5] }], 1],
  ["of a decision with an odd reason", [{ ...clear, type: "decision", approvalId: "a", reason: 5 }], 1],
  ["of a compaction without messages", [{ ...clear, type: "compaction" }], 1],
  ["of a state without its run", [clear, { ...clear, type: "state", sequence: 2, agent: "A" }], 2],
])("an entry %s is named by its number, and no model is called", async (_, entries, sequence) => {
  const model = new ScriptedModel([]);
  const load = async (): Promise<{ entries: readonly SessionEntry[] }> => ({ entries: entries as never });
  const session = { ...memorySession(), load };
  await expect(run(new Agent({ name: "A", model }), "x", { session })).rejects.toMatchObject({
    code: "session-unreadable",
    message: expect.stringContaining(`its entry ${sequence} `),
    data: { sequence },
  });
});

test("a run whose session fails under way ends with the error and its state, and nothing is made up", async () => {
  const inner = memorySession();
  let appends = 0;
  const session: Session = {
    ...inner,
    append: async (entries) => {
      if ((appends += 1) > 2) throw new Error("disk full");
      await inner.append(entries);
    },
  };
  let made = 0;
  const tools = ["a", "b"].map((name) => tool({ name, input: empty, execute: () => (made += 1) }));
  const agent = new Agent({ name: "A", model: new ScriptedModel([call("a", "b")]), tools });
  const failed = await run(agent, "go", { session }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: "session-failed", message: expect.stringContaining("disk full") });
  expect(made).toBe(2);
  expect(outline((failed as { state: { messages: Message[] } }).state.messages)).toEqual([
    "user",
    "assistant",
    "a: success",
    "b: success",
  ]);
  expect(outline((await readSession(inner)).messages)).toEqual(["user", "assistant"]);
});

test("what is kept a turn does not grow with the history", async () => {
  const { session, states } = observed();
  const ping = tool({ name: "ping", input: empty, execute: () => "pong" });
  const model = new FunctionModel(({ messages }) => (messages.length > 100 ? "done" : call("ping")));
  const agent = new Agent({ name: "A", model, tools: [ping] });
  await run(agent, "go", { session, maxTurns: 100, context: { large: "x".repeat(1000) } });
  const entries = states.at(-1) ?? [];
  const sizes = entries.map((entry) => JSON.stringify(entry).length);
  expect(Math.max(...sizes.slice(2))).toBeLessThan(500);
  expect(entries.length).toBeLessThan(200);
});
