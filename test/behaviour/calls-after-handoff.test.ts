/** Calls that wait while another agent becomes active: they stay calls of the agent whose model made them. */
import {
  Agent,
  AgentNotFoundError,
  run,
  tool,
  type RunOptions,
  type RunResult,
  type RunState,
  type Tool,
} from "skein";
import { defineEval, runEval } from "skein/evals";
import { FunctionModel, type ScriptedToolCall } from "skein/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { decide, empty, keepers, plain } from "./test-nested.ts";

let effects: string[] = [];
beforeEach(() => {
  effects = [];
});

/** Answers by turns: calls, or a text. The model of each agent counts all answers of the history. */
function answers(...turns: readonly (string | readonly (string | ScriptedToolCall)[])[]): FunctionModel {
  return new FunctionModel(({ messages }) => {
    const next = turns[messages.filter(({ role }) => role === "assistant").length] ?? "The end.";
    if (typeof next === "string") return next;
    return { toolCalls: next.map((call) => (typeof call === "string" ? { toolName: call } : call)) };
  });
}

/** A tool `refund` that several agents have, each one of its own. */
function refund(owner: string, approval: boolean): Tool {
  return tool({
    name: "refund",
    description: `Refunds by ${owner}.`,
    input: empty,
    approval,
    execute: () => {
      effects.push(`refund of ${owner}`);
      return `${owner} refunded.`;
    },
  });
}

function returns(name: string, agent: () => Agent, options: object = {}): Tool {
  return tool({ name, description: name, input: empty, ...options, execute: agent });
}

/** An agent whose answer asks for a refund and hands off, to one that has another `refund`. */
function team(approval = true, salesTools: readonly Tool[] = [refund("Sales", false)]): Agent {
  const sales = new Agent({
    name: "Sales",
    description: "Sells.",
    model: answers("", "Sales speaks."),
    tools: salesTools,
  });
  return new Agent({
    name: "Triage",
    model: answers(["refund", "transfer_to_sales"]),
    tools: [refund("Triage", approval)],
    handoffs: [sales],
  });
}

function resume(agent: Agent, paused: RunResult, options: RunOptions): Promise<RunResult> {
  const input = options.session || options.journal ? [] : plain(paused.state);
  return run(agent, options.journal ? plain(paused.state) : input, { approvals: decide(paused), ...options });
}

describe("a call that waits while another agent becomes active", () => {
  test.each(keepers)(
    "that is refused since its agent cannot be found can be resumed later, with %s",
    async (_, optionsOf) => {
      for (const salesTools of [[refund("Sales", false)], []]) {
        const options = optionsOf();
        const paused = await run(team(true, salesTools), "go", options);
        expect(paused.agent.name).toBe("Sales");
        const refused = await resume(paused.agent, paused, options).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(AgentNotFoundError);
        expect(refused).toMatchObject({
          code: "agent-not-found",
          data: { agent: "Triage", known: ["Sales"] },
        });
        expect(effects).toEqual([]);
        // The refusal has taken nothing from the run.
        const done = await resume(paused.agent, paused, { ...options, agents: [team(true, salesTools)] });
        expect(done).toMatchObject({ status: "completed", text: "Sales speaks." });
        expect(effects.splice(0)).toEqual(["refund of Triage"]);
      }
    },
  );

  test("is refused as well where it needs no decision", async () => {
    const { state } = await run(team(false), "go", { executeTools: false });
    expect(state.pending).toMatchObject([{ toolName: "refund" }, { toolName: "transfer_to_sales" }]);
    const sales = new Agent({ name: "Sales", model: answers(), tools: [refund("Sales", false)] });
    await expect(run(sales, plain({ ...state, agent: "Sales" }))).rejects.toThrow(AgentNotFoundError);
    expect(effects).toEqual([]);
  });

  test("needs no agent where its result comes from elsewhere", async () => {
    const ask = tool({ name: "ask", description: "Asks.", input: empty });
    const sales = new Agent({ name: "Sales", model: answers("", "Sales speaks.") });
    const triage = new Agent({
      name: "Triage",
      model: answers(["ask", "transfer_to_sales"]),
      tools: [ask],
      handoffs: [sales],
    });
    const paused = await run(triage, "go");
    const results = paused.pending.map(({ toolCallId }) => ({ toolCallId, content: "yes" }));
    expect(await run(sales, plain(paused.state), { results })).toMatchObject({ text: "Sales speaks." });
    await expect(run(sales, plain(paused.state), { results: [] })).rejects.toThrow(AgentNotFoundError);
  });

  test("may hand off to the agent that made it", async () => {
    const sales = new Agent({ name: "Sales", model: answers("", "Sales speaks.") });
    const triage: Agent = new Agent({
      name: "Triage",
      model: answers(["transfer_to_sales", "back"], "Triage speaks."),
      tools: [returns("back", () => triage, { approval: true })],
      handoffs: [sales],
    });
    const paused = await run(triage, "go");
    expect(paused.agent.name).toBe("Sales");
    const done = await run(triage, plain(paused.state), { approvals: decide(paused) });
    expect(done).toMatchObject({ text: "Triage speaks.", state: { agent: "Triage" } });
  });

  test("leaves the other agent active if executing it fails the run", async () => {
    const paused = await run(team(), "go");
    let failures = 1;
    const failing: RunOptions = {
      middleware: [
        {
          step: async (key, next) => {
            const value = await next();
            if (key.kind === "tool" && failures-- > 0) throw new Error("The disk is full.");
            return value;
          },
        },
      ],
    };
    const failed = await run(team(), plain(paused.state), { ...failing, approvals: decide(paused) }).then(
      () => undefined,
      (error: { state: RunState }) => error,
    );
    expect(failed?.state.agent).toBe("Sales");
    expect(await run(team(), plain(failed?.state))).toMatchObject({ text: "Sales speaks." });
    expect(effects).toEqual(["refund of Triage"]);
  });

  test("is executed as shown by an evaluation", async () => {
    const cases = [{ input: "Refund, then sell.", calls: { include: ["refund"] } }];
    const { summary } = await runEval(defineEval({ agent: team(), approvals: "approve", cases }));
    expect(summary.passed).toBe(1);
    expect(effects).toEqual(["refund of Triage"]);
  });
});

describe("an agent that a tool returns", () => {
  const expert = (): Agent =>
    new Agent({ name: "Expert", model: new FunctionModel(() => "The expert speaks.") });

  test.each([false, true])("is returned again where the tool is tried again, masked: %s", async (mask) => {
    let failures = 1;
    const choose = tool({
      name: "choose",
      input: empty,
      approval: true,
      mask,
      execute: () => {
        effects.push("chosen");
        return expert();
      },
    });
    const go = tool({
      name: "go",
      input: empty,
      retries: { times: 1, delay: 1, when: () => true },
      execute: async (_input: unknown, { call }) => {
        const agent = await call("choose", {});
        if (failures-- > 0) throw new Error("The line is busy.");
        return agent;
      },
    });
    const desk = new Agent({ name: "Desk", model: answers(["go"], "The desk speaks."), tools: [go, choose] });
    const paused = await run(desk, "go");
    const done = await run(desk, plain(paused.state), { approvals: decide(paused) });
    expect([done.text, done.agent.name, effects]).toEqual(["The expert speaks.", "Expert", ["chosen"]]);
  });

  test.each(keepers)("goes on two agents deep, after a handoff of its own, with %s", async (_, optionsOf) => {
    const build = (): { readonly chosen: Agent; readonly desk: Agent } => {
      const last = new Agent({ name: "Last", model: answers("", "", "The last speaks.") });
      const chosen = new Agent({
        name: "Chosen",
        model: answers("", ["refund", "transfer_to_last"]),
        tools: [refund("Chosen", true)],
        handoffs: [last],
      });
      const inner = new Agent({
        name: "Inner",
        model: answers(["choose"]),
        tools: [returns("choose", () => chosen)],
      });
      const asking = (name: string): FunctionModel =>
        answers([{ toolName: name, arguments: { input: "Go." } }], `${name} is done.`);
      const middle = new Agent({ name: "Middle", model: asking("inner"), tools: [inner.asTool()] });
      return {
        chosen,
        desk: new Agent({ name: "Desk", model: asking("middle"), tools: [middle.asTool()] }),
      };
    };
    const options = optionsOf();
    const paused = await run(build().desk, "go", options);
    expect(paused.pending).toMatchObject([{ toolName: "refund", agent: "Chosen" }]);
    const { desk, chosen } = build();
    const refused = await resume(desk, paused, options).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "agent-not-found",
      message: expect.stringMatching(/^The state is at the agent "Last", .* Pass it in options\.agents\.$/),
    });
    expect(effects).toEqual([]);
    const done = await resume(desk, paused, { ...options, agents: [chosen] });
    expect([done.status, done.text, effects]).toEqual(["completed", "middle is done.", ["refund of Chosen"]]);
  });

  test("is found in a later try where code of the program runs the agent", async () => {
    const chosen = new Agent({
      name: "Chosen",
      model: answers("", ["refund"], "Refunded."),
      tools: [refund("Chosen", true)],
    });
    const helper = new Agent({
      name: "Helper",
      model: answers(["choose"]),
      tools: [returns("choose", () => chosen)],
    });
    const go = tool({
      name: "go",
      input: empty,
      execute: (_input: unknown, { runAgent }) => runAgent(helper, "Go."),
    });
    const desk = new Agent({ name: "Desk", model: answers(["go"], "The desk speaks."), tools: [go] });
    const paused = await run(desk, "go");
    const failed = await run(desk, plain(paused.state), { approvals: decide(paused) }).then(
      () => undefined,
      (error: AgentNotFoundError) => error,
    );
    expect(failed).toBeInstanceOf(AgentNotFoundError);
    for (const state of [paused.state, failed?.state]) {
      const options = { approvals: decide(paused), agents: [chosen] };
      expect(await run(desk, plain(state), options)).toMatchObject({ text: "The desk speaks." });
    }
    expect(effects).toEqual(["refund of Chosen", "refund of Chosen"]);
  });

  test("is shown as the one whose call waits, or the state is refused", async () => {
    const helper = new Agent({ name: "Helper", model: answers(["refund"]), tools: [refund("Helper", true)] });
    const model = answers([{ toolName: "helper", arguments: { input: "Go." } }]);
    const desk = new Agent({ name: "Desk", model, tools: [helper.asTool()] });
    const paused = await run(desk, "go");
    const pending = paused.state.pending.map((call) => ({ ...call, agent: "Desk" }));
    await expect(
      run(desk, plain({ ...paused.state, pending }), { approvals: decide(paused) }),
    ).rejects.toThrow("has changed since approval was requested");
    expect(effects).toEqual([]);
  });
});
