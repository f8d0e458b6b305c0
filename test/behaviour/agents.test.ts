import { expect, test } from "vitest";
import { Agent, executeToolCalls, ModelNotFoundError, result, run, stream, tool, type RunEvent } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;
const ping = tool({ name: "ping", input: empty, execute: () => "pong" });
const call = (toolName: string, args = {}) => ({ toolCalls: [{ toolName, arguments: args }] });

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test("a tool sees the agent and the model that made the call, and neither outside a run", async () => {
  const seen: unknown[] = [];
  const look = tool({
    name: "look",
    input: empty,
    execute: (_, { agent, model }) => void seen.push(agent?.name, model?.modelId),
  });
  const model = new ScriptedModel([call("look"), "done"]);
  await run(new Agent({ name: "Ann", model, tools: [look] }), "go");
  await executeToolCalls([{ toolCallId: "1", toolName: "look", arguments: "{}" }], [look]);
  expect(seen).toEqual(["Ann", model.modelId, undefined, undefined]);
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

test("evaluates instructions at each model call, with the current context; missing keys are undefined", async () => {
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

test("a tool that writes into its context gets an error, and changes nothing", async () => {
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

test("toolChoice required holds for an agent's first call of a run only", async () => {
  const model = new ScriptedModel([call("ping"), "done"]);
  await run(new Agent({ name: "A", model, tools: [ping], toolChoice: "required" }), "go");
  expect(model.requests.map((request) => request.toolChoice)).toEqual(["required", "auto"]);
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
    data: { agent: "A" },
    state: { agent: "A" },
  });
});

test("an agent as a tool runs to its end with its caller's model", async () => {
  const expert = new Agent({ name: "Poet", description: "Writes a line.", instructions: "You write." });
  const model = new FunctionModel(({ instructions, messages }) => {
    if (instructions === "You write.") return `a line about ${JSON.stringify(messages[0])}`;
    return messages.length === 1 ? call("poet", { input: "geese" }) : "done";
  });
  const outcome = await run(new Agent({ name: "Boss", model, tools: [expert.asTool()] }), "go");
  expect(outcome.messages[1]).toMatchObject({
    result: { content: [{ text: 'a line about {"role":"user","content":"geese"}' }] },
  });
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
