import { expect, test } from "vitest";
import { Agent, run, tool, toolset, type Tool, type Toolset, type WrappedToolset } from "../index.ts";
import { FunctionModel } from "../testing/index.ts";

/** Tools that log their calls as `<set>.<tool>`. */
function bankTools(log: string[], set = "bank"): readonly Tool[] {
  const logged = (name: string, options: Pick<Tool["policy"], "requires"> & Tool["annotations"] = {}): Tool =>
    tool({
      name,
      input: { type: "object", properties: {} },
      execute: () => log.push(`${set}.${name}`),
      ...options,
    });
  return [
    logged("verify"),
    logged("pay", { requires: ["verify"] }),
    logged("oldPay", { deprecated: { use: "pay" } }),
  ];
}

/** Calls tools of these names, one after the other. Returns the names and descriptions that the model was offered. */
async function callInTurn(tools: readonly (Tool | Toolset)[], names: readonly string[]) {
  let offered: readonly string[] = [];
  const model = new FunctionModel(({ messages, tools: specs = [] }) => {
    offered = specs.map(({ name, description = "" }) => `${name}: ${description}`);
    const toolName = names[messages.filter(({ role }) => role === "assistant").length];
    return toolName === undefined ? "done" : { toolCalls: [{ toolName }] };
  });
  const { warnings } = await run(new Agent({ name: "Desk", model, tools }), "Pay");
  return { offered, warnings };
}

const verifyOnly = (log: string[]): WrappedToolset =>
  toolset([...bankTools(log, "blog")], "blog").filtered(["verify"]);

test("what a renamed tool requires is the tool of its own set, not another one of that name", async () => {
  const log: string[] = [];
  const tools = [verifyOnly(log), toolset(bankTools(log), "bank")];
  const { offered } = await callInTurn(tools, ["verify", "pay", "bank_verify", "pay"]);
  expect(log).toEqual(["blog.verify", "bank.verify", "bank.pay"]);
  expect(offered).toContain("pay: Requires: bank_verify first.");
});

test("the same holds where toolset() renames the tools of the sets that it combines", async () => {
  const log: string[] = [];
  const both = toolset([verifyOnly(log), toolset(bankTools(log), "bank")]);
  await callInTurn([both], ["verify", "pay", "bank_verify", "pay"]);
  expect(log).toEqual(["blog.verify", "bank.verify", "bank.pay"]);
});

test.each<[string, (set: WrappedToolset) => WrappedToolset, readonly string[], readonly string[]]>([
  ["prefixed", (set) => set.prefixed("my"), ["my_oldPay", "my_verify", "my_oldPay"], ["my_verify", "my_pay"]],
  ["renamed", (set) => set.renamed({ pay: "send" }), ["oldPay", "verify", "oldPay"], ["verify", "send"]],
])("calls of a deprecated tool go to the one to use instead after %s()", async (_, change, calls, names) => {
  const log: string[] = [];
  const { offered, warnings } = await callInTurn([change(toolset(bankTools(log)))], calls);
  expect(offered.map((spec) => spec.split(":")[0])).toEqual(names);
  expect(log).toEqual(["bank.verify", "bank.pay"]);
  expect(warnings).toEqual([`${calls[0]} is deprecated and was called: ${names[1]} was used instead.`]);
});

test("calls of a deprecated tool go to that of its own set where a clash renames it", async () => {
  const log: string[] = [];
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: {} },
    execute: () => log.push("own pay"),
  });
  await callInTurn([pay, toolset(bankTools(log), "bank")], ["oldPay", "verify", "oldPay", "pay"]);
  expect(log).toEqual(["bank.verify", "bank.pay", "own pay"]);
});

test("a reference to a tool that its set lists later is renamed then", async () => {
  const log: string[] = [];
  const [verify, ...others] = bankTools(log);
  const growing: Toolset = {
    name: "growing",
    tools: ({ messages }) => (messages.length > 2 && verify ? [verify, ...others] : others),
  };
  const own = tool({
    name: "verify",
    input: { type: "object", properties: {} },
    execute: () => log.push("own verify"),
  });
  await callInTurn([own, toolset(growing).prefixed("my")], ["verify", "my_pay", "my_verify", "my_pay"]);
  expect(log).toEqual(["own verify", "bank.verify", "bank.pay"]);
});

test("a deprecated tool that a search has found comes with the one to use instead", async () => {
  const log: string[] = [];
  const set = toolset(bankTools(log)).deferred({ limit: 1 });
  const calls = [{ toolName: "search_tools", arguments: { query: "oldPay" } }, { toolName: "oldPay" }];
  const model = new FunctionModel(({ messages }) => {
    const call = calls[messages.filter(({ role }) => role === "assistant").length];
    return call ? { toolCalls: [call] } : "done";
  });
  const { messages } = await run(new Agent({ name: "Desk", model, tools: [set] }), "Pay");
  const answer = messages.findLast(({ role }) => role === "tool");
  expect(answer).toMatchObject({ result: { outcome: "not-executed" } });
  expect(log).toEqual([]);
});
