/** Agents that a tool's own code returns or runs: those that `runs({ agents })` lists are found by their names. */
import { Agent, tool, type ToolContext } from "skein";
import { memoryStore } from "skein/durable";
import { connect } from "skein/client";
import { serve } from "skein/server";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { testRuns } from "./test-runs.ts";

const any = { type: "object", properties: {} } as const;
const numbered = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
} as const;

/** A triage whose tool returns, or runs, an agent for sales, which pays once it is approved. */
function team(use: (sales: Agent, context: ToolContext) => unknown) {
  const payments: number[] = [];
  const pay = tool({
    name: "pay",
    input: numbered,
    approval: true,
    execute: ({ n }: { readonly n: number }) => {
      payments.push(n);
      return "paid";
    },
  });
  const sales = new Agent({
    name: "Sales",
    tools: [pay],
    model: new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      const isDone = last?.role === "tool" && last.result.toolName === "pay";
      const isSecond = messages.filter(({ role }) => role === "user").length > 1;
      return isDone || isSecond
        ? "Sales answers."
        : { toolCalls: [{ toolName: "pay", arguments: { n: 1 } }] };
    }),
  });
  const toSales = tool({
    name: "to_sales",
    input: any,
    execute: (_: unknown, context) => use(sales, context),
  });
  const triage = new Agent({
    name: "Triage",
    tools: [toSales],
    model: new FunctionModel(({ messages }) =>
      messages.length === 1 ? { toolCalls: [{ toolName: "to_sales" }] } : "Triage answers.",
    ),
  });
  return { triage, sales, payments };
}

const returned = (sales: Agent): unknown => sales;
const runByCode = (sales: Agent, { runAgent }: ToolContext): unknown => runAgent(sales, "Pay.");

test("a run goes on at an agent that a tool has returned", async () => {
  const { triage, sales, payments } = team(returned);
  const app = testRuns(memoryStore(), { agents: [triage, sales] });
  void app.work();
  const handle = await app.start(triage, "Pay.");
  const { pending } = await handle.result();
  await handle.decide(pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" })));
  expect(await handle.result()).toMatchObject({ status: "completed", text: "Sales answers." });
  expect(payments).toEqual([1]);
});

test("the next message of a conversation is for the agent that has the lead", async () => {
  const { triage, sales } = team(returned);
  const app = testRuns(memoryStore(), { agents: [triage, sales] });
  void app.work();
  const first = await app.start(triage, "Pay.", { session: "s" });
  const { pending } = await first.result();
  await first.decide(pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" })));
  await first.result();
  const second = await app.start(triage, "And now?", { session: "s" });
  expect(await second.result()).toMatchObject({ text: "Sales answers.", warnings: [] });
});

test("an agent that a run is started with takes a conversation over from another one's", async () => {
  const { triage, sales } = team(returned);
  const echo = new Agent({ name: "Echo", model: new FunctionModel(() => "Echo answers.") });
  const app = testRuns(memoryStore(), { agents: [triage, sales, echo] });
  void app.work();
  const first = await app.start(triage, "Pay.", { session: "s" });
  const { pending } = await first.result();
  await first.decide(pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" })));
  await first.result();
  const second = await app.start(echo, "And now?", { session: "s" });
  expect(await second.result()).toMatchObject({ text: "Echo answers." });
});

test("arguments that a person wrote reach a call of an agent that a tool runs", async () => {
  const { triage, sales, payments } = team(runByCode);
  const app = testRuns(memoryStore(), { agents: [triage, sales] });
  void app.work();
  const handle = await app.start(triage, "Pay.");
  const { pending } = await handle.result();
  await handle.decide(
    pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve", arguments: { n: 5 } })),
  );
  expect(await handle.result()).toMatchObject({ status: "completed", text: "Triage answers." });
  expect(payments).toEqual([5]);
});

test("an agent of runOptions.agents counts beside those that are listed", async () => {
  const { triage, sales, payments } = team(returned);
  const app = testRuns(memoryStore(), { agents: [triage], runOptions: { agents: [sales] } });
  void app.work();
  const handle = await app.start(triage, "Pay.");
  const { pending } = await handle.result();
  await handle.decide(pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" })));
  expect(await handle.result()).toMatchObject({ status: "completed" });
  expect(payments).toEqual([1]);
});

test("a server finds the agents that it serves", async () => {
  const { triage, sales, payments } = team(returned);
  const app = serve({ triage, sales }, { onError: () => {} });
  try {
    const { url } = await app.listen({ port: 0 });
    const client = connect(url);
    const first = client.stream("triage", "Pay.", { session: "s" });
    const { pending } = await first.result;
    const next = await first.decide(
      pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" as const })),
    );
    expect(await next.result).toMatchObject({ status: "completed", text: "Sales answers." });
    expect(payments).toEqual([1]);
    expect(await client.stream("triage", "And now?", { session: "s" }).result).toMatchObject({
      text: "Sales answers.",
    });
  } finally {
    await app.close({ drain: 0 });
  }
});

test("an agent that runs on its own must not lead to another one of a listed agent's name", () => {
  const other = new Agent({ name: "Sales", tools: [tool({ name: "x", input: any, execute: () => "" })] });
  const child = new Agent({ name: "Child", handoffs: [other] });
  const { sales } = team(returned);
  const desk = new Agent({ name: "Desk", tools: [child.asTool({ detached: true })] });
  expect(() => testRuns(memoryStore(), { agents: [desk, sales] })).toThrow('Two agents are called "Sales"');
});
