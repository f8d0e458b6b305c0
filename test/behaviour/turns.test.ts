import { expect, test } from "vitest";
import { Agent, ModelNotFoundError, result, run, stream, tool, type RunEvent } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;
const ping = tool({ name: "ping", input: empty, execute: () => "pong" });
const call = (toolName: string, args = {}) => ({ toolCalls: [{ toolName, arguments: args }] });

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test("maxTurns counts model calls, and the tools of the last permitted answer run", async () => {
  const model = new ScriptedModel([call("ping"), call("ping"), "done"]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const first = await run(agent, "go", { maxTurns: 2 });
  expect(first).toMatchObject({ status: "max-turns", turns: 2, pending: [] });
  expect(first.messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "tool"]);
  const resumed = await run(agent, JSON.parse(JSON.stringify(first.state)));
  expect(resumed).toMatchObject({ status: "completed", text: "done", turns: 1 });
  expect(resumed.state.turn).toBe(3);
  model.assertComplete();
});

test("maxTurns 0 makes no model call", async () => {
  const model = new ScriptedModel([]);
  const outcome = await run(new Agent({ name: "A", model }), "go", { maxTurns: 0 });
  expect(outcome).toMatchObject({ status: "max-turns", turns: 0, messages: [] });
  expect(model.requests).toHaveLength(0);
});

test("executeTools: false gives the calls back unexecuted, and a resumption takes results made elsewhere", async () => {
  const model = new ScriptedModel([call("ping", { a: 1 }), "thanks"]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const paused = await run(agent, "go", { executeTools: false });
  expect(paused).toMatchObject({
    status: "paused",
    finishReason: "tool-calls",
    pending: [{ toolCallId: "call_1", toolName: "ping", arguments: '{"a":1}' }],
  });
  const state = JSON.parse(JSON.stringify(paused.state));
  const resumed = await run(agent, state, { results: [{ toolCallId: "call_1", content: "from elsewhere" }] });
  expect(resumed).toMatchObject({ status: "completed", text: "thanks" });
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    role: "tool",
    result: { toolCallId: "call_1", content: [{ type: "text", text: "from elsewhere" }], isError: false },
  });
});

test("resuming without results executes the pending calls", async () => {
  const model = new ScriptedModel([call("ping"), "thanks"]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const paused = await run(agent, "go", { executeTools: false });
  const resumed = await run(agent, paused.state);
  expect(resumed.messages[0]).toMatchObject({ role: "tool", result: { content: [{ text: "pong" }] } });
  expect(resumed.text).toBe("thanks");
});

test("a result for a call that is not pending is a typed error that names those that are", async () => {
  const model = new ScriptedModel([call("ping")]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const { state } = await run(agent, "go", { executeTools: false });
  await expect(run(agent, state, { results: [{ toolCallId: "other", content: "" }] })).rejects.toMatchObject({
    code: "invalid-input",
    message: expect.stringMatching(/"other".*call_1/),
  });
});

test("a tool without execute keeps the run waiting, while the others of its batch run", async () => {
  const elsewhere = tool({ name: "askUser", input: empty });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "askUser" }, { toolName: "ping" }] }, "done"]);
  const agent = new Agent({ name: "A", model, tools: [elsewhere, ping] });
  const paused = await run(agent, "go");
  expect(paused).toMatchObject({ status: "paused", pending: [{ toolCallId: "call_1" }] });
  expect(paused.messages.at(-1)).toMatchObject({ role: "tool", result: { toolCallId: "call_2" } });
  const done = await run(agent, paused.state, {
    results: [{ toolCallId: "call_1", content: { yes: true } }],
  });
  expect(done).toMatchObject({ status: "completed", text: "done" });
});

test("of three parallel calls two return agents: three messages in call order, the last handoff wins", async () => {
  const first = new Agent({ name: "First", instructions: "I am First." });
  const second = new Agent({ name: "Second", instructions: "I am Second.", tools: [ping] });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "toFirst" }, { toolName: "ping" }, { toolName: "transfer_to_second" }] },
    "hello from the second",
  ]);
  const triage = new Agent({
    name: "Triage",
    instructions: "I am Triage.",
    model,
    tools: [tool({ name: "toFirst", input: empty, execute: () => first }), ping],
    handoffs: [second],
  });
  const running = stream(triage, "go");
  const events = await collect(running);
  const outcome = await running.result;
  expect(outcome.agent.name).toBe("Second");
  expect(outcome.messages.slice(1, 4).map((m) => m.role === "tool" && m.result.toolCallId)).toEqual([
    "call_1",
    "call_2",
    "call_3",
  ]);
  expect(events.filter(({ type }) => type === "handoff")).toMatchObject([{ agent: "Triage", to: "Second" }]);
  expect(events.findLast(({ type }) => type === "text-delta")).toMatchObject({ agent: "Second" });
  expect(model.requests[1]).toMatchObject({ instructions: "I am Second.", tools: [{ name: "ping" }] });
  expect(model.requests[1]?.messages).toHaveLength(5);
  expect(outcome.messages.at(-1)).toMatchObject({ role: "assistant", agent: "Second" });
});

test("instructions are asked at each model call, with the current context; missing keys are undefined", async () => {
  const seen: string[] = [];
  const model = new ScriptedModel([call("rename"), "done"]);
  const agent = new Agent<{ user?: string; city?: string }>({
    name: "A",
    model,
    instructions: async ({ context, agent: self, messages }) => {
      await Promise.resolve();
      seen.push(`${self.name} ${String(context.user)} ${String(context.city)} ${messages.length}`);
      return `Help ${String(context.user)}.`;
    },
    tools: [tool({ name: "rename", input: empty, execute: () => result({ context: { user: "Bo" } }) })],
  });
  await run(agent, "go", { context: { user: "Ada" } });
  expect(seen).toEqual(["A Ada undefined 1", "A Bo undefined 3"]);
  expect(model.requests.map((request) => request.instructions)).toEqual(["Help Ada.", "Help Bo."]);
  const bare = new ScriptedModel(["done"]);
  await run(agent.with({ model: bare }), "go");
  expect(bare.requests[0]?.instructions).toBe("Help undefined.");
});

test("the caller's context is never mutated, changes are merged after the batch in call order, and no model sees it", async () => {
  const context = { user: "Ada", secret: "s3cret", nested: { count: 0 } };
  const before = structuredClone(context);
  const seen: unknown[] = [];
  const set = (name: string, change: object) =>
    tool({
      name,
      input: empty,
      execute: (_, { context: current }) => {
        seen.push(current);
        return result({ value: "ok", context: change });
      },
    });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "one" }, { toolName: "two" }] },
    call("three"),
    "done",
  ]);
  const agent = new Agent({
    name: "A",
    model,
    tools: [set("one", { user: "Bo", a: 1 }), set("two", { user: "Cy" }), set("three", {})],
  });
  const outcome = await run(agent, "go", { context });
  expect(context).toEqual(before);
  expect(seen).toEqual([before, before, { ...before, user: "Cy", a: 1 }]);
  expect(outcome.context).toEqual({ ...before, user: "Cy", a: 1 });
  expect(JSON.stringify(model.requests)).not.toContain("s3cret");
});

test("a tool that writes into its context is told so, and changes nothing", async () => {
  const context = { count: 0 };
  const model = new ScriptedModel([call("bump"), "done"]);
  const bump = tool({
    name: "bump",
    input: empty,
    execute: (_, given) => {
      (given.context as { count: number }).count++;
      return "bumped";
    },
  });
  const outcome = await run(new Agent({ name: "A", model, tools: [bump] }), "go", { context });
  expect(outcome.messages[1]).toMatchObject({ result: { isError: true } });
  expect(outcome.context).toEqual({ count: 0 });
});

test("an agent speaks with its own model; one without, with the model used last in the run", async () => {
  const first = new ScriptedModel([call("transfer_to_b")], { modelId: "first" });
  const second = new ScriptedModel([call("transfer_to_c"), "from c"], { modelId: "second" });
  const c = new Agent({ name: "C" });
  const b = new Agent({ name: "B", model: second, handoffs: [c] });
  const a = new Agent({ name: "A", model: first, handoffs: [b] });
  expect((await run(a, "go")).text).toBe("from c");
  first.assertComplete();
  second.assertComplete();
});

test("a model given to the run overrides every agent's own", async () => {
  const own = new ScriptedModel([]);
  const b = new Agent({ name: "B", model: own });
  const override = new ScriptedModel([call("transfer_to_b"), "overridden"]);
  const outcome = await run(new Agent({ name: "A", model: own, handoffs: [b] }), "go", { model: override });
  expect(outcome).toMatchObject({ text: "overridden", agent: { name: "B" } });
  expect(own.requests).toHaveLength(0);
});

test("without any model, a typed error lists the choices", async () => {
  const names = ["SKEIN_MODEL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OLLAMA_HOST"];
  const kept = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  process.env.OLLAMA_HOST = "http://127.0.0.1:1";
  try {
    const failed = run(new Agent({ name: "A" }), "go");
    await expect(failed).rejects.toThrow(ModelNotFoundError);
    await expect(failed).rejects.toThrow(/SKEIN_MODEL.*OPENAI_API_KEY|OPENAI_API_KEY.*SKEIN_MODEL/s);
  } finally {
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});

test.each(["length", "content-filter"] as const)(
  "an answer that ended with %s has its calls refused, not run",
  async (finishReason) => {
    let ran = false;
    const model = new ScriptedModel([{ text: "I will", ...call("write"), finishReason }]);
    const write = tool({
      name: "write",
      input: { type: "object" },
      execute: () => {
        ran = true;
      },
    });
    const outcome = await run(new Agent({ name: "A", model, tools: [write] }), "go");
    expect(ran).toBe(false);
    expect(outcome).toMatchObject({ status: "incomplete", finishReason, pending: [] });
    expect(outcome.messages.at(-1)).toMatchObject({
      role: "tool",
      result: { outcome: "not-executed", isError: true },
    });
  },
);

test("a stream that is cut runs no call and is a typed error that carries the state", async () => {
  let ran = false;
  const model = new ScriptedModel([{ ...call("write"), cut: true }, "again"]);
  const write = tool({
    name: "write",
    input: { type: "object" },
    execute: () => {
      ran = true;
    },
  });
  const agent = new Agent({ name: "A", model, tools: [write] });
  const error = await run(agent, "go").then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({
    code: "malformed-response",
    state: { messages: [{ role: "user", content: "go" }] },
  });
  expect(ran).toBe(false);
  const { state } = error as { state: Parameters<typeof run>[1] };
  expect((await run(agent, state)).text).toBe("again");
});

test("toolChoice required holds for an agent's first call of a run only", async () => {
  const model = new ScriptedModel([call("ping"), "done"]);
  await run(new Agent({ name: "A", model, tools: [ping], toolChoice: "required" }), "go");
  expect(model.requests.map((request) => request.toolChoice)).toEqual(["required", "auto"]);
});

test("what a hook throws is a warning, and the run survives", async () => {
  const model = new ScriptedModel([call("ping"), "done"]);
  const outcome = await run(new Agent({ name: "A", model, tools: [ping] }), "go", {
    onEvent: ({ type }) => {
      if (type === "tool-end") throw new Error("hook is broken");
    },
  });
  expect(outcome).toMatchObject({ status: "completed", text: "done" });
  expect(outcome.warnings).toEqual([expect.stringContaining("hook is broken")]);
});

test("what instructions throw is a typed error that carries the state", async () => {
  const agent = new Agent({
    name: "A",
    model: new ScriptedModel([]),
    instructions: () => {
      throw new Error("no template");
    },
  });
  await expect(run(agent, "go")).rejects.toMatchObject({
    code: "instructions-failed",
    state: { agent: "A" },
  });
});

test("an agent as a tool runs to its end with its caller's model", async () => {
  const expert = new Agent({ name: "Poet", description: "Writes a line.", instructions: "You write." });
  const model = new FunctionModel(({ instructions, messages }) => {
    if (instructions === "You write.")
      return `a line about ${String(messages[0]?.role === "user" && messages[0].content)}`;
    return messages.length === 1 ? call("poet", { input: "geese" }) : "done";
  });
  const outcome = await run(new Agent({ name: "Boss", model, tools: [expert.asTool()] }), "go");
  expect(outcome.messages[1]).toMatchObject({ result: { content: [{ text: "a line about geese" }] } });
});

test("a tool's final result ends the run", async () => {
  const model = new ScriptedModel([call("finish")]);
  const finish = tool({
    name: "finish",
    input: empty,
    execute: () => result({ value: "the end", final: true }),
  });
  expect(await run(new Agent({ name: "A", model, tools: [finish] }), "go")).toMatchObject({
    status: "completed",
    text: "the end",
  });
});

test("the yields of a generator are progress, and what it returns is the result", async () => {
  const model = new ScriptedModel([call("count"), "done"]);
  const count = tool({
    name: "count",
    input: empty,
    async *execute() {
      yield 1;
      await Promise.resolve();
      yield 2;
      return "counted";
    },
  });
  const running = stream(new Agent({ name: "A", model, tools: [count] }), "go");
  const events = await collect(running);
  expect(events.flatMap((event) => (event.type === "tool-progress" ? [event.value] : []))).toEqual([1, 2]);
  expect((await running.result).messages[1]).toMatchObject({ result: { content: [{ text: "counted" }] } });
});

test("at most eight calls run at once, and results are in call order", async () => {
  let running = 0;
  let most = 0;
  const slow = tool({
    name: "slow",
    input: { type: "object", properties: { n: { type: "number" } } },
    execute: async ({ n }) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20 - Number(n)));
      running--;
      return Number(n);
    },
  });
  const toolCalls = Array.from({ length: 20 }, (_, n) => ({ toolName: "slow", arguments: { n } }));
  const model = new ScriptedModel([{ toolCalls }, "done"]);
  const outcome = await run(new Agent({ name: "A", model, tools: [slow] }), "go");
  expect(most).toBe(8);
  expect(outcome.messages.slice(1, 21).map((m) => m.role === "tool" && m.result.structuredContent)).toEqual(
    toolCalls.map((_, n) => n),
  );
});

test("a journal keeps a run that is started again from doing any step twice", async () => {
  const steps = new Map<string, string>();
  const journal = {
    async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
      const known = steps.get(key);
      if (known !== undefined) return JSON.parse(known) as T;
      const value = await perform();
      steps.set(key, JSON.stringify(value));
      return value;
    },
  };
  let bookings = 0;
  const second = new Agent({ name: "Second" });
  const book = tool({
    name: "book",
    input: empty,
    execute: () => result({ value: ++bookings, context: { bookings } }),
  });
  const turns = () =>
    new ScriptedModel([{ toolCalls: [{ toolName: "book" }, { toolName: "transfer_to_second" }] }, "done"]);
  const agent = new Agent({ name: "A", tools: [book], handoffs: [second] });
  const first = await run(agent, "go", { model: turns(), journal });
  const replayed = turns();
  const again = await run(agent, "go", { model: replayed, journal });
  expect(bookings).toBe(1);
  expect(replayed.requests).toHaveLength(0);
  expect(again.agent).toBe(second);
  expect(again.messages).toEqual(first.messages);
  expect(again.context).toEqual({ bookings: 1 });
  expect([...steps.keys()]).toEqual([
    "turn-1/model",
    "turn-1/tool/call_1",
    "turn-1/tool/call_2",
    "turn-2/model",
  ]);
});

test("a toolChoice that names no tool of the agent is a typed error that lists the tools", async () => {
  const agent = new Agent({
    name: "A",
    model: new ScriptedModel([]),
    tools: [ping],
    toolChoice: { tool: "pong" },
  });
  await expect(run(agent, "go")).rejects.toMatchObject({
    code: "invalid-agent",
    message: expect.stringMatching(/"pong".*ping/),
  });
});

test("agents that ask each other without end are stopped", async () => {
  const model = new FunctionModel(({ messages }) =>
    messages.length === 1 ? call("ask", { input: "you" }) : "done",
  );
  const ask = tool({
    name: "ask",
    input: { type: "object" },
    execute: (_, context) => context.runAgent(agent, "you"),
  });
  const agent: Agent = new Agent({ name: "A", model, tools: [ask] });
  expect(await run(agent, "go")).toMatchObject({ status: "completed", text: "done" });
});
