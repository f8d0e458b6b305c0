import { expect, test, vi } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { run } from "../../run/run.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { tool } from "../../tool/define.ts";
import { ctrlC, terminalChat, transcript } from "./test-chat.ts";

vi.setConfig({ testTimeout: 30_000 });

/** An agent that pays when it is told to, and what was paid. */
function payer(...turns: ConstructorParameters<typeof ScriptedModel>[0]): {
  readonly agent: Agent;
  readonly paid: unknown[];
} {
  const paid: unknown[] = [];
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: { amount: { type: "number" }, to: { type: "string" } } },
    approval: true,
    execute: ({ amount }) => `${paid.push(amount)} paid`,
  });
  return { agent: new Agent({ name: "Clerk", model: new ScriptedModel(turns), tools: [pay] }), paid };
}

const payment = (amount: number, to = "Ada") => ({ toolName: "pay", arguments: { amount, to } });

test("a piped answer approves a call, whose arguments are shown in full, and the turn goes on", async () => {
  const to =
    "a name that is longer than a line of the transcript would have room for, and then some more of it";
  const { agent, paid } = payer({ toolCalls: [payment(5, to)] }, "Paid.");
  const text = await transcript(agent, ["Pay", "y"]);
  expect(text).toContain(`  ? pay(amount: 5, to: "${to}")\nApprove pay? (y, or n, or why not)\n> y\n`);
  expect(text).toContain("← 1 paid\nClerk: Paid.\n");
  expect(paid).toEqual([5]);
});

test("asks about each of several calls; a text other than yes denies with that text as the reason", async () => {
  const { agent, paid } = payer({ toolCalls: [payment(1), payment(2), payment(3)] }, "One was paid.");
  const text = await transcript(agent, ["Pay", "n", "", "YES", "too much"]);
  expect(paid).toEqual([2]);
  expect(text).toContain("it was not approved. The reason given: too much");
  expect(text).toContain("Clerk: One was paid.");
});

test("the end of the input denies", async () => {
  const { agent, paid } = payer({ toolCalls: [payment(1)] }, "Nothing was paid.");
  const text = await transcript(agent, ["Pay"]);
  expect(paid).toEqual([]);
  expect(text).toContain("The reason given: Nobody answered.");
  expect(text).toContain("Clerk: Nothing was paid.");
});

test("asks about a paused state's calls first", async () => {
  const { agent, paid } = payer({ toolCalls: [payment(7)] }, "Paid.", "You are welcome.");
  const { state } = await run(agent, "Pay");
  const text = await transcript(agent, ["y", "Thanks"], { state });
  expect(text).toMatch(/^ {2}\? pay\(amount: 7.*\nApprove pay\?.*\n> y\n/);
  expect(text).toContain("> Thanks\nClerk: You are welcome.\n");
  expect(paid).toEqual([7]);
});

test("on a terminal, the question waits for its answer, and leaving decides nothing", async () => {
  const { agent, paid } = payer({ toolCalls: [payment(1)] }, { toolCalls: [payment(2)] });
  const { done, type, see } = terminalChat(agent);
  await see("> ");
  type("Pay\r");
  await see("Approve pay?");
  await see("> ");
  type("y\r");
  await see("? pay(amount: 2");
  await see("> ");
  expect(paid).toEqual([1]);
  type(ctrlC);
  await see("leaves");
  type(ctrlC);
  expect(await done).toEqual({ failedTurns: 0 });
  expect(paid).toEqual([1]);
});

test.each([
  ["Ada\u202E\u2066evE", String.raw`Ada\u202e\u2066evE`],
  ["a\u009Bb", String.raw`a\u009bb`],
  ["a\uFEFFb\u200Bc\u2028d\u00ADe", String.raw`a\ufeffb\u200bc\u2028d\u00ade`],
  ["rm -rf /a    b", "rm -rf /a    b"],
  ["a\u00A0b\u3164c", String.raw`a\u00a0b\u3164c`],
  ["Ada\u{E0045}", String.raw`Ada\udb40\udc45`],
])("the value %j is shown as it is executed, nothing hidden", async (to, visible) => {
  const { agent, paid } = payer({ toolCalls: [payment(5, to)] }, "Paid.");
  const text = await transcript(agent, ["Pay", "yes"]);
  expect(text).toContain(`  ? pay(amount: 5, to: "${visible}")\n`);
  expect(paid).toEqual([5]);
});

test("the name of an argument hides nothing either", async () => {
  const call = { toolName: "pay", arguments: { amount: 1, ["to\u0000\u202E\u200B"]: "Ada" } };
  const { agent } = payer({ toolCalls: [call] }, "Paid.");
  expect(await transcript(agent, ["Pay", "n"])).toContain(
    String.raw`? pay(amount: 1, "to\u0000\u202e\u200b": "Ada")`,
  );
});
