import { describe, expect, test } from "vitest";
import { Agent, run, stream, tool, ToolRegistry, type RunOptions, type RunResult, type Tool } from "skein";
import { ScriptedModel, type ScriptedToolCall, type ScriptedTurn } from "skein/testing";

const number = { type: "object", properties: { n: { type: "number" } } };

const add = tool({
  name: "add",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  execute: ({ a, b }) => {
    if (b === 0) throw new Error("nothing to add");
    return Number(a) + Number(b);
  },
});
const shout = tool({
  name: "shout",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }) => String(text).toUpperCase(),
});

/** Calls, or a last answer. */
type Turn = ScriptedTurn | string;

const right: ScriptedToolCall = { toolName: "add", arguments: { a: 1, b: 2 } };
const wrong: ScriptedToolCall = { toolName: "add", arguments: { a: "one", b: 2 } };
const failing: ScriptedToolCall = { toolName: "add", arguments: { a: 1, b: 0 } };
const broken: ScriptedToolCall = { toolName: "add", arguments: '{"a": 1, "b' };
const unknown = (toolName: string): ScriptedToolCall => ({ toolName });
const calls = (...toolCalls: readonly ScriptedToolCall[]): ScriptedTurn => ({ toolCalls: [...toolCalls] });

function start(turns: readonly Turn[]): { readonly agent: Agent; readonly model: ScriptedModel } {
  const model = new ScriptedModel([...turns]);
  return { agent: new Agent({ name: "A", model, tools: [add, shout] }), model };
}

async function play(turns: readonly Turn[], options: RunOptions = {}): Promise<RunResult> {
  return run(start(turns).agent, "go", options);
}

/** What the model was told, call by call. */
function told({ messages }: Pick<RunResult, "messages">): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "tool"
      ? message.result.content.map((part) => (part.type === "text" ? part.text : part.type))
      : [],
  );
}

describe("a model that goes on making mistakes", () => {
  test("ends the run after three in a row, with every call answered", async () => {
    const { agent, model } = start([calls(wrong), calls(broken), calls(wrong), "never said"]);
    const result = await run(agent, "go");
    expect(result).toMatchObject({
      status: "corrections",
      finishReason: "tool-calls",
      turns: 3,
      pending: [],
      state: { status: "corrections", pending: [] },
    });
    expect(told(result)).toHaveLength(3);
    expect(model.requests).toHaveLength(3);
  });

  test("`maxCorrections` says how many", async () => {
    expect(await play([calls(wrong)], { maxCorrections: 1 })).toMatchObject({
      status: "corrections",
      turns: 1,
    });
    const many = await play([...Array.from({ length: 8 }, () => calls(wrong)), "done"], {
      maxCorrections: Number.POSITIVE_INFINITY,
    });
    expect(many).toMatchObject({ status: "completed", turns: 9 });
    await expect(play([], { maxCorrections: 0 })).rejects.toThrow(
      "maxCorrections must be a number of at least 1, not 0",
    );
  });

  test.each<readonly [string, readonly (readonly ScriptedToolCall[])[]]>([
    ["a call that succeeds", [[wrong], [wrong], [right], [wrong], [wrong]]],
    ["a call that reaches the tool and fails there", [[wrong], [wrong], [failing], [wrong], [wrong]]],
    ["a right call beside a wrong one", [[wrong], [wrong], [wrong, right], [wrong], [wrong]]],
    [
      "a success after unknown tools",
      [[unknown("x")], [unknown("y")], [right], [unknown("x")], [unknown("y")]],
    ],
  ])("%s resets the count", async (_, turns) => {
    const result = await play([...turns.map((turn) => calls(...turn)), "done"]);
    expect(result).toMatchObject({ status: "completed", text: "done" });
  });

  test("a call that is not executed, since another has to come first, does not reset the count", async () => {
    const late = tool({
      name: "late",
      input: { ...number, required: ["n"] },
      requires: ["add"],
      execute: () => 1,
    });
    const turn = (n: string | number) => calls({ toolName: "late", arguments: { n } });
    const model = new ScriptedModel([turn("x"), turn(1), turn("x"), turn("x"), "never said"]);
    const result = await run(new Agent({ name: "A", model, tools: [add, late] }), "go");
    expect(result).toMatchObject({ status: "corrections", turns: 4 });
  });

  test("counts mistakes with different tools separately, with any calls between", async () => {
    const other: ScriptedToolCall = { toolName: "shout", arguments: {} };
    const good: ScriptedToolCall = { toolName: "shout", arguments: { text: "hi" } };
    expect(await play([calls(wrong), calls(other), calls(wrong), calls(other), "done"])).toMatchObject({
      status: "completed",
    });
    expect(await play([calls(wrong), calls(good), calls(wrong), calls(good), calls(wrong)])).toMatchObject({
      status: "corrections",
      turns: 5,
    });
  });

  test("wrong calls of one answer are one mistake", async () => {
    expect(await play([calls(wrong, broken, wrong, wrong), "done"])).toMatchObject({ status: "completed" });
  });

  test("counts all unknown tool names together", async () => {
    const result = await play([calls(unknown("x")), calls(unknown("y")), calls(unknown("z"))]);
    expect(result).toMatchObject({ status: "corrections", turns: 3 });
  });

  test("a resumed state continues the count, but starts again after the end for this reason", async () => {
    const { agent } = start([
      calls(wrong),
      calls(wrong),
      calls(wrong),
      calls(wrong),
      calls(wrong),
      calls(right),
      "done",
    ]);
    const paused = await run(agent, "go", { maxTurns: 2 });
    expect(paused.status).toBe("max-turns");
    const ended = await run(agent, JSON.parse(JSON.stringify(paused.state)));
    expect(ended).toMatchObject({ status: "corrections", turns: 1 });
    const resumed = await run(agent, JSON.parse(JSON.stringify(ended.state)));
    expect(resumed).toMatchObject({ status: "completed", text: "done", turns: 4 });
  });

  test("a user message resets the count", async () => {
    const { agent } = start([calls(wrong), calls(wrong), calls(wrong), calls(wrong), "done"]);
    const first = await run(agent, "go", { maxTurns: 2 });
    const second = await run(agent, [...first.state.messages, { role: "user", content: "Numbers, please" }]);
    expect(second).toMatchObject({ status: "completed", turns: 3 });
  });

  test("a call that waits for its result pauses the run all the same", async () => {
    const ask = tool({ name: "ask", input: { type: "object" } });
    const model = new ScriptedModel([calls(wrong, { toolName: "ask" }), "done"]);
    const agent = new Agent({ name: "A", model, tools: [add, ask] });
    const paused = await run(agent, "go", { maxCorrections: 1 });
    expect(paused).toMatchObject({ status: "paused", pending: [{ toolName: "ask" }] });
  });
});

describe("a mistake that is made again", () => {
  test("is marked as one, with what was wrong before", async () => {
    const first: ScriptedToolCall = { toolName: "add", arguments: { a: "1 apple" } };
    const [once, again] = told(await play([calls(first), calls(wrong), "done"]));
    expect(once).not.toContain("before");
    expect(again).toContain(
      [
        "You made this mistake before. What was wrong in your calls just before:",
        '- $.a: expected a number, received a string: "1 apple"',
        "- $.b: is required (expected a number)",
        "Call the tool again with corrected arguments.",
      ].join("\n"),
    );
  });

  test("in the very same words is not listed twice", async () => {
    const [, again = ""] = told(await play([calls(wrong), calls(wrong), "done"]));
    expect(again).toContain("\nYou made this mistake before.\nCall the tool again");
  });

  test("is recognised in text that is not JSON", async () => {
    const [, again] = told(await play([calls(broken), calls({ ...broken, arguments: '{"a":' }), "done"]));
    expect(again).toContain("You made this mistake before.");
  });

  test.each([
    ["another mistake", [calls({ toolName: "add", arguments: { a: 1 } }), calls(wrong)]],
    ["the same with another tool", [calls({ toolName: "shout", arguments: { text: {} } }), calls(wrong)]],
    ["the same after a success", [calls(wrong), calls(right), calls(wrong)]],
  ])("%s is a new one", async (_, turns) => {
    const all = told(await play([...turns, "done"]));
    expect(all.at(-1)).toContain("$.a: expected a number");
    expect(all.at(-1)).not.toContain("before");
  });

  test("an unknown tool name", async () => {
    const [once, again, other] = told(
      await play([calls(unknown("sub")), calls(unknown("sub")), calls(unknown("mul")), "done"], {
        maxCorrections: 9,
      }),
    );
    expect([once, again, other].map((text) => text?.includes("You made this mistake before."))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe("what became of each tool's calls", () => {
  test("is in the stats of the run, calls of unknown tools in one entry", async () => {
    const model = new ScriptedModel([
      calls(right, wrong, unknown("x"), unknown("y")),
      calls(failing),
      "done",
    ]);
    const { stats } = await run(new Agent({ name: "A", model, tools: [add, shout] }), "go");
    expect(Object.keys(stats.tools)).toEqual(["add", "(unknown)"]);
    expect(stats.tools["add"]).toMatchObject({
      calls: 3,
      errors: { error: 1, "invalid-arguments": 1 },
      corrections: 1,
      cacheHits: 0,
    });
    expect(stats.tools["add"]?.latencyMs?.p50).toBeGreaterThan(0);
    expect(stats.tools["(unknown)"]).toMatchObject({ calls: 2, corrections: 2, latencyMs: undefined });
  });

  test("counts cache hits, and calls that tools make of others", async () => {
    const twice = tool({ name: "twice", input: { type: "object" }, cache: true, execute: () => 2 });
    const outer = tool({
      name: "outer",
      input: { type: "object" },
      execute: async (_, { call }) => [await call("twice", {}), await call("twice", {})],
    });
    const model = new ScriptedModel([calls({ toolName: "outer" }), "done"]);
    const { stats } = await run(new Agent({ name: "A", model, tools: [outer, twice] }), "go");
    expect(stats.tools).toMatchObject({ outer: { calls: 1 }, twice: { calls: 2, cacheHits: 1 } });
  });

  test("works for a tool named like a member of every object", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const tools = names.map((name) => tool({ name, input: { type: "object" }, execute: () => name }));
    const model = new ScriptedModel([calls(...names.map(unknown)), "done"]);
    const { stats } = await run(new Agent({ name: "A", model, tools }), "go");
    expect(names.map((name) => stats.tools[name]?.calls)).toEqual([1, 1, 1]);
    expect(stats.tools["hasOwnProperty"]).toBeUndefined();
  });

  test("is in the stats of a registry, over all runs, and for each version apart", async () => {
    const quiet = tool({ name: "quiet", input: { type: "object" }, execute: () => "" });
    const registry = new ToolRegistry()
      .tool(
        function half(n: number) {
          return n / 2;
        },
        { version: "1.0.0", input: { ...number, required: ["n"] } },
      )
      .tool(
        function half(n: number) {
          return n * 0.5;
        },
        { version: "2.0.0", input: { ...number, required: ["n"] } },
      )
      .register(quiet);
    const half = (n: number | string): ScriptedToolCall => ({ toolName: "half", arguments: { n } });
    for (const name of ["A", "B"]) {
      const model = new ScriptedModel([calls(half(4)), calls(half("x")), "done"]);
      await run(new Agent({ name, model, tools: [registry] }), "go");
    }
    expect(registry.stats()).toMatchObject({
      "half@1.0.0": { calls: 0 },
      "half@2.0.0": { calls: 4, corrections: 2, errors: { "invalid-arguments": 2 } },
      quiet: { calls: 0, errors: {}, latencyMs: undefined },
    });
  });

  test("the end of each call has its duration", async () => {
    const { agent } = start([calls(right, wrong, unknown("x")), "done"]);
    const durations: number[] = [];
    for await (const event of stream(agent, "go"))
      if (event.type === "tool-end") durations.push(event.durationMs);
    expect(durations).toHaveLength(3);
    for (const duration of durations) expect(duration).toBeGreaterThanOrEqual(0);
  });
});

test("a call of an unknown tool is answered with the tools of the agent that made it, as they are then", async () => {
  const named = (name: string): Tool => tool({ name, input: { type: "object" }, execute: () => name });
  const sales: Agent = new Agent({ name: "Sales", tools: [named("list_orders")], handoffs: () => [refunds] });
  const refunds: Agent = new Agent({
    name: "Refunds",
    tools: [named("refund_order")],
    handoffs: () => [sales],
  });
  const call = (toolName: string): { readonly toolCalls: readonly { readonly toolName: string }[] } => ({
    toolCalls: [{ toolName }],
  });
  const model = new ScriptedModel([
    call("lookup"),
    call("transfer_to_refunds"),
    call("list_orders"),
    "Done.",
  ]);
  const { messages } = await run(sales, "Go.", { model });
  const texts = messages.flatMap((message) =>
    message.role === "tool" && message.result.isError
      ? message.result.content.map((part) => (part.type === "text" ? part.text : ""))
      : [],
  );
  expect(texts).toEqual([
    expect.stringContaining('The tools are: "list_orders", "transfer_to_refunds".'),
    expect.stringContaining(
      'There is no tool named "list_orders". The tools are: "refund_order", "transfer_to_sales".',
    ),
  ]);
});
