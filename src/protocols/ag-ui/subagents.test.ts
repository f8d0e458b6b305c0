import { Agent, tool } from "skein";
import { ScriptedModel, type TurnLike } from "skein/testing";
import { expect, test } from "vitest";
import { App, clientOf, expectSame, runClient, say } from "./test-app.ts";

const noInput = { type: "object", properties: {} } as const;

const ask = tool({ name: "ask", input: noInput, approval: true, execute: () => "allowed" });

const delegating = (name: string, within: Agent, toolName: string): Agent =>
  new Agent({
    name,
    model: new ScriptedModel([{ toolCalls: [{ toolName, arguments: { input: "Go" } }] }, `${name} is done.`]),
    tools: [within.asTool()],
  });

/** What each agent within the run has written, by its id. */
function textsOf(client: ReturnType<typeof clientOf>): Readonly<Record<string, readonly unknown[]>> {
  const texts: Record<string, unknown[]> = {};
  for (const { role, subagentRunId, content } of client.messages)
    if (role === "assistant" && subagentRunId !== undefined && content !== undefined)
      (texts[subagentRunId] ??= []).push(content);
  return texts;
}

test("agents within agents are named by their parents, and a call of the innermost can wait", async () => {
  const inner = new Agent({
    name: "Inner",
    model: new ScriptedModel([{ text: "May I?", toolCalls: [{ toolName: "ask" }] }, "I may."]),
    tools: [ask],
  });
  const app = new App(delegating("Outer", delegating("Middle", inner, "inner"), "middle"));
  const client = clientOf(app);
  const first = await say(client, "Go");
  expect(first.warnings).toEqual([]);
  // All models count from call_1.
  const middle = "call_1/agent-1";
  const innermost = `${middle}/call_1/agent-1`;
  expect(client.pendingInterrupts).toMatchObject([
    { toolCallId: `${innermost}/call_1`, subagentRunId: innermost },
  ]);
  expect(first.events.filter(({ type }) => type.startsWith("SUBAGENT"))).toMatchObject([
    { type: "SUBAGENT_STARTED", subagentRunId: middle, name: "Middle", parentToolCallId: "call_1" },
    {
      subagentRunId: innermost,
      name: "Inner",
      parentSubagentRunId: middle,
      parentToolCallId: `${middle}/call_1`,
    },
    {
      type: "SUBAGENT_FINISHED",
      subagentRunId: innermost,
      outcome: { type: "suspended", interruptIds: [expect.any(String)] },
    },
    { type: "SUBAGENT_FINISHED", subagentRunId: middle, outcome: { type: "suspended", interruptIds: [] } },
  ]);
  const resume = client.pendingInterrupts.map(
    ({ id }) => ({ interruptId: id, status: "resolved", payload: { approved: true } }) as const,
  );
  await expectSame(app, client, runClient(client, { resume }));
  expect(textsOf(client)).toEqual({ [innermost]: ["May I?", "I may."], [middle]: ["Middle is done."] });
});

const expert = (name: string, turns: readonly TurnLike[]): Agent =>
  new Agent({ name, model: new ScriptedModel(turns) });

test("agents that a tool runs side by side are apart", async () => {
  const panel = tool({
    name: "panel",
    input: noInput,
    execute: async (_input, context) => {
      const pieces = { chunkSize: 2, delay: 1 } as const;
      const agents = [
        expert("A", [{ text: "Words of A", ...pieces }]),
        expert("B", [{ text: "Those of B", ...pieces }]),
      ];
      return Promise.all(agents.map((agent) => context.runAgent(agent, "Well?")));
    },
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "panel" }] }, "They agree."]);
  const app = new App(new Agent({ name: "Host", model, tools: [panel] }));
  const client = clientOf(app);
  await expectSame(app, client, say(client, "Go"));
  expect(new Set(Object.values(textsOf(client)).flat())).toEqual(new Set(["Those of B", "Words of A"]));
});

test("an agent that its tool does not wait for is stopped with the tool", async () => {
  const hasty = tool({
    name: "hasty",
    input: noInput,
    execute: async (_input, context) => {
      void context
        .runAgent(expert("Slow", [{ text: "On and on", chunkSize: 1, delay: 30 }]), "Well?")
        .catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 80));
      return "enough";
    },
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "hasty" }] }, "So be it."]);
  const app = new App(new Agent({ name: "Host", model, tools: [hasty] }));
  const client = clientOf(app);
  const ran = await say(client, "Go");
  await expectSame(app, client, Promise.resolve(ran));
  expect(ran.events.filter(({ type }) => type.startsWith("SUBAGENT"))).toMatchObject([
    { type: "SUBAGENT_STARTED", name: "Slow" },
    { type: "SUBAGENT_ERROR", code: "cancelled" },
  ]);
});

test("an agent that hands off within the run is one subagent, and an event names both", async () => {
  const second = expert("Second", ["From the second."]);
  const first = new Agent({
    name: "First",
    model: new ScriptedModel([{ text: "One moment.", toolCalls: [{ toolName: "transfer_to_second" }] }]),
    handoffs: [second],
  });
  const app = new App(delegating("Host", first, "first"));
  const client = clientOf(app);
  const ran = await say(client, "Go");
  await expectSame(app, client, Promise.resolve(ran));
  const subagentRunId = "call_1/agent-1";
  expect(ran.events).toContainEqual({
    type: "CUSTOM",
    name: "handoff",
    value: { from: "First", to: "Second", toolCallId: `${subagentRunId}/call_1` },
    subagentRunId,
  });
  expect(textsOf(client)).toEqual({ [subagentRunId]: ["One moment.", "From the second."] });
});

test("calls with one id, of agents at two depths, are interrupts of their own calls", async () => {
  const input = { type: "object", properties: { n: { type: "number" } } } as const;
  const refund = tool({
    name: "refund",
    input,
    approval: true,
    execute: ({ n }: { readonly n: number }) => `Refunded ${n}.`,
  });
  const refunds = (...numbers: number[]) => numbers.map((n) => ({ toolName: "refund", arguments: { n } }));
  const deep = new Agent({
    name: "Deep",
    tools: [refund],
    model: new ScriptedModel([{ toolCalls: refunds(1, 2) }, "Deep is done."]),
  });
  const inner = new Agent({
    name: "Inner",
    tools: [refund, deep.asTool()],
    model: new ScriptedModel([
      { toolCalls: [{ toolName: "deep", arguments: { input: "Go" } }, ...refunds(3)] },
      "Inner is done.",
    ]),
  });
  const app = new App(delegating("Host", inner, "inner"));
  const client = clientOf(app);
  await say(client, "Go");
  const middle = "call_1/agent-1";
  const innermost = `${middle}/call_1/agent-1`;
  expect(client.pendingInterrupts).toMatchObject([
    { toolCallId: `${innermost}/call_1`, subagentRunId: innermost },
    { toolCallId: `${innermost}/call_2`, subagentRunId: innermost },
    { toolCallId: `${middle}/call_2`, subagentRunId: middle },
  ]);
  const resume = client.pendingInterrupts.map(
    ({ id }, index) => ({ interruptId: id, status: "resolved", payload: { approved: index !== 1 } }) as const,
  );
  await expectSame(app, client, runClient(client, { resume }));
  const results = client.messages.flatMap((each) =>
    each.role === "tool" ? [[each.toolCallId, each.content]] : [],
  );
  expect(results).toContainEqual([`${middle}/call_2`, "Refunded 3."]);
  expect(results).toContainEqual([`${innermost}/call_1`, "Refunded 1."]);
  expect(results).toContainEqual([`${innermost}/call_2`, expect.stringContaining("not approved")]);
});
