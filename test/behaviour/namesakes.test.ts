import { describe, expect, test } from "vitest";
import {
  Agent,
  AgentNotFoundError,
  ConfigurationError,
  NameClashError,
  run,
  tool,
  triage,
  type AnyAgent,
  type Tool,
} from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { decide, stored } from "./test-clerk.ts";

async function failure(promise: Promise<unknown>): Promise<ConfigurationError> {
  const error: unknown = await promise.then(
    () => expect.unreachable("the run must fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof ConfigurationError) return error;
  throw error;
}

/** The agent whose tool needs approval. */
function payer(name: string, paid: number[]) {
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
    approval: true,
    execute: ({ amount }: { amount: number }) => {
      paid.push(amount);
      return "paid";
    },
  });
  return new Agent({ name, tools: [pay] });
}

function transfersTo(...names: readonly string[]) {
  return new ScriptedModel([
    ...names.map((name) => ({ toolCalls: [{ toolName: `transfer_to_${name}` }] })),
    { toolCalls: [{ toolName: "pay", arguments: { amount: 5 } }] },
    "Done.",
  ]);
}

const listed = [
  {
    title: "an agent and the one it hands over to",
    team: (a: AnyAgent) => new Agent({ name: "A", handoffs: [a] }),
    places: ["the agent of the run", "handoffs[0] of the agent A"],
  },
  {
    title: "two agents at different depths",
    team: (a: AnyAgent) =>
      new Agent({
        name: "Front",
        handoffs: [new Agent({ name: "C", handoffs: [a] }), new Agent({ name: "A" })],
      }),
    places: ["handoffs[1] of the agent Front", "handoffs[0] of the agent C"],
  },
  {
    title: "two handoffs of one agent",
    team: (a: AnyAgent) => new Agent({ name: "Front", handoffs: [new Agent({ name: "A" }), a] }),
    places: ["handoffs[0] of the agent Front", "handoffs[1] of the agent Front"],
  },
  {
    title: "copies with other tools",
    team: (a: AnyAgent) =>
      new Agent({
        name: "Front",
        handoffs: [new Agent({ name: "C", handoffs: [a] }), a.with({ tools: [] })],
      }),
    places: ["handoffs[1] of the agent Front", "handoffs[0] of the agent C"],
  },
];

test.each(listed)("refuses to run a team with one name twice: $title", async ({ team, places }) => {
  const model = new ScriptedModel(["Hello."]);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const error = await failure(run(team(payer("A", [])), "go", { model }));
    expect(error).toBeInstanceOf(NameClashError);
    expect(error.message).toBe(
      `Two agents are called "A": ${places.join(" and ")}. Rename one of the agents: a state is resumed at the agent of its name.`,
    );
    expect(error.data).toEqual({ name: "A", places });
  }
  expect(model.requests).toHaveLength(0);
});

test("refuses an agent of options.agents with the name of another agent", async () => {
  const agent = new Agent({ name: "A" });
  const model = new ScriptedModel(["Hello.", "Hello."]);
  const options = { model, agents: [payer("A", [])] };
  expect((await run(agent, "go", { model })).text).toBe("Hello.");
  expect((await failure(run(agent, "go", options))).message).toContain(
    '"A": the agent of the run and options.agents[0]',
  );
  expect((await run(agent, "go", { model, agents: [agent, agent.with({ settings: {} })] })).text).toBe(
    "Hello.",
  );
});

test("calls no function that lists handoffs before it is needed, and refuses to guess which agent a state means", async () => {
  const paid: number[] = [];
  const target = payer("A", paid);
  let calls = 0;
  const agent = new Agent({
    name: "A",
    handoffs: () => {
      calls += 1;
      return [target];
    },
  });
  const model = transfersTo("a");
  const paused = await run(agent, "go", { model });
  expect(calls).toBe(1);
  const { approvals } = decide(paused);
  const error = await failure(run(agent, stored(paused.state), { model, approvals }));
  expect(error).toBeInstanceOf(NameClashError);
  expect(error.message).toContain('"A": the agent of the run and handoffs[0] of the agent A.');
  expect(paid).toEqual([]);
});

test("resumes at a copy that has the tools of the agent, and with distinct names", async () => {
  for (const copy of [(agent: Agent) => agent, (agent: Agent) => agent.with({ instructions: "Be kind." })]) {
    const paid: number[] = [];
    const desk = payer("Desk", paid);
    const team = triage([desk], { handoffs: [copy(new Agent({ name: "Other", handoffs: () => [desk] }))] });
    const model = transfersTo("desk");
    const paused = await run(team, "go", { model });
    const { approvals } = decide(paused);
    const result = await run(copy(team), stored(paused.state), { model, approvals });
    expect([result.text, result.agent.name, paid]).toEqual(["Done.", "Desk", [5]]);
  }
});

test("two handoffs whose tools have one name are told apart by renaming an agent", async () => {
  const agent = new Agent({
    name: "Front",
    handoffs: [new Agent({ name: "Sales desk" }), new Agent({ name: "sales_desk" })],
  });
  const error = await failure(run(agent, "go", { model: new ScriptedModel(["Hello."]) }));
  expect(error).toBeInstanceOf(NameClashError);
  expect(error.message).toMatch(
    /^Two tools are called "transfer_to_sales_desk": .* Rename one of the agents\.$/,
  );
});

test("a state at an agent that is not there is still reported as such", async () => {
  const model = new ScriptedModel(["Hello."]);
  const { state } = await run(new Agent({ name: "A" }), "go", { model });
  const error = await failure(run(new Agent({ name: "B" }), { ...stored(state), agent: "A" }, { model }));
  expect(error).toBeInstanceOf(AgentNotFoundError);
});

describe("an agent that a tool returns, with the name of another agent that a state would be resumed at", () => {
  const chooses = (target: Agent): Tool =>
    tool({ name: "choose", input: { type: "object", properties: {} }, execute: () => target });
  const choosing = new FunctionModel(({ messages }) =>
    messages.length === 1
      ? { toolCalls: [{ toolName: "choose" }] }
      : { toolCalls: [{ toolName: "pay", arguments: { amount: 5 } }] },
  );
  const clash =
    'Two agents are called "Expert": one that a tool has returned, and another one that the run has. Rename one of the agents: a state is resumed at the agent of its name.';

  test("is refused", async () => {
    const [paid, other]: number[][] = [[], []];
    const listed = payer("Expert", paid ?? []);
    const desk = (target: Agent): Agent =>
      new Agent({ name: "Desk", model: choosing, tools: [chooses(target)], handoffs: [listed] });
    const error = await failure(run(desk(payer("Expert", other ?? [])), "go"));
    expect([error.message, error.state?.pending]).toEqual([clash, []]);
    expect(error).toBeInstanceOf(NameClashError);
    const paused = await run(desk(listed.with({ instructions: "Be kind." })), "go");
    expect([paused.status, paused.agent.name]).toEqual(["paused", "Expert"]);
  });

  test("is refused within an agent, if the run around it has the other one", async () => {
    const helper = new Agent({ name: "Helper", model: choosing, tools: [chooses(payer("Expert", []))] });
    const asks = { toolCalls: [{ toolName: "helper", arguments: { input: "Help." } }] };
    const handoffs = [payer("Expert", [])];
    const model = new ScriptedModel([asks, "Done."]);
    const { state } = await run(new Agent({ name: "Desk", model, tools: [helper.asTool()], handoffs }), "go");
    expect(JSON.stringify(state.messages)).toContain(JSON.stringify(clash).slice(1, -1));
  });

  test("is refused where another tool gets it", async () => {
    const go = tool({
      name: "go",
      input: { type: "object", properties: {} },
      execute: (_input: unknown, { call }) => call("choose", {}),
    });
    const tools = [go, chooses(payer("Expert", []))];
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "go" }] }, "Done."]);
    const desk = new Agent({ name: "Desk", model, tools, handoffs: [payer("Expert", [])] });
    const { state, agent } = await run(desk, "go");
    expect(agent.name).toBe("Desk");
    expect(JSON.stringify(state.messages)).toContain(JSON.stringify(clash).slice(1, -1));
  });
});
