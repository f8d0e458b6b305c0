/** A call that waits, whose tool another build has not, or has elsewhere: the run is stuck with its decision, whatever the call is within. */
import { Agent, run, tool, toolset, type Tool, type ToolSource } from "skein";
import { memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { approve } from "./agents.ts";
import { testRuns, until } from "./test-runs.ts";

const input = { type: "object", properties: {} } as const;

const model = new FunctionModel(({ messages, instructions = "" }) => {
  const last = messages.at(-1);
  if (last?.role === "tool") return `It is ${last.result.outcome}.`;
  return { toolCalls: [{ toolName: instructions, arguments: { input: "Pay." } }] };
});

/** An agent that calls one of its tools. */
const caller = (name: string, toolName: string, tools: readonly ToolSource[]): Agent =>
  new Agent({ name, description: name, instructions: toolName, model, tools: [...tools] });

function payingTool(paid: string[]): Tool {
  const execute = (): string => {
    paid.push("paid");
    return "paid";
  };
  return tool({ name: "pay", input, approval: true, execute });
}

const elsewhere = tool({ name: "pay", input });
const within = tool({ name: "via", input, execute: (_, { call }) => call("pay", {}) });
const asTool = (tools: readonly ToolSource[]): Tool => caller("Payer", "pay", tools).asTool({ name: "via" });
const twoDeep = (tools: readonly ToolSource[]): Tool =>
  caller("Boss", "via", [asTool(tools)]).asTool({ name: "outer" });

/** What a build lists, by what becomes of `pay`. */
const builds: Readonly<Record<string, (pay: readonly ToolSource[]) => Agent>> = {
  "the model's own call": (pay) => caller("Desk", "pay", pay),
  "a call of a tool": (pay) => caller("Desk", "via", [within, ...pay]),
  "a call of an agent as a tool": (pay) => caller("Desk", "via", [asTool(pay)]),
  "a call of an agent two deep": (pay) => caller("Desk", "outer", [twoDeep(pay)]),
};

const changes: Readonly<Record<string, (pay: Tool) => readonly ToolSource[]>> = {
  "is gone": () => [],
  "is in a toolset": (pay) => [toolset([pay])],
  "has no execute": () => [elsewhere],
};

const table = Object.entries(builds).flatMap(([what, build]) =>
  Object.entries(changes)
    // A tool's own call goes on as one whose result comes from elsewhere.
    .filter(([change]) => what !== "a call of a tool" || change !== "has no execute")
    .map(([change, changed]) => ({ what, change, build, changed })),
);

test.each(table)("$what: the tool $change", async ({ build, changed }) => {
  const paid: string[] = [];
  const pay = payingTool(paid);
  const store = memoryStore();
  const first = testRuns(store, { agents: [build([pay])], version: "1" });
  void first.work();
  expect(await (await first.start("Desk", "Pay.", { id: "r" })).result()).toMatchObject({ status: "paused" });
  await first.close({ drain: 0 });
  const next = testRuns(store, { agents: [build(changed(pay))], version: "2" });
  await approve(next.get("r"));
  void next.work();
  await until(async () => (await next.get("r").state()).status === "stuck");
  expect((await next.get("r").state()).missing).toMatch(/"pay"/);
  await next.close({ drain: 0 });
  expect(paid).toEqual([]);
  const back = testRuns(store, { agents: [build([pay])], version: "3" });
  void back.work();
  await until(async () => (await back.get("r").state()).status === "completed");
  expect(paid).toEqual(["paid"]);
});

test("an agent as a tool was renamed: the run is stuck until a build has it, and nothing is done again", async () => {
  const done: string[] = [];
  const look = tool({ name: "look", input, execute: () => void done.push("look") });
  const buyer = (name: string): Agent =>
    new Agent({
      name,
      tools: [look, payingTool(done)],
      model: new FunctionModel(({ messages }) => {
        const toolName = ["look", "pay"][messages.filter(({ role }) => role === "tool").length];
        return toolName === undefined ? "It is bought." : { toolCalls: [{ toolName }] };
      }),
    });
  const desk = (name: string): Agent => caller("Desk", "via", [buyer(name).asTool({ name: "via" })]);
  const store = memoryStore();
  const first = testRuns(store, { agents: [desk("Buyer")], version: "1" });
  void first.work();
  expect(await (await first.start("Desk", "Buy.", { id: "r" })).result()).toMatchObject({ status: "paused" });
  await first.close({ drain: 0 });
  const next = testRuns(store, { agents: [desk("Shopper")], version: "2" });
  await approve(next.get("r"));
  void next.work();
  await until(async () => (await next.get("r").state()).status === "stuck");
  expect((await next.get("r").state()).missing).toContain('the agent "Buyer"');
  await next.close({ drain: 0 });
  expect(done).toEqual(["look"]);
  const back = testRuns(store, { agents: [desk("Buyer")], version: "3" });
  void back.work();
  await until(async () => (await back.get("r").state()).status === "completed");
  expect(done).toEqual(["look", "paid"]);
});

test.each(["approve", "deny"] as const)(
  "a state whose tool has no execute by now is refused, and can be resumed where it has: %s",
  async (decision) => {
    const paid: string[] = [];
    const before = caller("Desk", "pay", [payingTool(paid)]);
    const { state, pending } = await run(before, "Pay.");
    const approvals = [{ approvalId: pending[0]?.approvalId ?? "", decision }];
    const resumed = run(caller("Desk", "pay", [elsewhere]), state, { approvals });
    await expect(resumed).rejects.toMatchObject({ code: "tool-missing" });
    const outcome = decision === "approve" ? "success" : "denied";
    expect((await run(before, state, { approvals })).text).toBe(`It is ${outcome}.`);
  },
);
