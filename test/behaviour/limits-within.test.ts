/** Limits of agents called as tools count over all pauses: an agent that waits often gets no more for that. */
import { Agent, run, type RunOptions, type RunState, tool, type AgentToolOptions } from "skein";
import { dollars } from "skein/models";
import { FunctionModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { decide, empty, keepers, plain } from "./test-nested.ts";

const usage = { inputTokens: 80, outputTokens: 20, totalTokens: 100 };
/** A dollar for each answer. */
const table = { "function:function": { input: 10_000, output: 10_000 } };
const pay = tool({ name: "pay", input: empty, approval: true, execute: () => "paid" });

/** Never done: each of its answers calls the only tool there is, or all of them. */
const endless = new FunctionModel(({ tools = [] }) => ({
  toolCalls: tools.slice(0, 1).map(({ name }) => ({ toolName: name, arguments: { input: "Go." } })),
  usage,
}));
const once = new FunctionModel(({ messages, tools = [] }) =>
  messages.at(-1)?.role === "tool"
    ? { text: "Done.", usage }
    : { toolCalls: [{ toolName: tools[0]?.name ?? "", arguments: { input: "Go." } }], usage },
);

/** Approves whatever waits; returns how often something did, and what the caller of the limited agent was told. */
async function approveAll(boss: () => Agent, options: RunOptions): Promise<{ rounds: number; text: string }> {
  let outcome = await run(boss(), "go", options);
  let rounds = 0;
  for (; outcome.status === "paused" && rounds < 10; rounds++) {
    const input: [] | RunState = options.session ? [] : plain(outcome.state);
    outcome = await run(boss(), input, { ...options, approvals: decide(outcome) });
  }
  expect(outcome.status).toBe("completed");
  return { rounds, text: JSON.stringify(outcome.state.messages) };
}

const limits: readonly (readonly [string, AgentToolOptions])[] = [
  ["maxTurns", { maxTurns: 3 }],
  ["maxTokens", { maxTokens: 300 }],
  ["maxCost", { maxCost: dollars(3, table) }],
];

describe.each(limits)("%s of an agent called as a tool", (_limit, limit) => {
  test.each(keepers)("counts over all its pauses, with %s", async (_keeper, optionsOf) => {
    const boss = (): Agent =>
      new Agent({
        name: "Boss",
        model: once,
        tools: [new Agent({ name: "Clerk", model: endless, tools: [pay] }).asTool(limit)],
      });
    const { rounds, text } = await approveAll(boss, optionsOf());
    expect(rounds).toBe(3);
    expect(text).toContain("Clerk reached its limit of");
  });
});

test.each(limits.slice(1))("%s counts what agents within have used before a pause", async (_limit, limit) => {
  const clerk = new Agent({ name: "Clerk", model: once, tools: [pay] });
  const desk = new Agent({ name: "Desk", model: endless, tools: [clerk.asTool()] });
  const boss = (): Agent => new Agent({ name: "Boss", model: once, tools: [desk.asTool(limit)] });
  // The first answers of both, then the clerk's second: with it the limit is reached.
  const { rounds, text } = await approveAll(boss, {});
  expect(rounds).toBe(1);
  expect(text).toContain("Desk reached its limit of tokens or money");
});

test("a state whose agent has answers of another form is refused", async () => {
  const clerk = new Agent({ name: "Clerk", model: endless, tools: [pay] });
  const boss = new Agent({ name: "Boss", model: once, tools: [clerk.asTool({ maxTokens: 900 })] });
  const paused = await run(boss, "go");
  for (const modelCalls of [3, [3], [{ usage: { totalTokens: "100" } }]]) {
    const state = plain(paused.state);
    for (const step of state.nested?.[0]?.steps ?? [])
      if ("state" in step) Reflect.set(step.state, "modelCalls", modelCalls);
    await expect(run(boss, state, { approvals: decide(paused) })).rejects.toThrow(
      /state's nested\[0\]\.steps\[0\]\.state\.modelCalls.* must be /,
    );
  }
});
