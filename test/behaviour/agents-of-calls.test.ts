/** Calls that wait belong to the agent that made them, whichever agent is active since. */
import { Agent, run, tool, type RunOptions, type Tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { calls, decide, does, effects, empty, keepers, plain } from "./test-nested.ts";

describe("an open call of an agent that has handed off", () => {
  const refund = (who: string, approval: boolean): Tool =>
    tool({
      name: "refund",
      input: empty,
      approval,
      execute: () => {
        effects.push(`refund of ${who}`);
        return who;
      },
    });

  function team(): { readonly triage: Agent; readonly sales: Agent } {
    const sales = new Agent({
      name: "Sales",
      model: new FunctionModel(() => "Sold."),
      tools: [refund("Sales", false)],
    });
    const model = new FunctionModel(() => ({
      toolCalls: [{ toolName: "refund" }, { toolName: "transfer_to_sales" }],
    }));
    const tools = [refund("Triage", true)];
    return { sales, triage: new Agent({ name: "Triage", model, tools, handoffs: [sales] }) };
  }

  test.each(keepers)("is never executed by another agent's tool, with %s", async (_title, optionsOf) => {
    const { triage, sales } = team();
    const options: RunOptions = optionsOf();
    const paused = await run(triage, "go", options);
    expect(paused.agent.name).toBe("Sales");
    const input = options.session ? [] : plain(paused.state);
    const approvals = decide(paused);
    await expect(run(sales, input, { ...options, approvals })).rejects.toMatchObject({
      code: "agent-not-found",
      message:
        'The open calls are of the agent "Triage", which is not one of Sales. Pass it in options.agents.',
    });
    expect(effects).toEqual([]);
    const done = await run(sales, input, { ...options, approvals, agents: [triage] });
    expect([done.text, effects]).toEqual(["Sold.", ["refund of Triage"]]);
  });

  test("within another agent is named with the agent that made it", async () => {
    const expert = new Agent({ name: "Expert", model: calls() });
    const model = new FunctionModel(({ messages }) =>
      messages.length === 1
        ? { toolCalls: [{ toolName: "pay" }, { toolName: "transfer_to_expert" }] }
        : "Done.",
    );
    const tools = [does("pay", { approval: true })];
    const helper = new Agent({ name: "Helper", model, tools, handoffs: [expert] });
    const desk = new Agent({ name: "Desk", model: calls("helper"), tools: [helper.asTool()] });
    const paused = await run(desk, "go");
    expect(paused.pending).toMatchObject([{ toolName: "pay", agent: "Helper" }]);
    const again = await run(desk, plain(paused.state));
    expect(again.pending).toEqual(paused.pending);
    const done = await run(desk, plain(again.state), { approvals: decide(again) });
    expect([done.status, effects]).toEqual(["completed", ["pay"]]);
  });
});

describe("an agent that a tool has returned", () => {
  test.each(keepers)(
    "goes on within another one, from options.agents, with %s",
    async (_title, optionsOf) => {
      const team = (): { readonly desk: Agent; readonly expert: Agent } => {
        const expert = new Agent({
          name: "Expert",
          model: new FunctionModel(({ messages }) =>
            messages.some(
              ({ role, ...each }) => role === "assistant" && "agent" in each && each.agent === "Expert",
            )
              ? "Done."
              : { toolCalls: [{ toolName: "pay" }] },
          ),
          tools: [does("pay", { approval: true })],
        });
        const choose = tool({ name: "choose", input: empty, execute: () => expert });
        const helper = new Agent({ name: "Helper", model: calls("choose"), tools: [choose] });
        return {
          expert,
          desk: new Agent({ name: "Desk", model: calls("helper"), tools: [helper.asTool()] }),
        };
      };
      const options = optionsOf();
      const paused = await run(team().desk, "go", options);
      expect(paused.pending).toMatchObject([{ agent: "Expert", toolName: "pay" }]);
      const { desk, expert } = team();
      const input = options.session ? [] : plain(paused.state);
      const done = await run(desk, input, { ...options, approvals: decide(paused), agents: [expert] });
      expect([done.status, done.warnings, effects]).toEqual(["completed", [], ["pay"]]);
    },
  );

  test.each(keepers)(
    "to another tool is returned to it again, or an error, with %s",
    async (_title, optionsOf) => {
      const expert = new Agent({ name: "Expert", model: new ScriptedModel(["I am the expert."]) });
      const choose = tool({ name: "choose", input: empty, execute: () => expert });
      const go = tool({
        name: "go",
        input: empty,
        execute: async (_input: unknown, { call }) => {
          const agent = await call("choose", {});
          await call("pay", {});
          return agent;
        },
      });
      const desk = (): Agent =>
        new Agent({
          name: "Desk",
          model: calls({ toolName: "go", arguments: {} }),
          tools: [choose, go, does("pay", { approval: true })],
        });
      const options = optionsOf();
      const paused = await run(desk(), "go", options);
      const input = options.session ? [] : plain(paused.state);
      const approvals = decide(paused);
      await expect(run(desk(), input, { ...options, approvals })).rejects.toMatchObject({
        code: "agent-not-found",
        message: expect.stringContaining('choose has returned the agent "Expert", which is not one of Desk.'),
      });
      expect(effects).toEqual([]);
      const done = await run(desk(), input, { ...options, approvals, agents: [expert] });
      expect([done.agent.name, done.text, effects]).toEqual(["Expert", "I am the expert.", ["pay"]]);
    },
  );
});

describe("a call that has begun, and waits for a call within it", () => {
  const agent = (): Agent => {
    const order = tool({
      name: "order",
      input: empty,
      execute: async (_input: unknown, { call }) => [await call("ship", {}), await call("pay", {})],
    });
    return new Agent({
      name: "A",
      model: calls({ toolName: "order", arguments: {} }),
      tools: [order, does("ship"), does("pay", { approval: true })],
    });
  };

  test("does not get the result of one that was not executed where the conversation goes on without it", async () => {
    const session = memorySession();
    await run(agent(), "Order it.", { session });
    const { state } = await run(agent(), "Did you?", { session });
    const results = state.messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
    expect(results).toMatchObject([
      {
        outcome: "cancelled",
        content: [
          {
            text: "The conversation went on before order finished. It may or may not have taken effect.",
          },
        ],
      },
    ]);
  });

  test.each([true, false])("nor where the run is cancelled as it goes on, decided: %s", async (isDecided) => {
    const paused = await run(agent(), "Order it.");
    const controller = new AbortController();
    const cancelled = await run(agent(), plain(paused.state), {
      signal: controller.signal,
      middleware: [{ run: (_, next) => (controller.abort(), next()) }],
      ...(isDecided && { approvals: decide(paused) }),
    });
    expect(cancelled.status).toBe("cancelled");
    const [last] = cancelled.state.messages.slice(-1);
    expect(last).toMatchObject({
      role: "tool",
      result: {
        outcome: "cancelled",
        content: [
          { text: "The run was cancelled before order finished. It may or may not have taken effect." },
        ],
      },
    });
  });
});
