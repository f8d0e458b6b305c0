import { describe, expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { ScriptedModel } from "../../testing/index.ts";
import { tool } from "../../tool/define.ts";
import { defineEval, type Evaluation } from "../define-eval.ts";
import { like, oneOf } from "../expectations.ts";
import { runEval } from "../run-eval.ts";
import { shopTeam } from "../test-shop.ts";
import { means } from "../scorers/judge.ts";
import type { EvalCase, EvalRunOptions } from "../types.ts";
import { perfectModel } from "./perfect-model.ts";
import { perfectJudge, wrongJudge } from "./stand-in-judges.ts";
import { wrongModel } from "./wrong-model.ts";

const { triage } = shopTeam();

const cases: readonly EvalCase[] = [
  { input: "Money back for order 7", calls: [{ tool: "refund", arguments: { order: 7 } }], agent: "Refunds" },
  { input: "Hello", calls: [], agent: "Triage", text: "hello" },
  { input: "I have a question about buying", agent: "Sales", calls: ["transfer_to_sales"] },
  { input: "What do you sell?", calls: ["listItems"], text: [/scarf|boots/i, "Anything else?"] },
  {
    input: "Refund orders 7 and 8",
    calls: {
      anyOrder: [
        { tool: "refund", arguments: { order: oneOf(8, 9) } },
        { tool: "refund", arguments: { order: like(7) } },
      ],
    },
  },
  { input: "How much did I pay?", calls: { include: ["lookUp"] }, never: ["refund"] },
  { input: "First look, then refund", calls: ["lookUp", "refund"], agent: "Triage" },
  {
    input: "Refund what is above 5",
    calls: [
      { tool: "refund", arguments: ({ order }: { order: number }) => order > 5, example: { order: 6 } },
    ],
  },
];

async function rates(
  evaluation: Evaluation,
): Promise<readonly (readonly [name: string, perfect: number, wrong: number])[]> {
  const [perfect, wrong] = await Promise.all(
    [perfectModel, wrongModel].map((model) => runEval(evaluation, { model })),
  );
  return (perfect?.cases ?? []).map(({ name, passRate }, index) => [
    name,
    passRate,
    wrong?.cases[index]?.passRate ?? -1,
  ]);
}

test("the perfect model passes every case that states what it expects, the wrong one none", async () => {
  const found = await rates(defineEval({ agent: triage, cases }));
  expect(found).toEqual(cases.map(({ input }) => [input, 1, 0]));
});

describe("a case may bring models of its own", () => {
  test("for what the case does not determine", async () => {
    const asks = (text: string) => (): ScriptedModel => new ScriptedModel([text]);
    const evaluation = defineEval({
      agent: triage,
      cases: [
        {
          input: "Refund it",
          state: [],
          scorers: [
            function asks({ text }) {
              return text.endsWith("?");
            },
          ],
          perfect: asks("Which one?"),
          wrong: asks("Done."),
        },
      ],
      state: () => [],
    });
    expect(await rates(evaluation)).toEqual([["Refund it", 1, 0]]);
  });
});

test("required arguments that a case leaves open are made up to fit the tool", async () => {
  const input = {
    type: "object",
    properties: {
      kind: { enum: ["large", "small"] },
      count: { type: "integer", minimum: 3 },
      price: { type: "number", exclusiveMinimum: 2.5 },
      day: { type: "string", format: "date" },
      name: { type: "string", minLength: 6 },
      list: { type: "array", items: { type: "boolean" }, minItems: 2 },
      pair: { type: "array", prefixItems: [{ type: "string" }, { const: 5 }] },
      node: { $ref: "#/$defs/node" },
      either: { anyOf: [{ type: "null" }, { type: "string" }] },
      note: { type: "string" },
    },
    required: ["kind", "count", "price", "day", "name", "list", "pair", "node", "either"],
    $defs: { node: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } },
  };
  const agent = new Agent({ name: "Orders", tools: [tool({ name: "order", input, execute: () => "ok" })] });
  const evaluation = defineEval({ agent, cases: [{ input: "Order", calls: ["order"] }] });
  const { cases: found } = await runEval(evaluation, { model: perfectModel });
  expect(found[0]?.runs[0]?.calls).toEqual([
    {
      tool: "order",
      agent: "Orders",
      outcome: "success",
      arguments: {
        kind: "large",
        count: 3,
        price: 3,
        day: "2026-01-01",
        name: "text..",
        list: [false, false],
        pair: ["text", 5],
        node: { id: 1 },
        either: null,
      },
    },
  ]);
});

test.each([
  [
    "an object",
    {
      type: "object",
      properties: { total: { type: "number" }, by: { type: "string" } },
      required: ["total", "by"],
    },
    { total: 5 },
  ],
  ["a list", { type: "array", items: { type: "string" } }, ["a", "b"]],
  ["a number", { type: "number" }, 7],
])("produces an expected and an unexpected typed output that is %s", async (_, output, expected) => {
  const agent = new Agent({ name: "Typed", output });
  expect(await rates(defineEval({ agent, cases: [{ input: "Go", output: expected }] }))).toEqual([
    ["Go", 1, 0],
  ]);
});

describe("a case with more calls than model calls are allowed", () => {
  const refunds = Array.from({ length: 25 }, (_, order) => ({ tool: "refund", arguments: { order } }));

  test.each<readonly [string, EvalCase, EvalRunOptions]>([
    ["in order", { input: "Refund all", calls: refunds }, {}],
    ["in any order", { input: "Refund all", calls: { anyOrder: refunds } }, {}],
    ["among others", { input: "Refund all", calls: { include: refunds } }, {}],
    [
      "of several agents",
      { input: "Refund all, then look", calls: [...refunds, "lookUp"], agent: "Triage" },
      {},
    ],
    ["with a lower limit", { input: "Refund three", calls: refunds.slice(0, 3) }, { maxTurns: 3 }],
  ])("is passed: %s", async (_, evalCase, options) => {
    const { triage, shop } = shopTeam();
    const { cases: found } = await runEval(defineEval({ agent: triage, cases: [evalCase], run: options }), {
      model: perfectModel,
    });
    expect(found[0]?.runs[0]).toMatchObject({ pass: true, status: "completed" });
    expect(shop.refunded).toEqual(
      refunds.slice(0, shop.refunded.length).map(({ arguments: { order } }) => order),
    );
  });

  test("is passed with one call for each answer where that is enough, since calls may depend on each other", async () => {
    const evaluation = defineEval({
      agent: triage,
      cases: [{ input: "Refund", calls: refunds.slice(0, 5) }],
    });
    const { cases: found } = await runEval(evaluation, { model: perfectModel });
    expect(found[0]?.runs[0]).toMatchObject({ pass: true, turns: 7 });
  });
});

test("an unknown tool is missing, with the reason in the answer", async () => {
  const evaluation = defineEval({ agent: triage, cases: [{ input: "Dance", calls: ["dance"] }] });
  const { cases: found } = await runEval(evaluation, { model: perfectModel });
  expect(found[0]?.runs[0]).toMatchObject({
    pass: false,
    text: "No agent that can be reached has the tool dance.",
  });
});

test("judges and users with a goal have stand-ins, too", async () => {
  const evaluation = defineEval({
    agent: triage,
    cases: [
      { input: "Hello", rubric: "It is polite." },
      { input: "Hello", scorers: [means("Good day", { votes: 3 })] },
      { user: { goal: "Know what there is to buy." } },
    ],
  });
  const [perfect, wrong] = await Promise.all(
    [perfectJudge(), wrongJudge()].map((judge) => runEval(evaluation, { model: perfectModel, judge })),
  );
  expect(perfect?.summary).toMatchObject({ passed: 3, errors: 0 });
  expect(wrong?.summary).toMatchObject({ passed: 0, errors: 0 });
  expect(perfect?.cases[2]?.runs[0]?.messages[0]).toMatchObject({
    role: "user",
    content: expect.stringContaining("Know what there is to buy."),
  });
});
