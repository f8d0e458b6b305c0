/** An agent without a model uses the one that was used before it: also in a run that is resumed, and in the next run of a session. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  Agent,
  run,
  tool,
  type AgentOptions,
  type ApprovalDecision,
  type PendingCall,
  type RunState,
} from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;
const approve = (pending: readonly PendingCall[]): readonly ApprovalDecision[] =>
  pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" }));

/** One model for a whole team: it calls the only tool there is, and then it answers. */
const model = new FunctionModel(({ messages, tools = [] }) => {
  const [only] = tools;
  if (messages.at(-1)?.role === "tool" || !only) return "Done.";
  return { toolCalls: [{ toolName: only.name, arguments: { input: "go" } }] };
});
const pay = tool({ name: "pay", input: empty, approval: true, execute: () => "paid" });

test("a sub-agent that waited for an approval goes on with its caller's model", async () => {
  const cashier = new Agent({ name: "Cashier", tools: [pay] });
  const desk = new Agent({ name: "Desk", model, tools: [cashier.asTool()] });
  const { state, pending } = await run(desk, "Pay");
  const done = await run(desk, JSON.parse(JSON.stringify(state)), { approvals: approve(pending) });
  expect(done).toMatchObject({ status: "completed", text: "Done." });
  expect(JSON.stringify(done.state.messages)).not.toContain("has no model");
});

test("an agent that took over goes on with the model of the one before it", async () => {
  const refunds = new Agent({ name: "Refunds", tools: [pay] });
  const triage = new Agent({ name: "Triage", model, handoffs: [refunds] });
  const session = memorySession();
  const { pending, agent } = await run(triage, "Refund", { session });
  expect(agent.name).toBe("Refunds");
  expect(await run(triage, [], { session, approvals: approve(pending) })).toMatchObject({ text: "Done." });
  expect((await run(triage, "And now?", { session })).agent.name).toBe("Refunds");
});

test("the turns of a sub-agent count over all its pauses", async () => {
  const endless = new FunctionModel(() => ({ toolCalls: [{ toolName: "pay" }] }));
  const sub = new Agent({ name: "Sub", model: endless, tools: [pay] });
  const boss = new Agent({ name: "Boss", model, tools: [sub.asTool({ maxTurns: 2 })] });
  let { state, pending, status } = await run(boss, "go");
  let rounds = 0;
  for (; status === "paused" && rounds < 10; rounds++)
    ({ state, pending, status } = await run(boss, state, { approvals: approve(pending) }));
  expect({ status, rounds }).toEqual({ status: "completed", rounds: 2 });
  expect(JSON.stringify(state.messages)).toContain("Sub reached its limit of 2 model calls");
});

describe("an agent that took over, in a run of its own", () => {
  const question = { role: "user", content: "And now?" } as const;
  /** Hands off, pays, and then answers. */
  const model = new FunctionModel(({ messages, tools = [] }) => {
    const last = messages.at(-1);
    if (last?.role === "tool" && last.result.toolName === "pay") return "Done.";
    return { toolCalls: [{ toolName: tools[0]?.name ?? "" }] };
  });
  const refunds = (): Agent => new Agent({ name: "Refunds", tools: [pay] });
  const team = (own: Pick<AgentOptions, "model"> = { model }): Agent =>
    new Agent({ name: "Triage", ...own, handoffs: [refunds()] });
  const environment = [
    "SKEIN_MODEL",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
  ];
  beforeEach(() => {
    for (const name of environment) vi.stubEnv(name, undefined);
    vi.stubEnv("OLLAMA_HOST", "127.0.0.1:9");
  });
  afterEach(() => vi.unstubAllEnvs());

  test("goes on with the model that answered before it, on its state and its history", async () => {
    const first = await run(team(), "Refund");
    expect(first.agent.name).toBe("Refunds");
    const paid = await run(first.agent, first.state, { approvals: approve(first.pending) });
    expect(paid).toMatchObject({ text: "Done.", status: "completed" });
    const history = [...paid.state.messages, question];
    expect(await run(paid.agent, history)).toMatchObject({ status: "paused", warnings: [] });
  });

  test.each([
    ["a state", (state: RunState) => state],
    ["a history", (state: RunState) => [...state.messages, question]],
  ])("says what to pass where %s was stored, and nothing shows the model", async (_title, input) => {
    const { state } = await run(team(), "Refund");
    const stored: RunState = JSON.parse(JSON.stringify(state));
    const approvals = state.pending.map(({ approvalId = "" }) => ({ approvalId, decision: "deny" as const }));
    const options = Array.isArray(input(stored)) ? {} : { approvals };
    await expect(run(refunds(), input(stored), options)).rejects.toMatchObject({
      code: "model-not-found",
      message: expect.stringMatching(
        /^The agent Refunds has no model, and that of Triage, .*Pass Triage in options\.agents, or set options\.model\.$/,
      ),
    });
    for (const remedy of [{ agents: [team()] }, { model }])
      expect(await run(refunds(), input(stored), { ...options, ...remedy })).toMatchObject({
        turns: 1,
        warnings: [],
      });
  });

  test("warns where the environment names a model, which may be another one", async () => {
    vi.stubEnv("SKEIN_MODEL", "offline");
    const { state } = await run(team(), "Refund");
    const stored: RunState = JSON.parse(JSON.stringify(state));
    const { warnings } = await run(refunds(), [...stored.messages, question]);
    expect(warnings).toEqual([
      "The agent Refunds has no model, and that of Triage, which answered before, is not available: the model of the environment answers. Pass Triage in options.agents, or set options.model.",
    ]);
  });

  test("does not keep a model that was an option of one run", async () => {
    const { state } = await run(team({}), "Refund", { model });
    await expect(run(refunds(), [...state.messages, question])).rejects.toThrow(/Pass Triage in options/);
  });
});
