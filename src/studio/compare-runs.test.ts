import { expect, test } from "vitest";
import { compareRuns, firstCharacter } from "./compare-runs.ts";
import type { ModelStep, RunDetail, ToolStep } from "./records.ts";

type Call = Partial<ToolStep> & { readonly toolName: string };

interface Turn {
  readonly agent?: string;
  readonly text?: string;
  readonly calls?: readonly Call[];
}

function runOf(id: string, turns: readonly Turn[], more: Partial<RunDetail> = {}): RunDetail {
  const steps: (ModelStep | ToolStep)[] = [];
  const base = (turn: number, agent: string) => ({ id: steps.length + 1, agent, turn, start: 0, end: 1 });
  for (const [index, { agent = "A", text = "", calls = [] }] of turns.entries()) {
    const turn = index + 1;
    const answer = { provider: "p", modelId: "m", reasoning: "", calls: [], requests: [] };
    steps.push({ ...base(turn, agent), ...answer, kind: "model", text });
    for (const [number, call] of calls.entries())
      steps.push({
        ...base(turn, agent),
        kind: "tool",
        toolCallId: `c${number}`,
        arguments: "{}",
        outcome: "success",
        result: "ok",
        ...call,
      });
  }
  const sums = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, worked: 0, waited: 0, breaks: 0 };
  return {
    id,
    revision: 1,
    agent: "A",
    lastAgent: "A",
    status: "completed",
    startedAt: 0,
    input: "",
    question: "",
    turns: turns.length,
    toolCalls: 0,
    tools: [],
    ...sums,
    flight: [],
    ticks: [],
    steps,
    ...more,
  };
}

const call = (args: object, more: Partial<ToolStep> = {}): Turn => ({
  calls: [{ toolName: "pay", arguments: JSON.stringify(args), ...more }],
});

test.each<{ what: string; one: Turn; other: Turn; difference: string | undefined }>([
  { what: "equal turns", one: call({ a: 1, b: [2] }), other: call({ b: [2], a: 1 }), difference: undefined },
  {
    what: "another text",
    one: { text: "Paid 120." },
    other: { text: "Paid 90." },
    difference: "text, character 5",
  },
  { what: "another agent", one: { agent: "A" }, other: { agent: "B" }, difference: "agent B instead of A" },
  {
    what: "another argument",
    one: call({ items: [{ n: 1 }] }),
    other: call({ items: [{ n: 2 }] }),
    difference: "pay, arguments.items[0].n",
  },
  { what: "a missing argument", one: call({ a: 1 }), other: call({}), difference: "pay, arguments.a" },
  {
    what: "another tool",
    one: { calls: [{ toolName: "pay" }] },
    other: { calls: [{ toolName: "look" }] },
    difference: "call of look instead of pay",
  },
  { what: "one call more", one: {}, other: call({}), difference: "call of pay only in the second run" },
  { what: "another result", one: call({}), other: call({}, { result: "no" }), difference: "pay, result" },
  {
    what: "another outcome",
    one: call({}),
    other: call({}, { outcome: "error" }),
    difference: "pay, error instead of success",
  },
])("the first difference of a turn is named: $what", ({ one, other, difference }) => {
  const [pair] = compareRuns(runOf("1", [one]), runOf("2", [other]));
  expect(pair?.difference).toBe(difference);
});

test("turns that only one of the runs has are named", () => {
  const pairs = compareRuns(runOf("1", [{}, {}, {}]), runOf("2", [{}]));
  expect(pairs.map(({ turn, difference }) => [turn, difference])).toEqual([
    [1, undefined],
    [2, "only in the first run"],
    [3, "only in the first run"],
  ]);
});

test("a replay is compared from the turn on that it begins with, on either side", () => {
  const first = runOf("1", [{ text: "a" }, { text: "b" }, { text: "c" }]);
  const replay = runOf("2", [{ text: "b" }, { text: "d" }], { replayOf: { runId: "1", turn: 2 } });
  const shape = (pairs: ReturnType<typeof compareRuns>) =>
    pairs.map(({ turn, difference }) => [turn, difference]);
  expect(shape(compareRuns(first, replay))).toEqual([
    [2, undefined],
    [3, "text, character 0"],
  ]);
  expect(compareRuns(replay, first).map(({ difference }) => difference)).toEqual([
    undefined,
    "text, character 0",
  ]);
});

test("of a call that waited for a decision, what came of it counts", () => {
  const {
    outcome: _,
    result: __,
    ...waiting
  } = { toolName: "pay", toolCallId: "c", outcome: "", result: "" };
  const decided: Turn = {
    calls: [
      { ...waiting, waits: true },
      { ...waiting, outcome: "success", result: "ok", decided: true },
    ],
  };
  const [pair] = compareRuns(runOf("1", [decided]), runOf("2", [{ calls: [{ toolName: "pay" }] }]));
  expect(pair?.difference).toBeUndefined();
});

test.each([
  ["Pay 120.", "Pay 121.", 6],
  ["Pay", "Pay 1", 3],
  ["Pay", "Pay", undefined],
])("%j and %j differ at character %j", (one, other, at) => {
  expect(firstCharacter(one, other)).toBe(at);
});

test("equal arguments of any depth are equal", () => {
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const turns = [{ calls: [{ toolName: "pay", arguments: deep }] }];
  expect(compareRuns(runOf("a", turns), runOf("b", turns))[0]?.difference).toBeUndefined();
});
