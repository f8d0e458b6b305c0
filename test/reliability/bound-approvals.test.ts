import { expect, test } from "vitest";
import { Agent, run, tool, type ApprovalDecision, type RunState } from "skein";
import { ScriptedModel } from "skein/testing";
import { number } from "./kit.ts";

const call = { toolCallId: "call_1", toolName: "pay", arguments: { n: 5 } };

/** A run that waits for the approval of a payment, and what was paid. */
async function pausedRun(amount = 5) {
  const paid: number[] = [];
  const pay = tool<{ n: number }>({
    name: "pay",
    input: number,
    approval: true,
    execute: ({ n }) => paid.push(n),
  });
  const turn = { toolCalls: [{ ...call, arguments: { n: amount } }] };
  const agent = new Agent({
    name: "A",
    model: new ScriptedModel([turn, "Paid.", "Paid again?"]),
    tools: [pay],
  });
  const paused = await run(agent, "Pay.");
  const approvals: ApprovalDecision[] = paused.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve",
  }));
  expect(approvals).toHaveLength(1);
  const state = JSON.stringify(paused.state);
  return { agent, paid, approvals, state };
}

const read = (state: string): RunState => JSON.parse(state);

test("an approval holds for the arguments that were shown, and no others", async () => {
  const { agent, paid, approvals, state } = await pausedRun();
  const changed = state.replaceAll(String.raw`{\"n\":5}`, String.raw`{\"n\":5000}`);
  expect(changed).not.toBe(state);
  await expect(run(agent, read(changed), { approvals })).rejects.toMatchObject({ code: "invalid-input" });
  expect(paid).toEqual([]);
});

test("an approval of another run, or of another amount, is none", async () => {
  const { agent, paid, state } = await pausedRun();
  for (const other of [await pausedRun(), await pausedRun(6)]) {
    const { approvals } = other;
    await expect(run(agent, read(state), { approvals })).rejects.toMatchObject({ code: "invalid-input" });
  }
  expect(paid).toEqual([]);
});

test("approving a second time does nothing", async () => {
  const { agent, paid, approvals, state } = await pausedRun();
  const result = await run(agent, read(state), { approvals });
  expect(result.text).toBe("Paid.");
  await expect(run(agent, result.state, { approvals })).rejects.toMatchObject({ code: "invalid-input" });
  const twice = [...approvals, ...approvals];
  await expect(run(agent, read(state), { approvals: twice })).rejects.toMatchObject({
    code: "invalid-input",
  });
  expect(paid).toEqual([5]);
});
