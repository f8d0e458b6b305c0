/** What a run has of calls that waited for a person, once the run went on. */
import { Agent, run, tool } from "skein";
import { RunRecord } from "../../src/studio/run-record.ts";
import { settleCalls } from "../../src/studio/settle-calls.ts";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import type { ToolMessage } from "../../src/message/messages.ts";
import type { RunDetail, ToolStep } from "../../src/studio/records.ts";
import { openData } from "./data.ts";

const pay = tool({ name: "pay", input: { type: "object" }, approval: true, execute: () => "Paid." });

function callsOf({ steps }: RunDetail): readonly Partial<ToolStep>[] {
  return steps.flatMap((step) => {
    if (step.kind !== "tool") return [];
    const { toolCallId, waits, wasAsked, decided, outcome, answered, edited } = step;
    return [JSON.parse(JSON.stringify({ toolCallId, waits, wasAsked, decided, outcome, answered, edited }))];
  });
}

test("a call that is denied has that outcome, and one that is approved was asked; neither waits any more", async () => {
  const toolCalls = ["a", "b", "c"].map((toolCallId) => ({ toolCallId, toolName: "pay", arguments: {} }));
  const model = new ScriptedModel([{ toolCalls }, "Done."]);
  const agent = new Agent({ name: "Till", model, tools: [pay] });
  const page = await openData([agent]);
  const paused = await run(agent, "Pay", { runId: "r" });
  const [a = "", b = "", c = ""] = paused.pending.map(({ approvalId = "" }) => approvalId);
  expect(callsOf(await page.run("r"))).toMatchObject([{ waits: true }, { waits: true }, { waits: true }]);

  // One of them is denied, and the others wait still.
  const still = await run(agent, paused.state, { approvals: [{ approvalId: a, decision: "deny" }] });
  expect(still.status).toBe("paused");
  expect(callsOf(await page.run("r")).slice(0, 3)).toMatchObject([
    { toolCallId: "a", decided: true, outcome: "denied" },
    { toolCallId: "b", waits: true },
    { toolCallId: "c", waits: true },
  ]);
  const approvals = [
    { approvalId: b, decision: "approve" },
    { approvalId: c, decision: "approve", arguments: { amount: 9 } },
  ] as const;
  await run(agent, still.state, { approvals });
  const detail = await page.run("r");
  expect(detail.status).toBe("completed");
  expect(callsOf(detail).filter(({ outcome }) => outcome !== undefined)).toEqual([
    { toolCallId: "a", decided: true, outcome: "denied" },
    { toolCallId: "b", decided: true, outcome: "success" },
    { toolCallId: "c", decided: true, outcome: "success", edited: '{"amount":9}' },
  ]);
  // What the model wrote stays what it wrote.
  expect(detail.steps.at(-2)).toMatchObject({ toolCallId: "c", arguments: "{}" });
  expect(callsOf(detail).some(({ waits }) => waits)).toBe(false);
});

test("a call that an agent within the run has made is settled, too, when it is denied", async () => {
  const inner = new Agent({
    name: "Inner",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "pay" }] }, "Inner answer."]),
    tools: [pay],
  });
  const outer = new Agent({
    name: "Outer",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "ask", arguments: { input: "Pay" } }] }, "Done."]),
    tools: [inner.asTool({ name: "ask", description: "Asks." })],
  });
  const page = await openData([outer]);
  const paused = await run(outer, "Pay", { runId: "r" });
  const approvals = paused.pending.flatMap(({ approvalId }) =>
    approvalId === undefined ? [] : [{ approvalId, decision: "deny" } as const],
  );
  expect(approvals).toHaveLength(1);
  expect((await run(outer, paused.state, { approvals })).text).toBe("Done.");
  const { steps } = await page.run("r");
  expect(steps.filter((step) => step.kind === "tool" && step.waits)).toEqual([]);
  expect(steps.filter((step) => step.kind === "tool" && step.toolName === "pay")).toMatchObject([
    { decided: true, outcome: "denied" },
  ]);
});

test("a result that comes from outside the run is not one of the tool, and calls that are pending wait on", () => {
  const record = new RunRecord("r", undefined, "Till", 0);
  const call = { kind: "tool", agent: "Till", turn: 1, start: 0, toolName: "pay", arguments: "{}" } as const;
  for (const toolCallId of ["a", "b"]) record.add({ ...call, toolCallId, waits: true });
  const messages = ["a", "b"].map((toolCallId): ToolMessage => ({
    role: "tool",
    result: {
      toolCallId,
      toolName: "pay",
      content: [{ type: "text", text: "Stopped." }],
      isError: true,
      outcome: "cancelled",
    },
  }));
  settleCalls(record, messages, () => true, [{ toolCallId: "b" }]);
  expect(record.steps).toMatchObject([
    { outcome: "cancelled", result: "Stopped.", answered: true },
    { waits: true },
  ]);
  expect(record.steps[0]).not.toHaveProperty("waits");
  expect(record.steps[1]).not.toHaveProperty("outcome");
});
