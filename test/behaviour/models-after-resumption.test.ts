/** An agent without a model uses the one that was used before it: also in a run that is resumed, and in the next run of a session. */
import { expect, test } from "vitest";
import { Agent, run, tool, type ApprovalDecision, type PendingCall } from "skein";
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
