import { describe, expect, test } from "vitest";
import { defineEval } from "./define-eval.ts";
import { runEval } from "./run-eval.ts";
import { perfectModel } from "./stand-ins/perfect-model.ts";
import { wrongModel } from "./stand-ins/wrong-model.ts";
import type { EvalCase } from "./types.ts";
import { shopTeam } from "./test-shop.ts";

const { triage } = shopTeam();

const cases: readonly EvalCase[] = [
  {
    input: "I want my money back for order 7",
    calls: [{ tool: "refund", arguments: { order: 7 } }],
    agent: "Refunds",
  },
  { input: "Hello", calls: [], agent: "Triage", text: "hello" },
  { input: "What do you sell?", calls: ["listItems"], agent: "Sales", text: /scarf|boots/i },
  {
    input: "Refund order 7 and order 8",
    calls: {
      anyOrder: [
        { tool: "refund", arguments: { order: 8 } },
        { tool: "refund", arguments: { order: 7 } },
      ],
    },
  },
  { input: "How much did I pay?", calls: { include: ["lookUp"] }, never: ["refund"] },
];
const evaluation = defineEval({ name: "shop", agent: triage, cases });

describe("an evaluation", () => {
  test("is passed whole by the model that does what its cases state", async () => {
    const { summary, cases: found, model } = await runEval(evaluation, { model: perfectModel });
    expect(
      found.flatMap(({ runs }) => runs.flatMap(({ scores }) => scores.filter(({ pass }) => !pass))),
    ).toEqual([]);
    expect(summary).toMatchObject({ cases: 5, runs: 5, passed: 5, passRate: 1, errors: 0, passHat: [1] });
    expect(model).toBe("evals:perfect");
  });

  test("is failed whole by the model that does the opposite", async () => {
    const { summary } = await runEval(evaluation, { model: wrongModel });
    expect(summary).toMatchObject({ passed: 0, passRate: 0, errors: 0 });
  });
});
