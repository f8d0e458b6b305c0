import { expect, test } from "vitest";
import { Agent, executeToolCalls, run, tool, type Session, type SessionEntry, type ToolContext } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";

const item = { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as const;
const nothing = { type: "object", properties: {} } as const;

/** A tool with a limit, and the ids that its calls had when they were executed. */
function limited(maxCalls: number, policy: object = {}) {
  const ids: string[] = [];
  const search = tool({
    name: "search",
    input: item,
    maxCalls,
    execute: async ({ id }: { id: string }) => {
      ids.push(id);
      return `${id} is there`;
    },
    ...policy,
  });
  return { ids, search };
}

const searches = (...ids: readonly string[]) => ({
  toolCalls: ids.map((id) => ({ toolName: "search", arguments: { id } })),
});

const textsOf = ({ messages }: Awaited<ReturnType<typeof run>>): readonly string[] =>
  messages.flatMap((message) =>
    message.role === "tool"
      ? message.result.content.flatMap((part) => (part.type === "text" ? [part.text] : []))
      : [],
  );

const refused = "search was not called: a run may call it at most 2 times. Answer with what you have.";

test("calls of a tool beyond maxCalls are refused, and the model reads why", async () => {
  const { ids, search } = limited(2);
  const model = new ScriptedModel([searches("a"), searches("b", "c"), "done"]);
  const outcome = await run(new Agent({ name: "A", model, tools: [search] }), "go");
  expect(outcome.status).toBe("completed");
  expect(ids).toEqual(["a", "b"]);
  expect(textsOf(outcome)).toEqual(["a is there", "b is there", refused]);
});

test("calls by other tools and by agents within the run count", async () => {
  const { ids, search } = limited(2);
  const lookUp = tool({
    name: "look_up",
    input: nothing,
    execute: (_: object, context: ToolContext) => context.call("search", { id: "b" }),
  });
  const helper = new Agent({
    name: "Helper",
    model: new ScriptedModel([searches("a"), "helped"]),
    tools: [search],
  });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "helper", arguments: { input: "go" } }] },
    { toolCalls: [{ toolName: "look_up" }] },
    { toolCalls: [{ toolName: "look_up" }, ...searches("c").toolCalls] },
    "done",
  ]);
  const agent = new Agent({ name: "A", model, tools: [search, lookUp, helper.asTool()] });
  const outcome = await run(agent, "go");
  expect(ids).toEqual(["a", "b"]);
  expect(textsOf(outcome).slice(2)).toEqual([`look_up failed: ${refused}`, refused]);
});

test("the count is of one run: it goes on after a pause, and begins again with the next run", async () => {
  const { ids, search } = limited(2);
  const pay = tool({ name: "pay", input: nothing, approval: true, execute: () => "paid" });
  const answers = [
    { toolCalls: [{ toolName: "pay" }, ...searches("a", "b").toolCalls] },
    searches("c"),
    "done",
    searches("d"),
    "done",
  ];
  const agent = (session?: Session) => {
    const model = new ScriptedModel([...answers]);
    return {
      agent: new Agent({ name: "A", model, tools: [search, pay] }),
      options: session ? { session } : {},
    };
  };
  for (const session of [undefined, memorySession()]) {
    const { agent: one, options } = agent(session);
    const paused = await run(one, "go", options);
    expect(paused.state.calls).toEqual({ search: 2 });
    const approvals = [{ approvalId: paused.pending[0]?.approvalId ?? "", decision: "approve" } as const];
    const stored: typeof paused.state = JSON.parse(JSON.stringify(paused.state));
    const resumed = await run(one, session ? [] : stored, { ...options, approvals });
    expect(resumed.status).toBe("completed");
    expect(textsOf(resumed).at(-1)).toBe(refused);
    const next = await run(
      one,
      session ? "again" : [...resumed.state.messages, { role: "user", content: "again" }],
      options,
    );
    expect(textsOf(next)).toEqual(["d is there"]);
    expect(ids.splice(0)).toEqual(["a", "b", "d"]);
  }
});

test("a call that waited for a call within it counts once", async () => {
  const ids: string[] = [];
  const pay = tool({ name: "pay", input: nothing, approval: true, execute: () => "paid" });
  const order = tool({
    name: "order",
    input: item,
    maxCalls: 2,
    execute: async ({ id }: { id: string }, context: ToolContext) => {
      await context.call("pay", {});
      ids.push(id);
      return "ordered";
    },
  });
  const one = (id: string) => ({ toolCalls: [{ toolName: "order", arguments: { id } }] });
  const agent = new Agent({
    name: "A",
    model: new ScriptedModel([one("a"), one("b"), one("c"), "done"]),
    tools: [order, pay],
  });
  let outcome = await run(agent, "go");
  while (outcome.status === "paused") {
    const approvals = outcome.pending.map(
      ({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const,
    );
    outcome = await run(agent, outcome.state, { approvals });
  }
  expect(outcome.status).toBe("completed");
  expect(ids).toEqual(["a", "b"]);
});

test("what a tool calls once it goes on counts, though its own call was counted before", async () => {
  const { ids, search } = limited(2);
  const pay = tool({ name: "pay", input: nothing, approval: true, execute: () => "paid" });
  const order = tool({
    name: "order",
    input: nothing,
    execute: async (_: object, context: ToolContext) => {
      await context.call("pay", {});
      for (const id of ["a", "b", "c"]) await context.call("search", { id });
    },
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "order" }] }, "done"]);
  const agent = new Agent({ name: "A", model, tools: [order, pay, search] });
  const paused = await run(agent, "go");
  const approvals = [{ approvalId: paused.pending[0]?.approvalId ?? "", decision: "approve" } as const];
  const outcome = await run(agent, paused.state, { approvals });
  expect(ids).toEqual(["a", "b"]);
  expect(textsOf(outcome)[0]).toMatch(/^order failed: search was not .*: a run may call it at most 2 times/);
});

test("calls that were made before a process died count in the run that goes on", async () => {
  const { ids, search } = limited(3);
  let isDead = true;
  const slow = tool({
    name: "slow",
    input: nothing,
    execute: async (_: object, context: ToolContext) => {
      // What is in a step is not called again, so that nobody would count it.
      await context.step("look", () => context.call("search", { id: "b" }));
      return isDead ? new Promise<string>(() => {}) : "slow is done";
    },
    timeout: Infinity,
  });
  const answers = [
    { toolCalls: [...searches("a").toolCalls, { toolName: "slow" }] },
    searches("c", "d"),
    "done",
  ];
  const agent = () =>
    new Agent({
      name: "A",
      model: new FunctionModel(
        ({ messages }) => answers[messages.filter(({ role }) => role === "assistant").length] ?? "done",
      ),
      tools: [search, slow],
    });
  const entries: SessionEntry[] = [];
  const session: Session = {
    isLeased: true,
    load: async () => ({ entries: [...entries] }),
    append: async (added) => void entries.push(...added),
    clear: async () => {},
  };
  const dying = new AbortController();
  const first = run(agent(), "go", { session: { ...session }, signal: dying.signal });
  await expect.poll(() => entries.filter(({ type }) => type === "step").length).toBe(3);
  // What is stored by now is what the next process finds.
  const left = entries.slice();
  isDead = false;
  dying.abort();
  await first;
  const outcome = await run(agent(), [], {
    session: { ...session, load: async () => ({ entries: left }), append: async () => {} },
  });
  expect(outcome.status).toBe("completed");
  expect(ids).toEqual(["a", "b", "c"]);
});

test("calls that are executed outside a run count with those beside them", async () => {
  const { ids, search } = limited(2);
  const calls = ["a", "b", "c"].map((id) => ({
    toolCallId: id,
    toolName: "search",
    arguments: `{"id":"${id}"}`,
  }));
  const results = await executeToolCalls(calls, [search]);
  expect(results.map(({ outcome }) => outcome)).toEqual(["success", "success", "not-executed"]);
  expect(ids).toEqual(["a", "b"]);
});

test("calls that are waiting for a place count as well", async () => {
  const { ids, search } = limited(2, { serialize: true });
  const model = new ScriptedModel([searches("a", "b", "c", "d"), "done"]);
  await run(new Agent({ name: "A", model, tools: [search] }), "go");
  expect(ids).toEqual(["a", "b"]);
});
