import { Agent, isAgent, run, triage, type AnyAgent } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";

const sales = new Agent({ name: "Sales", description: "Sells." });
const refunds = new Agent({ name: "Refunds", description: "Gives money back." });

const to = (name: string) => ({ toolCalls: [{ toolName: `transfer_to_${name}` }] });

function handoffNames(agent: AnyAgent): string[] {
  const { handoffs } = agent;
  return (typeof handoffs === "function" ? handoffs() : handoffs).map(({ name }) => name);
}

test("every agent can receive a handoff, and hands back", async () => {
  const model = new ScriptedModel([to("sales"), to("triage"), to("refunds"), "How much?"]);
  const { agent, text } = await run(triage([sales, refunds]), "Hello", { model });
  expect([agent.name, text]).toEqual(["Refunds", "How much?"]);
  expect(model.requests.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
    ["transfer_to_sales", "transfer_to_refunds"],
    ["transfer_to_triage"],
    ["transfer_to_sales", "transfer_to_refunds"],
    ["transfer_to_triage"],
  ]);
  model.assertComplete();
});

test("the given agents stay as they are", () => {
  expect(handoffNames(triage([sales]))).toEqual(["Sales"]);
  expect(handoffNames(sales)).toEqual([]);
});

test("whom they hand over to can hand back as well, in circles and in teams of their own", async () => {
  const cancel: Agent = new Agent({ name: "Cancel", handoffs: () => [change] });
  const change: Agent = new Agent({ name: "Change", handoffs: () => [cancel] });
  const changes = triage([cancel, change], { name: "Changes" });
  const model = new ScriptedModel([
    to("changes"),
    to("cancel"),
    to("change"),
    to("changes"),
    to("triage"),
    "Hello again.",
  ]);
  const { agent } = await run(triage([changes, sales]), "Hello", { model });
  expect(agent.name).toBe("Triage");
  expect(model.requests[2]?.tools?.map(({ name }) => name)).toEqual([
    "transfer_to_change",
    "transfer_to_changes",
    "transfer_to_triage",
  ]);
});

test("a stored run goes on with the active agent", async () => {
  const team = triage([refunds]);
  const stopped = await run(team, "Hello", { model: new ScriptedModel([to("refunds")]), maxTurns: 1 });
  expect([stopped.status, stopped.agent.name]).toEqual(["max-turns", "Refunds"]);
  const model = new ScriptedModel([to("triage"), "Hello again."]);
  const { agent } = await run(team, JSON.parse(JSON.stringify(stopped.state)), { model });
  expect(agent.name).toBe("Triage");
});

test("what it is can be said: name, instructions, tools, further handoffs without a way back", async () => {
  const human = new Agent({ name: "Human" });
  const model = new FunctionModel(({ instructions, tools = [] }) =>
    [instructions, ...tools.map(({ name }) => name)].join(" "),
  );
  const desk = triage<{ user: string }>([sales], {
    name: "Desk",
    instructions: ({ context }) => `Help ${context.user}.`,
    handoffs: [human],
    model,
  });
  expect((await run(desk, "Hello", { context: { user: "Ada" } })).text).toBe(
    "Help Ada. transfer_to_sales transfer_to_human",
  );
  expect(handoffNames(human)).toEqual([]);
  expect(isAgent(desk)).toBe(true);
});

test("two agents of one name are an error", async () => {
  await expect(run(triage([sales, sales.with({})]), "Hi", { model: "offline" })).rejects.toThrow(
    /transfer_to_sales/,
  );
});
