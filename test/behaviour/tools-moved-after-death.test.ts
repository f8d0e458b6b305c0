/** A process died while calls came to wait, and the next build has their tool in a toolset: they are no calls of that. */
import { Agent, run, tool, type Tool, toolset, type ToolSource } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { sessionsOfDeath } from "./sessions-of-death.ts";
import { boss, decide, does, effects } from "./test-nested.ts";

const pay = (): Tool => does("pay", { approval: true });

/** An agent that makes two calls side by side. */
function twice(toolName: string, tools: readonly ToolSource[]): Agent {
  const model = new FunctionModel(({ messages }) => {
    const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
    if (results.length > 0) return JSON.stringify(results.map(({ content }) => content));
    return { toolCalls: [1, 2].map((amount) => ({ toolName, arguments: { amount } })) };
  });
  return new Agent({ name: "Clerk", model, tools: [...tools] });
}

const via = tool({
  name: "via",
  input: { type: "object", properties: { amount: { type: "number" } } },
  execute: ({ amount }, context) => context.call("pay", { amount }),
});

test.each([
  ["the model's own calls", (tools: readonly ToolSource[]) => twice("pay", tools)],
  ["those of a tool", (tools: readonly ToolSource[]) => twice("via", [via, ...tools])],
  ["those of an agent", (tools: readonly ToolSource[]) => boss([twice("pay", tools).asTool()])],
  [
    "those of a tool of an agent",
    (tools: readonly ToolSource[]) => boss([twice("via", [via, ...tools]).asTool()]),
  ],
])("%s are decided for the tool that was called, at whatever entry it died", async (_, build) => {
  const cuts = async () =>
    (await sessionsOfDeath(build([pay()]))).filter(({ entries }) => {
      const text = JSON.stringify(entries);
      return text.includes('"approvalId"') && !text.includes('"paused"');
    });
  expect((await cuts()).length).toBeGreaterThan(1);
  const moved = build([toolset([pay()])]);
  for (const { session } of await cuts()) {
    const paused = await run(moved, [], { session });
    const done = await run(moved, [], { session, approvals: decide(paused) });
    expect([done.status, done.warnings]).toEqual(["completed", []]);
    expect(done.text).toMatch(/no tool named|not finished/);
    expect(effects).toEqual([]);
  }
  for (const { session } of await cuts()) {
    effects.length = 0;
    const paused = await run(moved, [], { session });
    const done = await run(build([pay()]), [], { session, approvals: decide(paused) });
    expect([done.status, done.warnings]).toEqual(["completed", []]);
    expect(["pay 1", "pay 1,pay 2"]).toContain(effects.join());
  }
});
