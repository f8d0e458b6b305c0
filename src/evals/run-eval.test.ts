import { describe, expect, test } from "vitest";
import { Agent } from "../agent/agent.ts";
import type { Model } from "../model/types.ts";
import { costOf } from "../providers/wrappers/index.ts";
import { FunctionModel, ScriptedModel } from "../testing/index.ts";
import { tool } from "../tool/define.ts";
import { compareResults } from "./compare-results.ts";
import { defineEval } from "./define-eval.ts";
import { isExpected } from "./expectations.ts";
import { runEval } from "./run-eval.ts";
import { stateIs } from "./scorers/state.ts";
import { saidBy } from "./test-transcript.ts";
import type { Scorer, Transcript } from "./types.ts";

const agent = new Agent({ name: "Echo" });
/** Says what it hears; throws where it hears "fail". */
const echo = new FunctionModel(({ messages }) => {
  const text = saidBy(messages.at(-1));
  if (text === "fail") throw new Error("the line broke");
  return { text, usage: { inputTokens: 10, outputTokens: 5 } };
});

describe("an evaluation", () => {
  test("gives results in plain JSON", async () => {
    const evaluation = defineEval({ agent, cases: [{ input: "Hello", text: "hello", tags: ["short"] }] });
    const result = await runEval(evaluation, { model: echo });
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    expect(result).toMatchObject({
      version: 1,
      name: "Echo",
      model: "function:function",
      runs: 1,
      warnings: [],
      summary: {
        cases: 1,
        runs: 1,
        passed: 1,
        errors: 0,
        passRate: 1,
        passHat: [1],
        scorers: { text: { scored: 1, passed: 1, mean: 1 } },
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      },
      cases: [{ name: "Hello", input: "Hello", tags: ["short"], passed: 1, passRate: 1 }],
    });
    expect(result.cases[0]?.runs[0]).toMatchObject({
      run: 0,
      pass: true,
      text: "Hello",
      agent: "Echo",
      turns: 1,
    });
    expect(result).not.toHaveProperty("aborted");
  });

  test("goes on where a case throws: it is a failed one, with its error", async () => {
    const evaluation = defineEval({
      agent,
      cases: [
        { input: "fail", text: "x" },
        { input: "Hello", text: "hello" },
      ],
    });
    const { summary, cases } = await runEval(evaluation, { model: echo });
    expect(summary).toMatchObject({ runs: 2, passed: 1, errors: 1, passRate: 0.5 });
    expect(cases[0]?.runs[0]?.error?.message).toContain("the line broke");
    expect(cases[0]?.runs[0]?.messages).toHaveLength(1);
  });

  test("goes on where a scorer throws: it has found nothing good, and the other scorers count", async () => {
    const broken = (): boolean => {
      throw new Error("division by zero");
    };
    const odd = (): number => 7;
    const half = (): number => 0.5;
    const evaluation = defineEval({
      agent,
      cases: [{ input: "Hi", text: "hi" }],
      scorers: [broken, odd, half],
    });
    const { cases } = await runEval(evaluation, { model: echo });
    expect(cases[0]?.runs[0]).toMatchObject({ pass: false, score: 0.375 });
    expect(cases[0]?.runs[0]?.scores).toEqual([
      { scorer: "text", score: 1, pass: true },
      { scorer: "broken", score: 0, pass: false, reason: "the scorer failed: division by zero" },
      { scorer: "odd", score: 0, pass: false, reason: expect.stringContaining("neither a boolean") },
      { scorer: "half", score: 0.5, pass: true },
    ]);
  });

  test("takes no promise for a yes, wherever one is asked for", async () => {
    const no = async (): Promise<boolean> => false;
    const promised: Scorer = {
      name: "promised",
      // @ts-expect-error -- JavaScript may write this
      score: () => ({ score: 1, pass: no() }),
    };
    const evaluation = defineEval({
      agent,
      cases: [{ input: "Hi" }],
      state: () => 1,
      // @ts-expect-error -- JavaScript may write this
      scorers: [promised, stateIs(no)],
    });
    const { cases } = await runEval(evaluation, { model: echo });
    expect(cases[0]?.runs[0]?.scores).toEqual([
      { scorer: "promised", score: 0, pass: false, reason: expect.stringContaining("promise: await it") },
      { scorer: "state", score: 0, pass: false, reason: expect.stringContaining("promise: await it") },
    ]);
    // @ts-expect-error -- JavaScript may write this
    expect(() => isExpected(no, 1)).toThrow("promise: await it");
  });

  test("reports what a world could not close", async () => {
    const evaluation = defineEval({
      agent,
      cases: [{ input: "Hi", text: "hi" }],
      setup: () => ({ close: () => Promise.reject(new Error("still open")) }),
    });
    const { cases } = await runEval(evaluation, { model: echo });
    expect(cases[0]?.runs[0]).toMatchObject({ pass: false, text: "Hi", error: { message: "still open" } });
  });

  test("runs each case as often as asked for, and says how likely it is that all runs pass", async () => {
    let count = 0;
    const everyOther = new FunctionModel(() => (count++ % 2 === 0 ? "yes" : "no"));
    const evaluation = defineEval({ agent, runs: 4, cases: [{ input: "Hi", text: "yes" }] });
    const { summary, cases } = await runEval(evaluation, { model: everyOther });
    expect(summary).toMatchObject({ runs: 4, passed: 2, passRate: 0.5 });
    expect(summary.passHat).toEqual([0.5, expect.closeTo(1 / 6, 12), 0, 0]);
    expect(cases[0]?.runs.map(({ run }) => run)).toEqual([0, 1, 2, 3]);
    expect((await runEval(evaluation, { model: everyOther, runs: 2 })).summary.runs).toBe(2);
  });

  test("takes a model for each run, and calls the result by those that answered", async () => {
    const given: string[] = [];
    const evaluation = defineEval({
      agent,
      cases: [
        { input: "a", text: "a" },
        { input: "b", text: "b" },
      ],
    });
    const model = ({ name = "" }, { name: agentName }: { readonly name: string }): Model => {
      given.push(`${name} ${agentName}`);
      return new ScriptedModel([name], { modelId: name });
    };
    const result = await runEval(evaluation, { model, concurrency: 1 });
    expect(result.summary.passRate).toBe(1);
    expect(result.model).toBe("scripted:a, scripted:b");
    expect(given).toEqual(["a Echo", "b Echo"]);
  });

  test("counts the cost, where usage is reported", async () => {
    const model = new ScriptedModel([{ text: "hi", usage: { inputTokens: 100_000, outputTokens: 0 } }], {
      provider: "openai",
      modelId: "gpt-6-sol",
    });
    const evaluation = defineEval({ agent, cases: [{ input: "Hi", text: "hi" }] });
    const { summary } = await runEval(evaluation, { model, costOf });
    expect(summary.cost).toBeCloseTo(0.2, 12);
    expect((await runEval(evaluation, { model: echo, costOf })).summary).not.toHaveProperty("cost");
    expect((await runEval(evaluation, { model: echo })).summary).not.toHaveProperty("cost");
  });
});

describe("runs", () => {
  const ten = Array.from({ length: 10 }, (_, index) => ({ input: `${index}`, text: `${index}` }));

  /** How many runs were under way at once, at most. */
  async function most(
    options: { state?: () => unknown; concurrency?: number },
    asked?: number,
  ): Promise<number> {
    let open = 0;
    let highest = 0;
    const model = new FunctionModel(async ({ messages }) => {
      open += 1;
      highest = Math.max(highest, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return saidBy(messages[0]);
    });
    const evaluation = defineEval({ agent, cases: ten, ...options });
    const { summary } = await runEval(evaluation, { model, ...(asked && { concurrency: asked }) });
    expect(summary.passRate).toBe(1);
    return highest;
  }

  test("happen side by side, as many as allowed", async () => {
    expect(await most({})).toBe(4);
    expect(await most({}, 10)).toBe(10);
    expect(await most({ concurrency: 2 }, 10)).toBe(2);
  });

  test("happen one after another where they share a state", async () => {
    expect(await most({ state: () => 1 }, 10)).toBe(1);
  });

  test("are reported as they end; an exception there becomes a warning", async () => {
    const told: string[] = [];
    const evaluation = defineEval({ agent, cases: ten.slice(0, 2) });
    const { warnings } = await runEval(evaluation, {
      model: echo,
      concurrency: 1,
      onProgress: ({ evaluation: name, case: each, record, done, total }) => {
        told.push(`${name} ${each} ${record.pass} ${done}/${total}`);
        if (done === 2) throw new Error("no terminal");
      },
    });
    expect(told).toEqual(["Echo 0 true 1/2", "Echo 1 true 2/2"]);
    expect(warnings).toEqual(["onProgress failed: no terminal"]);
  });

  test("end with a signal: the result has what was done by then, and nothing that was cut short", async () => {
    const stop = new AbortController();
    const { promise: forever } = Promise.withResolvers<string>();
    const model = new FunctionModel(({ messages: [first] }) => {
      const text = saidBy(first);
      if (text !== "2") return text;
      stop.abort(new Error("enough"));
      return forever;
    });
    const evaluation = defineEval({ agent, cases: ten });
    const result = await runEval(evaluation, { model, concurrency: 1, signal: stop.signal });
    expect(result.aborted).toBe(true);
    expect(result.cases.map(({ name }) => name)).toEqual(["0", "1"]);
    expect(result.summary).toMatchObject({ cases: 2, runs: 2, passed: 2, errors: 0 });
    const before = await runEval(evaluation, { model: echo, signal: AbortSignal.abort() });
    expect(before).toMatchObject({
      aborted: true,
      cases: [],
      summary: { cases: 0, passRate: 0, passHat: [] },
    });
  });
});

describe("a run", () => {
  const send = tool({
    name: "send",
    input: { type: "object", properties: {} },
    approval: true,
    execute: () => "sent",
  });
  const sender = new Agent({ name: "Sender", tools: [send] });
  const sending = (): Model => new ScriptedModel([{ toolCalls: [{ toolName: "send" }] }, "Done."]);

  test("ends there though the user has more to say", async () => {
    const cases = [{ input: "Send it", user: ["And now?"], calls: ["send"] }];
    const report = await runEval(defineEval({ agent: sender, cases }), { model: sending });
    const [result] = report.cases[0]?.runs ?? [];
    expect(result?.status).toBe("paused");
    expect(result?.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test.each([
    ["ends where somebody would have to decide", undefined, "paused", undefined],
    ["goes on where the answer is yes", "approve" as const, "completed", "success"],
    ["goes on where the answer is no", "deny" as const, "completed", "denied"],
    ["asks a function", () => "approve" as const, "completed", "success"],
  ])("%s", async (_, approvals, status, outcome) => {
    let seen: Transcript | undefined;
    const evaluation = defineEval({
      agent: sender,
      cases: [{ input: "Send it", calls: ["send"] }],
      ...(approvals && { approvals }),
      scorers: [
        (transcript) => {
          seen = transcript;
          return true;
        },
      ],
    });
    const { summary } = await runEval(evaluation, { model: sending });
    expect(summary.passed).toBe(1);
    expect(seen?.status).toBe(status);
    expect(seen?.calls[0]?.outcome).toBe(outcome);
    expect(seen?.turns).toBe(approvals ? 2 : 1);
  });

  test("has its own world: context, agent and state, before and after", async () => {
    const opened: number[] = [];
    const evaluation = defineEval({
      agent,
      context: { a: 1, b: 1, c: 1 },
      runs: 2,
      cases: [{ input: "Hi", state: 2, context: { c: 3 } }],
      setup: () => {
        let value = 1;
        const change = tool({
          name: "change",
          input: { type: "object", properties: {} },
          execute: (_input, { context }) => {
            value += 1;
            return context;
          },
        });
        opened.push(value);
        return {
          agent: new Agent({ name: "Changer", tools: [change] }),
          context: { b: 2 },
          state: () => value,
          close: () => void opened.pop(),
        };
      },
    });
    const model = (): Model => new ScriptedModel([{ toolCalls: [{ toolName: "change" }] }, "Done."]);
    const { cases } = await runEval(evaluation, { model });
    expect(cases[0]?.passed).toBe(2);
    for (const run of cases[0]?.runs ?? []) {
      expect(run.state).toEqual({ before: 1, after: 2 });
      const result = run.messages.find((message) => message.role === "tool")?.result;
      expect(result?.structuredContent).toEqual({ a: 1, b: 2, c: 3 });
    }
    expect(opened).toEqual([]);
  });

  test("may be the choice of a tool alone", async () => {
    const evaluation = defineEval({
      agent: new Agent({ name: "Triage", handoffs: [sender] }),
      cases: [{ input: "Send it", calls: ["transfer_to_sender"] }],
      run: { maxTurns: 1, executeTools: false },
    });
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_sender" }] }]);
    expect((await runEval(evaluation, { model })).summary.passed).toBe(1);
    model.assertComplete();
  });
});

test.each([
  [{ agent, cases: [] }, "needs cases"],
  [{ agent, cases: [{ input: "Hi" }] }, 'the case "Hi" of the evaluation Echo states nothing to score'],
  [{ agent, cases: [{ text: "Hi" }] }, "has no input. Set an input"],
  [{ agent, cases: [{ input: "Hi", call: ["a"] }] }, 'has no option "call". Did you mean "calls"?'],
  [{ agent, cases: [{ input: "Hi", text: "a" }], run: 3, scorer: [] }, 'has no option "scorer"'],
  [
    { agent, cases: [{ input: "Hi", text: "a" }], runs: 0 },
    "runs of the evaluation Echo must be a whole number",
  ],
  [{ agent: "Echo", cases: [{ input: "Hi", text: "a" }] }, "needs an agent"],
])("%j is refused", (options, message) => {
  expect(() => defineEval(options as Parameters<typeof defineEval>[0])).toThrow(message);
});

test("cases have names of their own", () => {
  const { cases } = defineEval({
    agent,
    cases: [
      { input: "Hi", text: "a" },
      { input: "Hi", text: "b" },
      { name: "third", input: "Hi", text: "c" },
      { input: "long ".repeat(30), text: "d" },
      { user: { goal: "A refund." } },
    ],
  });
  expect(cases.map(({ name }) => name)).toEqual([
    "Hi",
    "Hi (2)",
    "third",
    `${"long ".repeat(15)}long…`,
    "A refund.",
  ]);
});

test("two results are compared case by case, the worse ones first", async () => {
  const first = defineEval({
    agent,
    cases: [
      { name: "same", input: "a", text: "a" },
      { name: "better", input: "b", text: "c" },
      { name: "worse", input: "d", text: "d" },
      { name: "gone", input: "e", text: "e" },
    ],
  });
  const second = defineEval({
    agent,
    cases: [
      { name: "same", input: "a", text: "a" },
      { name: "better", input: "b", text: "b" },
      { name: "worse", input: "d", text: "x" },
      { name: "new", input: "e", text: "e" },
    ],
  });
  const [before, after] = await Promise.all([first, second].map((each) => runEval(each, { model: echo })));
  expect(before && after && compareResults(after, before)).toEqual({
    model: "function:function",
    passRate: { before: 0.75, after: 0.75 },
    changed: [
      { name: "worse", before: 1, after: 0, isRegression: true },
      { name: "better", before: 0, after: 1, isRegression: false },
    ],
    added: ["new"],
    removed: ["gone"],
  });
});
