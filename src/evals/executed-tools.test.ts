import { expect, test } from "vitest";
import { Agent } from "../agent/agent.ts";
import { FunctionModel, ScriptedModel } from "../testing/index.ts";
import { tool } from "../tool/define.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { Tool } from "../tool/types.ts";
import { defineEval } from "./define-eval.ts";
import { runEval } from "./run-eval.ts";
import type { Transcript } from "./types.ts";
import type { RunRecord } from "./results.ts";

const input = { type: "object", properties: {} };
const wipe = tool({ name: "wipe", input, execute: () => "wiped" });
const oldWipe = tool({ name: "oldwipe", input, execute: () => 1, deprecated: { use: "wipe" } });
const asking = (name: string, execute: (context: ToolContext) => unknown): Tool =>
  tool({ name, input, execute: (_: object, context: ToolContext) => execute(context) });

/** Calls the first tool of each agent, then answers. */
const eager = new FunctionModel(({ messages, tools }) =>
  messages.at(-1)?.role === "user"
    ? { toolCalls: [{ toolName: tools?.[0]?.name ?? "", arguments: { input: "x" } }] }
    : "done",
);
const script =
  (toolName: string): (() => ScriptedModel) =>
  () =>
    new ScriptedModel([{ toolCalls: [{ toolName, arguments: {} }] }, "done"]);

const inner = new Agent({ name: "Inner", description: "Wipes.", tools: [wipe] });
const middle = new Agent({ name: "Middle", description: "Asks.", tools: [inner.asTool({ events: false })] });

async function judged(
  agent: Agent,
  never: string,
  model: FunctionModel | (() => ScriptedModel) = eager,
  approvals?: "approve" | "deny",
): Promise<RunRecord | undefined> {
  const cases = [{ input: "x", never: [never] }];
  const evaluation = defineEval({ agent, cases, ...(approvals && { approvals }) });
  return (await runEval(evaluation, { model })).cases[0]?.runs[0];
}

const team = (tools: readonly Tool[]): Agent => new Agent({ name: "Team", tools });

test.each([
  ["an agent as a tool", team([inner.asTool()])],
  ["agents as tools, one within the other, without events", team([middle.asTool({ events: false })])],
  ["context.call", team([asking("outer", ({ call }) => call("wipe", {})), wipe])],
  [
    "context.call by a deprecated name",
    team([asking("outer", ({ call }) => call("oldwipe", {})), wipe, oldWipe]),
  ],
  ["context.runAgent", team([asking("outer", ({ runAgent }) => runAgent(inner, "x"))])],
  [
    "a middleware of the agent",
    new Agent({
      name: "Team",
      tools: [asking("outer", () => 1), wipe, oldWipe],
      middleware: [{ tool: (call, _info, next) => next({ ...call, toolName: "oldwipe" }) }],
    }),
  ],
])("a tool that must not be called is not called through %s", async (_, agent) => {
  const record = await judged(agent, "wipe");
  expect(record?.scores).toEqual([
    { scorer: "never calls", score: 0, pass: false, reason: expect.stringContaining("called wipe(") },
  ]);
  expect(await judged(agent, "other")).toMatchObject({ pass: true });
});

test.each(["wipe", "oldwipe"])("a deprecated name is a call of both: %s", async (never) => {
  const record = await judged(team([wipe, oldWipe]), never, script("oldwipe"));
  expect(record).toMatchObject({ pass: false, calls: [{ tool: "oldwipe" }] });
});

test("a call that a person refuses was called, also through a deprecated name", async () => {
  const careful = team([tool({ name: "wipe", input, execute: () => "wiped", approval: true }), oldWipe]);
  expect(await judged(careful, "wipe", script("oldwipe"), "deny")).toMatchObject({ pass: false });
});

test.each([
  ["of the agent", team([tool({ name: "wipe", input, approval: true, execute: () => "wiped" })])],
  [
    "of an agent within",
    team([
      new Agent({
        name: "Inner",
        tools: [tool({ name: "wipe", input, approval: true, execute: () => "wiped" })],
      }).asTool(),
    ]),
  ],
])("a call %s that was approved counts once", async (_, agent) => {
  const counts: number[] = [];
  const count = ({ allCalls }: Transcript): boolean =>
    counts.push(allCalls.filter(({ tool: name }) => name === "wipe").length) > 0;
  const cases = [{ input: "x", scorers: [count] }];
  await runEval(defineEval({ agent, cases, approvals: "approve" }), { model: eager });
  expect(counts).toEqual([1]);
});
