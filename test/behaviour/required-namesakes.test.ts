/** A success counts for the tool that succeeded: `requires` of a toolset's tool is not met by a function of the same name, or the reverse. */
import { expect, test } from "vitest";
import { Agent, run, tool, type RunOptions, type Tool, type Toolset } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { effects, empty, plain } from "./test-nested.ts";
import { set } from "./test-toolsets.ts";

function does(name: string, owner: string, more: Partial<Tool["policy"]> = {}): Tool {
  return tool({ name, input: empty, ...more, execute: () => `${effects.push(`${name} of ${owner}`)}` });
}

const bank = (more: Partial<Tool["policy"]> = {}): Toolset =>
  set("bank", does("login", "bank", more), does("pay", "bank", { requires: ["login"] }));
const own = does("login", "program");

/** Calls these tools, one after the other, after each message of the user. */
function agentCalling(tools: readonly (Tool | Toolset)[], ...names: readonly string[]): Agent {
  const model = new FunctionModel(({ messages }) => {
    const last = messages.findLastIndex(({ role }) => role === "user");
    const next = names[messages.slice(last).filter(({ role }) => role === "tool").length];
    return next === undefined ? "Done." : { toolCalls: [{ toolName: next }] };
  });
  return new Agent({ name: "A", model, tools: [...tools] });
}

test("in a session, a function's success does not count for a set's tool of its name", async () => {
  const session = memorySession();
  await run(agentCalling([own], "login"), "Log in", { session });
  await run(agentCalling([bank()], "pay"), "Pay", { session });
  expect(effects).toEqual(["login of program"]);
  await run(agentCalling([bank()], "login", "pay"), "Log in and pay", { session });
  expect(effects).toEqual(["login of program", "login of bank", "pay of bank"]);
  await run(agentCalling([bank()], "pay"), "Pay again", { session });
  expect(effects).toHaveLength(4);
});

test("nor in a state", async () => {
  const stop = does("stop", "program", { approval: true });
  const paused = await run(agentCalling([own, stop], "login", "stop"), "Log in");
  expect(paused.status).toBe("paused");
  const approvals = paused.pending.map(({ approvalId = "" }) => ({ approvalId, decision: "deny" as const }));
  const model = new FunctionModel(({ messages }) =>
    messages.filter(({ role }) => role === "tool").length < 3
      ? { toolCalls: [{ toolName: "pay" }] }
      : "Done.",
  );
  const agent = new Agent({ name: "A", model, tools: [stop, bank()] });
  await run(agent, plain(paused.state), { approvals });
  expect(effects).toEqual(["login of program"]);
});

test("nor within a run, for an agent with a set that takes over from one with functions", async () => {
  const payer = agentCalling([bank()], "login", "transfer_to_B", "pay").with({ name: "B" });
  const first = agentCalling([own], "login", "transfer_to_B").with({ handoffs: [payer] });
  await run(first, "Log in and pay");
  expect(effects).toEqual(["login of program"]);
});

test.each<[string, () => RunOptions]>([
  ["without a session", () => ({})],
  ["in a session", () => ({ session: memorySession() })],
])("a set's tool that is not offered any more counts, %s", async (_, optionsOf) => {
  let isIn = false;
  const login = tool({
    name: "login",
    input: empty,
    allow: () => !isIn,
    execute: () => ((isIn = true), "in"),
  });
  const tools = [set("bank", login, does("pay", "bank", { requires: ["login"] }))];
  await run(agentCalling(tools, "login", "pay"), "Pay", optionsOf());
  expect(effects).toEqual(["pay of bank"]);
});

test("of a list of messages, which does not have whose tools they were, names count", async () => {
  const { state } = await run(agentCalling([bank()], "login"), "Log in");
  await run(agentCalling([bank()], "pay"), [...state.messages, { role: "user", content: "Pay" }]);
  expect(effects).toEqual(["login of bank", "pay of bank"]);
});
