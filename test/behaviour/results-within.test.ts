/** Agents called as tools whose calls are executed elsewhere: they pause the whole run, and go on with the results. */
import {
  Agent,
  executeToolCalls,
  type ExternalResult,
  type Middleware,
  run,
  type RunOptions,
  type RunResult,
  type RunState,
  stream,
  tool,
  type Tool,
  type ToolContext,
} from "skein";
import { FunctionModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { calls, decide, does, effects, empty, keepers, plain } from "./test-nested.ts";

const ask = tool({ name: "ask", description: "Ask the user.", input: empty });

/** Its calls have the same ids as those of every other one. */
function asker(name = "Asker", more: readonly string[] = []): Agent {
  return new Agent({ name, model: calls("ask", ...more), tools: [ask, does("note")] });
}

function boss(...agents: readonly Agent[]): Agent {
  const names = agents.map(({ name }) => name.toLowerCase());
  const model = new FunctionModel(({ messages }) => {
    const results = messages.flatMap((message) => (message.role === "tool" ? [message.result.content] : []));
    if (results.length > 0) return JSON.stringify(results);
    return {
      toolCalls: names.map((toolName, index) => ({
        toolCallId: `id_${index}`,
        toolName,
        arguments: { input: "Go." },
      })),
    };
  });
  return new Agent({ name: "Boss", model, tools: agents.map((agent) => agent.asTool()) });
}

function answer({ pending }: Pick<RunResult, "pending">, ...contents: readonly string[]): ExternalResult[] {
  return pending.map(({ toolCallId }, index) => ({ toolCallId, content: contents[index] ?? "" }));
}

describe("an agent called as a tool whose call is executed elsewhere", () => {
  test.each(keepers)(
    "pauses the run around it, and goes on with the result, with %s",
    async (_title, optionsOf) => {
      const options = optionsOf();
      const agent = (): Agent => boss(asker("Asker", ["note"]));
      const paused = await run(agent(), "go", options);
      expect(paused).toMatchObject({
        status: "paused",
        pending: [{ toolName: "ask", agent: "Asker", parentToolCallId: "id_0" }],
      });
      expect(paused.pending[0]).not.toHaveProperty("approvalId");
      const input: [] | RunState = "session" in options ? [] : plain(paused.state);
      const done = await run(agent(), input, { ...options, results: answer(paused, "Size L.") });
      expect(done).toMatchObject({ status: "completed", pending: [], warnings: [] });
      expect(done.text).toContain("Size L.");
      expect(effects).toEqual(["note"]);
    },
  );

  test("waits beside another with calls of the same ids, each for its own result", async () => {
    const agent = (): Agent => boss(asker("One"), asker("Two"));
    const paused = await run(agent(), "go");
    expect(new Set(paused.pending.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    const [one, two] = answer(paused, "For one.", "For two.");
    if (!one || !two) throw new Error("two results are missing");
    const halfway = await run(agent(), plain(paused.state), { results: [two] });
    expect(halfway.pending).toEqual([paused.pending[0]]);
    const done = await run(agent(), plain(halfway.state), { results: [one] });
    const results = done.state.messages.flatMap((message) =>
      message.role === "tool" ? [[message.result.toolName, JSON.stringify(message.result.content)]] : [],
    );
    expect(Object.fromEntries(results)).toMatchObject({
      one: expect.stringContaining("For one."),
      two: expect.stringContaining("For two."),
    });
  });

  test("waits at any depth", async () => {
    const agent = (): Agent =>
      boss(new Agent({ name: "Middle", model: calls("asker"), tools: [asker().asTool()] }));
    const paused = await run(agent(), "go");
    expect(paused.pending).toMatchObject([{ toolName: "ask", agent: "Asker", parentToolCallId: "id_0" }]);
    const done = await run(agent(), plain(paused.state), { results: answer(paused, "Size L.") });
    expect(done).toMatchObject({ status: "completed" });
    expect(done.text).toContain("Size L.");
  });

  test("waits for a decision and for a result, in either order", async () => {
    const clerk = (): Agent =>
      new Agent({
        name: "Clerk",
        model: new FunctionModel(({ messages }) =>
          messages.length > 2 ? "Done." : { toolCalls: [{ toolName: "ask" }, { toolName: "pay" }] },
        ),
        tools: [ask, does("pay", { approval: true })],
      });
    const paused = await run(boss(clerk()), "go");
    const [question, payment] = paused.pending;
    expect(paused.pending).toMatchObject([{ toolName: "ask" }, { toolName: "pay" }]);
    if (!question || !payment) throw new Error("two calls are missing");
    const results = [{ toolCallId: question.toolCallId, content: "Size L." }];
    const approvals = decide({ pending: [payment] });
    const state = (): RunState => plain(paused.state);
    const paid = await run(boss(clerk()), state(), { approvals });
    expect(paid.pending).toMatchObject([{ toolName: "ask" }]);
    expect(await run(boss(clerk()), plain(paid.state), { results })).toMatchObject({ status: "completed" });
    const answered = await run(boss(clerk()), state(), { results });
    expect(answered.pending).toMatchObject([{ toolName: "pay" }]);
    expect(await run(boss(clerk()), plain(answered.state), { approvals })).toMatchObject({
      status: "completed",
    });
    expect(await run(boss(clerk()), state(), { results, approvals })).toMatchObject({ status: "completed" });
    expect(effects).toEqual(["pay", "pay", "pay"]);
  });

  test("asks for no decision, and stays open without a result", async () => {
    const events = await Array.fromAsync(stream(boss(asker()), "go"));
    expect(JSON.stringify(events)).not.toContain('"approval-request"');
    const paused = await run(boss(asker()), "go");
    const again = await Array.fromAsync(stream(boss(asker()), plain(paused.state)));
    expect(JSON.stringify(again)).not.toContain('"approval-request"');
    expect(again.at(-1)).toMatchObject({ type: "run-end", result: { pending: paused.pending, turns: 0 } });
  });

  test("refuses a result of another call, and a call that was changed in the state", async () => {
    const paused = await run(boss(asker()), "go");
    await expect(
      run(boss(asker()), plain(paused.state), { results: [{ toolCallId: "id_7", content: "x" }] }),
    ).rejects.toThrow(/"id_7", which is not pending/);
    const changed = plain(paused.state);
    for (const call of changed.pending) Reflect.set(call, "arguments", '{"x":1}');
    await expect(run(boss(asker()), changed, { results: answer(paused, "x") })).rejects.toThrow(
      /has changed/,
    );
  });

  test.each([
    ["a result", asker()],
    [
      "a decision",
      new Agent({ name: "Asker", model: calls("pay"), tools: [does("pay", { approval: true })] }),
    ],
  ])("is an error outside a run where it waits for %s", async (_title, agent) => {
    const call = { toolCallId: "c", toolName: "asker", arguments: '{"input":"Go."}' };
    const [outcome] = await executeToolCalls([call], [agent.asTool()]);
    expect(outcome).toMatchObject({
      isError: true,
      content: [{ text: "asker failed: Asker ended without an answer (paused)." }],
    });
  });

  test("has its result in a warning where it is not run again", async () => {
    let isDone = false;
    const job = tool({
      name: "job",
      input: empty,
      execute: (_input: unknown, { runAgent }: ToolContext) =>
        isDone ? "Never mind." : runAgent(asker(), "Go."),
    });
    const agent = new Agent({ name: "Boss", model: calls("job"), tools: [job] });
    const paused = await run(agent, "go");
    isDone = true;
    const { status, warnings } = await run(agent, plain(paused.state), { results: answer(paused, "x") });
    expect(status).toBe("completed");
    expect(warnings).toEqual([expect.stringMatching(/^The result of ask \(call ".*"\) was not used/)]);
  });

  test("waits where a tool runs it by itself", async () => {
    const job = tool({
      name: "job",
      input: empty,
      execute: (_input: unknown, { runAgent }: ToolContext) => runAgent(asker(), "Go."),
    });
    const agent = new Agent({ name: "Boss", model: calls("job"), tools: [job] });
    const paused = await run(agent, "go");
    const done = await run(agent, plain(paused.state), { results: answer(paused, "Size L.") });
    expect(done.text).toContain("Size L.");
  });
});

describe("a tool that calls another whose calls are executed elsewhere", () => {
  const job = tool({
    name: "job",
    input: empty,
    async execute(_input: unknown, { call }) {
      const [size, colour] = await Promise.all([
        call("ask", { about: "size" }),
        call("ask", { about: "colour" }),
      ]);
      const paid = await call("pay", { amount: 5 });
      return [size, colour, paid];
    },
  });
  const outer = tool({
    name: "outer",
    input: empty,
    execute: (_input: unknown, { call }) => call("job", {}),
  });
  const agent = (first: string): Agent =>
    new Agent({
      name: "Boss",
      model: calls({ toolName: first, arguments: {} }),
      tools: [job, outer, ask, does("pay", { approval: true })],
    });

  const cases = keepers.flatMap(([title, optionsOf]) =>
    ["job", "outer"].map((first) => [first, title, optionsOf] as const),
  );
  test.each(cases)("waits for each result: %s, with %s", async (first, _title, optionsOf) => {
    const options = optionsOf();
    const goOn = (at: RunResult, more: RunOptions): Promise<RunResult> =>
      run(agent(first), options.session ? [] : plain(at.state), { ...options, ...more });
    const paused = await run(agent(first), "go", options);
    expect(paused.pending).toMatchObject([
      { toolName: "ask", arguments: '{"about":"size"}', agent: "Boss", parentToolCallId: "id_0" },
      { toolName: "ask", arguments: '{"about":"colour"}', agent: "Boss", parentToolCallId: "id_0" },
    ]);
    const [one, two] = answer(paused, "L", "red");
    if (!one || !two) throw new Error("two results are missing");
    const halfway = await goOn(paused, { results: [two] });
    expect(halfway.pending).toMatchObject([{ arguments: '{"about":"size"}' }]);
    const waiting = await goOn(halfway, { results: [one] });
    expect(waiting.pending).toMatchObject([{ toolName: "pay" }]);
    const done = await goOn(waiting, { approvals: decide(waiting) });
    expect(done).toMatchObject({ status: "completed", warnings: [] });
    expect(done.text).toContain(JSON.stringify('["L","red","pay is done"]').slice(1, -1));
    expect(effects).toEqual(["pay 5"]);
  });

  test("receives a result that is an error as one", async () => {
    const paused = await run(agent("job"), "go");
    const results = answer(paused, "no answer", "red").map((each) => ({ ...each, isError: true }));
    const done = await run(agent("job"), plain(paused.state), { results });
    expect(done.text).toContain("no answer");
    expect(effects).toEqual([]);
  });

  test("waits for a call as a middleware changed it", async () => {
    const middleware: Middleware[] = [
      {
        tool: (call, _info, next) =>
          next(call.toolName === "ask" ? { ...call, arguments: call.arguments.toUpperCase() } : call),
      },
    ];
    const paused = await run(agent("job"), "go", { middleware });
    expect(paused.pending[0]).toMatchObject({ arguments: '{"ABOUT":"SIZE"}' });
    const again = await run(agent("job"), plain(paused.state), {
      middleware,
      results: answer(paused, "L", "red"),
    });
    expect(again.pending).toMatchObject([{ toolName: "pay" }]);
  });

  test("reads outside a run why it cannot wait", async () => {
    const [outcome] = await executeToolCalls(
      [{ toolCallId: "1", toolName: "job", arguments: "{}" }],
      [job, ask],
    );
    expect(outcome?.content).toMatchObject([
      { text: expect.stringContaining("ask was not executed: it has no execute function") },
    ]);
  });
});

describe("a result for a call that waits for something else", () => {
  const gate = does("gate", { approval: true });
  const opens = (...inner: readonly string[]) =>
    tool({
      name: "outer",
      input: empty,
      execute: (_, context) => Promise.all(inner.map((name) => context.call(name, {}))),
    });
  const middle = tool({ name: "middle", input: empty, execute: (_, context) => context.call("gate", {}) });
  const guarded = () => new Agent({ name: "Guarded", model: calls("gate"), tools: [gate] }).asTool();
  const cases: readonly (readonly [string, () => Agent])[] = [
    ["a decision", () => agentOf(opens("gate"))],
    ["a decision two tools deep", () => agentOf(opens("middle"))],
    ["a decision in an agent", () => agentOf(guarded(), "guarded")],
  ];
  const agentOf = (outer: Tool, name = "outer"): Agent =>
    new Agent({ name: "A", model: calls(name), tools: [outer, middle, gate, ask] });
  const table = keepers.flatMap(([keeper, optionsOf]) =>
    cases.map(([title, agent]) => [title, keeper, agent, optionsOf] as const),
  );

  test.each(table)("is refused and names %s, with %s", async (_title, _keeper, agent, optionsOf) => {
    const options = optionsOf();
    const paused = await run(agent(), "go", options);
    const [waiting] = paused.pending;
    const goOn = (more: RunOptions) =>
      run(agent(), "session" in options ? [] : plain(paused.state), { ...options, ...more });
    const approvalId = waiting?.approvalId ?? "missing";
    const inner = waiting?.toolCallId ?? "missing";
    for (const toolCallId of [inner, "id_0"])
      await expect(goOn({ results: [{ toolCallId, content: "x" }] })).rejects.toMatchObject({
        code: "invalid-input",
        message: `options.results has a result for the call "${toolCallId}", which waits for something else. Pass options.approvals for "${approvalId}".`,
      });
    expect(effects).toEqual([]);
    expect(await goOn({ approvals: decide(paused) })).toMatchObject({ status: "completed" });
  });

  test("names every call that it waits for", async () => {
    const agent = agentOf(opens("gate", "ask"));
    const { pending, state } = await run(agent, "go");
    const decision = pending.find(({ toolName }) => toolName === "gate");
    const result = pending.find(({ toolName }) => toolName === "ask");
    const results = [{ toolCallId: "id_0", content: "x" }];
    await expect(run(agent, plain(state), { results })).rejects.toThrow(
      new RegExp(
        `Pass options.*(for "${decision?.approvalId}" and .*for "${result?.toolCallId}"|for "${result?.toolCallId}" and .*for "${decision?.approvalId}")`,
      ),
    );
  });
});
