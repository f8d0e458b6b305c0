import { expect, test } from "vitest";
import { z } from "zod";
import { Agent, result, run, tool, type ApprovalDecision, type RunResult, type RunState } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";

const input = { type: "object", properties: {} } as const;
const finish = tool({ name: "finish", input, execute: () => result({ value: "the end", final: true }) });
const pay = tool({ name: "pay", input, approval: true, execute: () => "paid" });
const elsewhere = tool({ name: "elsewhere", input });
const calls = (...names: readonly string[]) => ({ toolCalls: names.map((toolName) => ({ toolName })) });

function agentFor(...names: readonly string[]): Agent {
  return new Agent({
    name: "A",
    model: new ScriptedModel([calls(...names)]),
    tools: [finish, pay, elsewhere],
  });
}

function decide({ pending }: RunResult, decision: "approve" | "deny"): ApprovalDecision[] {
  return pending.flatMap(({ approvalId }) => (approvalId === undefined ? [] : [{ approvalId, decision }]));
}

const stored = (state: RunState): RunState => JSON.parse(JSON.stringify(state));

test.each(["approve", "deny"] as const)(
  "a final result ends the run once the call beside it is decided on: %s",
  async (decision) => {
    const agent = agentFor("finish", "pay");
    const paused = await run(agent, "Go.");
    expect(paused).toMatchObject({ status: "paused", pending: [{ toolName: "pay" }] });
    const ended = await run(agent, stored(paused.state), { approvals: decide(paused, decision) });
    expect(ended).toMatchObject({ status: "completed", text: "the end", turns: 0, pending: [] });
    expect(ended.messages).toMatchObject([
      { role: "tool", result: { toolName: "pay", outcome: decision === "approve" ? "success" : "denied" } },
    ]);
  },
);

test("the run waits as long as a call waits", async () => {
  const agent = agentFor("pay", "finish", "elsewhere");
  const paused = await run(agent, "Go.");
  const still = await run(agent, stored(paused.state), { approvals: decide(paused, "approve") });
  expect(still).toMatchObject({ status: "paused", pending: [{ toolName: "elsewhere" }] });
  const results = still.pending.map(({ toolCallId }) => ({ toolCallId, content: "from elsewhere" }));
  const ended = await run(agent, stored(still.state), { results });
  expect(ended).toMatchObject({ status: "completed", text: "the end", turns: 0 });
});

test("a final result among the calls that waited comes before one that was there", async () => {
  const last = tool({
    name: "last",
    input,
    approval: true,
    execute: () => result({ value: "the very end", final: true }),
  });
  const model = new ScriptedModel([calls("finish", "last")]);
  const agent = new Agent({ name: "A", model, tools: [finish, last] });
  const paused = await run(agent, "Go.");
  const ended = await run(agent, paused.state, { approvals: decide(paused, "approve") });
  expect(ended).toMatchObject({ status: "completed", text: "the very end" });
});

test("it returns the requested output", async () => {
  const total = tool({ name: "total", input, execute: () => result({ value: { sum: 3 }, final: true }) });
  const output = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const;
  const model = new ScriptedModel([calls("total", "pay")]);
  const agent = new Agent({ name: "A", model, tools: [total, pay], output });
  const paused = await run(agent, "Go.");
  expect(paused.output).toBeUndefined();
  const ended = await run(agent, stored(paused.state), { approvals: decide(paused, "approve") });
  expect(ended).toMatchObject({ status: "completed", output: { sum: 3 } });
});

test("it ends a run that a session resumes, and says nothing to the one after it", async () => {
  const session = memorySession();
  const model = new ScriptedModel([calls("finish", "pay"), "Hello again."]);
  const agent = new Agent({ name: "A", model, tools: [finish, pay] });
  const paused = await run(agent, "Go.", { session });
  const ended = await run(agent, [], { session, approvals: decide(paused, "approve") });
  expect(ended).toMatchObject({ status: "completed", text: "the end" });
  expect((await run(agent, "And?", { session })).text).toBe("Hello again.");
  model.assertComplete();
});

test.each([
  ["the tool", { final: true }, (value: unknown) => value],
  ["its result", {}, (value: unknown) => result({ value, final: true })],
])("an answer that %s makes final is not cut", async (_, policy, make) => {
  const long = "0123456789".repeat(60);
  const report = tool({
    name: "report",
    input,
    maxResultChars: 60,
    ...policy,
    execute: () => make({ text: long }),
  });
  const model = new ScriptedModel([calls("report")]);
  const schema = z.object({ text: z.string() });
  const ended = await run(new Agent({ name: "A", model, tools: [report], output: schema }), "Go.");
  expect(ended).toMatchObject({
    status: "completed",
    output: { text: long },
    text: JSON.stringify({ text: long }),
  });
});
