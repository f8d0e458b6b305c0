import { afterAll, describe, expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { tool } from "../../tool/define.ts";
import { offline } from "../../providers/offline/index.ts";
import type { Message } from "../../message/messages.ts";
import type { RunEvent } from "../../run/types.ts";
import { brokenAgents, cashier, triage } from "./fixtures/broken-agents.ts";
import { leftovers } from "./fixtures/broken-models.ts";
import { historyProblems } from "./history-rules.ts";
import { assertConformance, checkAgent } from "./index.ts";
import { checkRunEvents } from "./run-rules.ts";

afterAll(() => {
  for (const timer of leftovers) clearTimeout(timer);
});

/** Add two numbers. */
function add(a: number, b: number): number {
  return a + b;
}

describe("checkAgent", () => {
  test.each([triage, cashier, new Agent({ name: "Plain", tools: [add] })])("passes $name", async (agent) => {
    // The first run starts the compiler, which takes its time on a busy machine.
    assertConformance(await checkAgent(agent, { timeout: 20_000 }));
  });

  test("passes an agent with a model of its choice", async () => {
    const agent = new Agent({ name: "Adder", tools: [add] });
    assertConformance(await checkAgent(agent, { input: "Add 2 and 3", model: offline }));
  });

  const rows = brokenAgents.map(([fault, check, says, agent, options]) => ({
    fault,
    check,
    says,
    agent,
    options,
  }));
  test.each(rows)(
    "finds that an agent $fault, by the check $check",
    async ({ check, says, agent, options }) => {
      const report = await checkAgent(agent, { timeout: 400, ...options });
      const found = report.failures.filter((failure) => failure.check === check);
      expect(found.map(({ message }) => message).join("\n")).toContain(says);
      expect(() => assertConformance(report)).toThrow(`${check}: `);
    },
  );
});

const call = (toolCallId: string): Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId }],
  toolCalls: [{ toolCallId, toolName: "t", arguments: "{}" }],
});
const answered = (toolCallId: string): Message => ({
  role: "tool",
  result: { toolCallId, toolName: "t", content: [], isError: false, outcome: "success" },
});

test("an agent whose calls wait within calls is one", async () => {
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
    approval: true,
    execute: () => "Paid.",
  });
  const caller = tool({
    name: "caller",
    input: { type: "object", properties: {} },
    execute: (_, context) => context.call("pay", { amount: 1 }),
  });
  const cashier = new Agent({ name: "Cashier", tools: [pay] });
  const outer = new Agent({
    name: "Outer",
    tools: [new Agent({ name: "Desk", tools: [cashier.asTool()] }).asTool()],
  });
  expect((await checkAgent(outer)).failures).toEqual([]);
  expect((await checkAgent(new Agent({ name: "Caller", tools: [caller, pay] }))).failures).toEqual([]);
});

test("a history with an orphaned, doubled, strange or late answered call is not valid", () => {
  const problems = (...messages: Message[]): string[] => [...historyProblems(messages)];
  expect(problems(call("a"), answered("a"), call("b"), answered("b"))).toEqual([]);
  expect(problems(call("a"))).toEqual(["The call a has no result before messages[1]."]);
  expect(problems(call("a"), { role: "user", content: "Well?" }, answered("a"))).toEqual([
    "The call a has no result before messages[1].",
    "messages[2] is a result of a, which is not an open call.",
  ]);
  expect(problems(call("a"), answered("a"), answered("a"))).toHaveLength(1);
  expect(problems(call("a"), answered("a"), call("a"), answered("a"))).toEqual([
    "messages[2] has a call a, and so has an earlier one.",
  ]);
});

test("events that miss their end, have two, or lose a number are not those of a run", () => {
  const problems = (events: object[]): string[] => {
    const found: string[] = [];
    const numbered = events.map((event, index): object => ({ index, ...event })) as RunEvent[];
    checkRunEvents(numbered, [], "It", (message, check) => void found.push(`${check}: ${message}`));
    return found;
  };
  const end = { type: "run-end" };
  const start = { type: "tool-start", toolCall: { toolCallId: "a" } };
  expect(problems([start, { type: "tool-end", result: { toolCallId: "a" } }, end])).toEqual([]);
  expect(problems([start, end])).toEqual(["events: It: the call a has no end."]);
  const within = { type: "approval-request", parentToolCallId: "a", toolCall: { toolCallId: "b" } };
  expect(problems([start, within, end])).toEqual([]);
  expect(problems([end, end])).toEqual(["one-end: It: there are 2 run-end events."]);
  expect(problems([end, start])).toContain("one-end: It: the last event is tool-start.");
  expect(problems([{ ...start, index: 1 }, end])).toEqual(["events: It: event 0 has the index 1."]);
});
