/** Agents that tools run: what the run around them shows of them, and their limits. */
import {
  Agent,
  AuthenticationError,
  run,
  stream,
  tool,
  type AgentRunEvent,
  type RunEvent,
  type RunOptions,
  type ToolContext,
} from "skein";
import { dollars } from "skein/models";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { describe, expect, test } from "vitest";

const empty = { type: "object", properties: {} } as const;
const ping = tool({ name: "ping", description: "Pings.", input: empty, execute: () => "pong" });
const usage = { inputTokens: 80, outputTokens: 20 };
const call = (toolName: string, args = {}) => ({ toolCalls: [{ toolName, arguments: args }], usage });

function clerk(...answers: ConstructorParameters<typeof ScriptedModel>[0]): Agent {
  return new Agent({ name: "Clerk", model: new ScriptedModel(answers), tools: [ping] });
}

function boss(tools: NonNullable<ConstructorParameters<typeof Agent>[0]["tools"]>, toolName: string): Agent {
  const model = new ScriptedModel([call(toolName, { input: "Ping!" }), "All done."]);
  return new Agent({ name: "Boss", model, tools });
}

/** An event as text: its type, its agent, and what it is about. */
function line(event: RunEvent | AgentRunEvent): string {
  if (event.type === "agent-event")
    return `${event.agent} > ${event.parentToolCallId} > ${line(event.event)}`;
  const detail = "text" in event ? event.text : "status" in event ? event.status : "";
  return `${event.agent} ${event.type} ${detail}`.trim();
}

async function linesOf(agent: Agent, options: RunOptions = {}): Promise<readonly string[]> {
  const running = stream(agent, "go", options);
  const lines = (await Array.fromAsync(running)).map(line);
  await running.result;
  return lines;
}

describe("events", () => {
  test("of an agent called as a tool reach the listeners, wrapped", async () => {
    const lines = await linesOf(boss([clerk(call("ping"), "Pong it is.").asTool()], "clerk"));
    expect(lines).toContain("Boss > call_1 > Clerk text-delta Pong it is.");
    expect(lines).toContain("Boss > call_1 > Clerk tool-end");
    expect(lines).toContain("Boss > call_1 > Clerk run-end completed");
    expect(lines.filter((each) => each.includes("text-delta") && !each.includes(">"))).toEqual([
      "Boss text-delta All done.",
    ]);
  });

  test("are numbered in the run around them without a gap, and have neither result nor state", async () => {
    const events = await Array.fromAsync(stream(boss([clerk("Pong.").asTool()], "clerk"), "go"));
    expect(events.map(({ index }) => index)).toEqual(events.map((_, place) => place));
    const ends = events.flatMap((event) => (event.type === "agent-event" ? [event.event] : []));
    expect(ends.at(-1)).toEqual({
      type: "run-end",
      agent: "Clerk",
      index: ends.length - 1,
      status: "completed",
    });
  });

  test("of deeper agents are wrapped once for each level", async () => {
    const middle = new Agent({
      name: "Middle",
      model: new ScriptedModel([call("clerk", { input: "x" }), "Passed on."]),
      tools: [clerk("Pong.").asTool()],
    });
    const lines = await linesOf(boss([middle.asTool()], "middle"));
    expect(lines).toContain("Boss > call_1 > Middle > call_1 > Clerk text-delta Pong.");
  });

  test.each([
    ["asTool", () => clerk("Pong.").asTool({ events: false })],
    [
      "runAgent",
      () =>
        tool({
          name: "clerk",
          input: { type: "object" },
          execute: (_input, context: ToolContext) => context.runAgent(clerk("Pong."), "x", { events: false }),
        }),
    ],
  ])("can be switched off in %s", async (_title, toolOf) => {
    const lines = await linesOf(boss([toolOf()], "clerk"));
    expect(lines.filter((each) => each.includes("Clerk"))).toEqual([]);
    expect(lines.at(-1)).toBe("Boss run-end completed");
  });

  test("none comes after the end of a run that is cancelled while an agent runs", async () => {
    const controller = new AbortController();
    const events: string[] = [];
    const slow = new Agent({
      name: "Slow",
      model: new FunctionModel(async () => {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 20));
        return "late";
      }),
    });
    await run(boss([slow.asTool()], "slow"), "go", {
      signal: controller.signal,
      onEvent: (event) => events.push(line(event)),
    });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(events.at(-1)).toBe("Boss run-end cancelled");
  });

  test("printed by debug show no masked value and no text of an agent within", async () => {
    const secret = tool({ name: "ping", input: empty, mask: true, execute: () => "s3cret" });
    const inner = new Agent({
      name: "Inner",
      model: new ScriptedModel([call("ping"), "Said."]),
      tools: [secret],
    });
    const printed: string[] = [];
    const original = console.error;
    console.error = (text: string) => void printed.push(text);
    try {
      await run(boss([inner.asTool()], "inner"), "go", { debug: true });
    } finally {
      console.error = original;
    }
    expect(printed.join("\n")).toContain('"type":"tool-end"');
    expect(printed.join("\n")).not.toMatch(/s3cret|text-delta/);
  });
});

describe("result.agentRuns", () => {
  test("has what each agent did, deeper ones within", async () => {
    const middle = new Agent({
      name: "Middle",
      model: new ScriptedModel([call("clerk", { input: "x" }), { text: "Passed on.", usage }]),
      tools: [clerk(call("ping"), { text: "Pong.", usage }).asTool()],
    });
    const result = await run(boss([middle.asTool()], "middle"), "go");
    expect(result.agentRuns).toMatchObject([
      {
        agent: "Middle",
        parentToolCallId: "call_1",
        runId: expect.stringMatching(/\/turn-1\/tool\/call_1\/run\/agent%2F[0-9a-f]{16}$/),
        status: "completed",
        turns: 2,
        usage: { totalTokens: 200 },
        messages: [{ role: "assistant" }, { role: "tool" }, { role: "assistant", agent: "Middle" }],
        agentRuns: [{ agent: "Clerk", status: "completed", turns: 2, agentRuns: [] }],
      },
    ]);
    expect(JSON.stringify(result.state)).not.toContain('Pong."}]');
  });

  test("has agents that failed, and at most a hundred", async () => {
    const broken = new Agent({
      name: "Broken",
      model: new ScriptedModel([]),
      instructions: () => {
        throw new Error("no");
      },
    });
    const quick = new Agent({ name: "Quick", model: new FunctionModel(() => "ok") });
    const many = tool({
      name: "many",
      input: { type: "object" },
      async execute(_input, context: ToolContext) {
        await context.runAgent(broken, "x").catch(() => undefined);
        for (let count = 0; count < 110; count++) await context.runAgent(quick, "x");
        return "done";
      },
    });
    const { agentRuns } = await run(boss([many], "many"), "go");
    expect(agentRuns).toHaveLength(100);
    expect(agentRuns.slice(0, 2)).toMatchObject([
      { agent: "Broken", status: "failed" },
      { agent: "Quick", status: "completed" },
    ]);
  });

  test("says in a warning why one failed, since its caller goes on", async () => {
    const librarian = new Agent({ name: "Librarian", model: new ScriptedModel([]) });
    const ask = { toolCalls: [{ toolName: "Librarian", arguments: { input: "Where?" } }] };
    const lead = new Agent({
      name: "Lead",
      model: new ScriptedModel([ask, "Done."]),
      tools: [librarian.asTool({ name: "Librarian" })],
    });
    const { status, warnings } = await run(lead, "go");
    expect(status).toBe("completed");
    expect(warnings).toEqual([expect.stringMatching(/^Librarian failed: .*script/)]);
  });

  test("keeps the words of a provider from the model, the history and its readers", async () => {
    const error = new AuthenticationError("401: the key of acme-internal is wrong", {
      provider: "acme",
      modelId: "m",
    });
    const librarian = new Agent({ name: "Librarian", model: new FunctionModel(() => ({ error })) });
    const { messages, warnings } = await run(boss([librarian.asTool({ name: "ask" })], "ask"), "go");
    const result = messages.flatMap((each) => (each.role === "tool" ? each.result.content : []));
    expect(result).toEqual([{ type: "text", text: "ask failed: a model call failed (authentication)" }]);
    expect(JSON.stringify(messages)).not.toContain("acme-internal");
    expect(warnings.join()).toContain("acme-internal");
  });

  test("is empty where no agent was run", async () => {
    expect((await run(clerk("Hi."), "go")).agentRuns).toEqual([]);
  });
});

describe("limits of their own", () => {
  const prices = { "scripted:scripted": { input: 10_000, output: 10_000 } };
  const loops = (): Agent =>
    clerk(...Array.from({ length: 9 }, () => ({ ...call("ping"), text: "Still at it." })));
  const textOf = async (agent: Agent, options: RunOptions = {}): Promise<string> => {
    const result = await run(boss([agent.asTool()], "clerk"), "go", options);
    return JSON.stringify(result.messages[1]);
  };

  test.each([
    ["maxTurns", { maxTurns: 2 }, "Clerk reached its limit of 2 model calls before it finished."],
    ["maxTokens", { maxTokens: 150 }, "Clerk reached its limit of tokens or money before it finished."],
    ["maxCost", { maxCost: dollars(1.5, prices) }, "Clerk reached its limit of tokens or money"],
  ])("%s ends the agent, and the model reads that, with the text so far", async (_title, limits, text) => {
    const agent = new Agent({
      name: "Clerk",
      model: new ScriptedModel(
        Array.from({ length: 9 }, () => ({ ...call("ping"), text: "Still at it." })),
        { provider: "scripted", modelId: "scripted" },
      ),
      tools: [ping],
    });
    const result = await run(boss([agent.asTool(limits)], "clerk"), "go");
    expect(result).toMatchObject({ status: "completed", text: "All done.", agentRuns: [{ turns: 2 }] });
    expect(JSON.stringify(result.messages[1])).toContain(text);
    expect(JSON.stringify(result.messages[1])).toContain("Its last text: Still at it.");
  });

  test("a timeout ends the agent alone", async () => {
    const slow = new Agent({ name: "Slow", model: new FunctionModel(() => new Promise<string>(() => {})) });
    const result = await run(boss([slow.asTool({ timeout: 20 })], "slow"), "go");
    expect(result.status).toBe("completed");
    expect(JSON.stringify(result.messages[1])).toContain("Slow did not finish within 20 ms.");
  });

  test("do not widen those of the run around", async () => {
    const agent = loops();
    const result = await run(boss([agent.asTool({ maxTokens: 10_000 })], "clerk"), "go", { maxTokens: 250 });
    expect(result).toMatchObject({ status: "budget", agentRuns: [{ turns: 2, status: "budget" }] });
    expect(await textOf(loops(), { maxTurns: 3 })).toContain("its limit of 3 model calls");
  });

  test("count the agent's own answers, not those of one beside it", async () => {
    const result = await run(
      new Agent({
        name: "Boss",
        model: new ScriptedModel([
          {
            toolCalls: [
              { toolName: "first", arguments: { input: "x" } },
              { toolName: "second", arguments: { input: "x" } },
            ],
          },
          "All done.",
        ]),
        tools: [
          clerk(call("ping"), { text: "One.", usage }).asTool({ name: "first", maxTokens: 150 }),
          clerk(call("ping"), { text: "Two.", usage }).asTool({ name: "second", maxTokens: 150 }),
        ],
      }),
      "go",
    );
    expect(result.agentRuns.map(({ turns, status }) => [turns, status])).toEqual([
      [2, "completed"],
      [2, "completed"],
    ]);
    expect(result.modelCalls).toHaveLength(6);
  });

  test.each([
    [{ maxTurn: 3 }, /Clerk.asTool.*no option "maxTurn".*maxTurns/],
    [{ maxTurns: -1 }, /maxTurns must be a number of at least 0/],
    [{ events: "no" }, /events of Clerk.asTool.* must be true or false/],
    [{ prompt: () => "x" }, /prompt of Clerk.asTool.* needs a schema/],
  ])("asTool refuses %j", (options, problem) => {
    expect(() => clerk().asTool(options as object)).toThrow(problem);
  });
});

describe("an input with a schema", () => {
  const input = {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city", "days"],
  } as const;

  function asked(
    prompt?: (input: { city: string; days: number }) => string | Promise<string>,
    timeout?: number,
  ) {
    const seen: string[] = [];
    const guide = new Agent({
      name: "Guide",
      model: new FunctionModel(({ messages }) => {
        seen.push(JSON.stringify(messages[0]?.role === "user" && messages[0].content));
        return "Walk.";
      }),
    });
    const model = new ScriptedModel([call("guide", { city: "Oslo", days: "2" }), "Planned."]);
    const guideTool = guide.asTool<{ city: string; days: number }>({
      input,
      ...(prompt && { prompt }),
      ...(timeout !== undefined && { timeout }),
    });
    return { seen, agent: new Agent({ name: "Boss", model, tools: [guideTool] }), model };
  }

  test("is what the calling model fills in, and prompt writes the message", async () => {
    const { seen, agent, model } = asked(async ({ city, days }) => `${days} days in ${city}`);
    await run(agent, "go");
    expect(seen).toEqual(['"2 days in Oslo"']);
    expect(model.requests[0]?.tools?.[0]?.inputSchema).toMatchObject(input);
  });

  test("reaches the agent as JSON without prompt", async () => {
    const { seen, agent } = asked();
    await run(agent, "go");
    expect(seen).toEqual([JSON.stringify('{"city":"Oslo","days":2}')]);
  });

  test("whose prompt returns no text becomes an error of the tool", async () => {
    const { agent } = asked(() => 3 as unknown as string);
    const { messages } = await run(agent, "go");
    expect(JSON.stringify(messages[1])).toContain("prompt must return a text, not 3");
  });

  test("whose prompt is another one each time is asked once, over a pause", async () => {
    const done: string[] = [];
    const does = (name: string, approval?: true) =>
      tool({ name, input: {}, execute: () => void done.push(name), ...(approval && { approval }) });
    const guide = new Agent({
      name: "Guide",
      model: new ScriptedModel([call("book", {}), call("pay", {}), "Walk."]),
      tools: [does("book"), does("pay", true)],
    });
    let minute = 0;
    const guideTool = guide.asTool({ input, prompt: () => `It is ${(minute += 1)} past.` });
    const model = new ScriptedModel([call("guide", { city: "Oslo", days: 2 }), "Planned."]);
    const boss = new Agent({ name: "Boss", model, tools: [guideTool] });
    const paused = await run(boss, "go");
    const approvals = paused.pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
    }));
    const ended = await run(boss, JSON.parse(JSON.stringify(paused.state)), { approvals });
    expect(ended).toMatchObject({ status: "completed", text: "Planned.", warnings: [] });
    expect(done).toEqual(["book", "pay"]);
  });

  test("whose prompt does not end becomes an error of the tool after the agent's timeout", async () => {
    const { seen, agent } = asked(() => new Promise<string>(() => {}), 20);
    const { messages } = await run(agent, "go");
    expect(JSON.stringify(messages[1])).toContain("prompt did not return a text within 20 ms.");
    expect(seen).toEqual([]);
  });
});

test.each([
  ["a list", [{ role: "user", content: "Hello" }]],
  ["undefined", undefined],
])("a tool that passes %s to an agent learns what to pass", async (what, passed) => {
  let thrown: unknown;
  const ask = tool({
    name: "ask",
    input: { type: "object" },
    async execute(_input, context: ToolContext) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mistake
      return context.runAgent(new Agent({ name: "B" }), passed as never).catch((error: unknown) => {
        thrown = error;
        throw error;
      });
    },
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "ask" }] }, "Sorry."]);
  await run(new Agent({ name: "A", model, tools: [ask] }), "Go");
  expect(thrown).toMatchObject({
    code: "invalid-input",
    message: `The input of context.runAgent(B, ...) must be a text, not ${what}. Pass what the agent is to read as one string.`,
  });
});
