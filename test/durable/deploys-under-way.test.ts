/** A worker stops while calls of an agent within a run are under way, and the next build has their tools or the agent elsewhere. */
import { once } from "node:events";
import { Agent, tool, toolset, type Tool, type ToolSource } from "skein";
import { memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { approve } from "./agents.ts";
import { testRuns, until } from "./test-runs.ts";

const input = { type: "object", properties: { input: { type: "string" } } } as const;

/** Makes the calls of one batch after the other. */
function script(...batches: readonly (readonly string[])[]): FunctionModel {
  return new FunctionModel(({ messages }) => {
    const batch = batches[messages.filter(({ role }) => role === "assistant").length];
    if (batch) return { toolCalls: batch.map((toolName) => ({ toolName, arguments: { input: "Go." } })) };
    const last = messages.at(-1);
    return last?.role === "tool" ? JSON.stringify(last.result.content) : "Nothing.";
  });
}

function toolsOf(done: string[]): { readonly pay: Tool; readonly slow: Tool; readonly look: Tool } {
  return {
    pay: tool({ name: "pay", input, approval: true, execute: () => void done.push("pay") }),
    look: tool({ name: "look", input, execute: () => void done.push("look") }),
    // The first time, it is under way until the worker stops.
    slow: tool({
      name: "slow",
      input,
      async execute(_, { signal }) {
        done.push("slow");
        if (done.filter((each) => each === "slow").length === 1) await once(signal, "abort");
      },
    }),
  };
}

const within = (tools: readonly ToolSource[]): readonly ToolSource[] => [
  new Agent({ name: "Payer", model: script(["pay", "slow"]), tools: [...tools] }).asTool({ name: "payer" }),
];
const inner = tool({ name: "via", input, execute: (_, { call }) => call("pay", {}) });
const viaTool = (tools: readonly ToolSource[]): readonly ToolSource[] => [
  new Agent({ name: "Payer", model: script(["via", "slow"]), tools: [inner, ...tools] }).asTool({
    name: "payer",
  }),
];
const desk = (calls: readonly string[], tools: readonly ToolSource[]): Agent =>
  new Agent({ name: "Desk", model: script(calls), tools: [...tools] });

test.each([
  ["the model's own call", (tools: readonly ToolSource[]) => desk(["pay", "slow"], tools)],
  ["a call of an agent as a tool", (tools: readonly ToolSource[]) => desk(["payer"], within(tools))],
  ["a call of a tool of an agent", (tools: readonly ToolSource[]) => desk(["payer"], viaTool(tools))],
])("a call waits beside one under way, and its tool is in a toolset by now: %s", async (_, build) => {
  const done: string[] = [];
  const { pay, slow } = toolsOf(done);
  const store = memoryStore();
  const first = testRuns(store, { agents: [build([pay, slow])], version: "1" });
  void first.work();
  await first.start("Desk", "Pay.", { id: "r" });
  await until(() => Promise.resolve(done.includes("slow")));
  await first.close({ drain: 0 });
  const next = testRuns(store, { agents: [build([toolset([pay]), slow])], version: "2" });
  void next.work();
  expect(await next.get("r").result()).toMatchObject({ status: "paused" });
  await approve(next.get("r"));
  await until(async () => (await next.get("r").state()).status === "stuck");
  expect((await next.get("r").state()).missing).toMatch(/the tool "pay"/);
  await next.close({ drain: 0 });
  expect(done).not.toContain("pay");
  const back = testRuns(store, { agents: [build([pay, slow])], version: "3" });
  void back.work();
  await until(async () => (await back.get("r").state()).status === "completed");
  expect(done.filter((each) => each === "pay")).toEqual(["pay"]);
});

const buyer = (name: string, { look, pay }: ReturnType<typeof toolsOf>): Agent =>
  new Agent({ name, model: script(["look"], ["pay"]), tools: [look, pay] });
const byCode = (agent: Agent): Tool =>
  tool({ name: "buyer", input, execute: (_, context) => context.runAgent(agent, "Go.") });
const asTool = (agent: Agent): Tool => agent.asTool({ name: "buyer" });

test.each([
  ["by code", asTool, byCode],
  ["as a tool", byCode, asTool],
] as const)("an agent goes on %s", async (_, before, after) => {
  const done: string[] = [];
  const tools = toolsOf(done);
  const store = memoryStore();
  const build = (form: typeof before, name: string): Agent => desk(["buyer"], [form(buyer(name, tools))]);
  const first = testRuns(store, { agents: [build(before, "Buyer")], version: "1" });
  void first.work();
  expect(await (await first.start("Desk", "Buy.", { id: "r" })).result()).toMatchObject({ status: "paused" });
  await first.close({ drain: 0 });
  const other = testRuns(store, { agents: [build(after, "Shopper")], version: "2" });
  await approve(other.get("r"));
  void other.work();
  await until(async () => (await other.get("r").state()).status === "stuck");
  expect((await other.get("r").state()).missing).toMatch(/agent "(Shopper|Buyer)"/);
  await other.close({ drain: 0 });
  expect(done).toEqual(["look"]);
  const next = testRuns(store, { agents: [build(after, "Buyer")], version: "3" });
  void next.work();
  await until(async () => (await next.get("r").state()).status === "completed");
  expect(done).toEqual(["look", "pay"]);
});
