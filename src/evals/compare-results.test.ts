import { expect, test } from "vitest";
import { Agent } from "../agent/agent.ts";
import { FunctionModel } from "../testing/index.ts";
import { compareResults } from "./compare-results.ts";
import { defineEval } from "./define-eval.ts";
import { runEval } from "./run-eval.ts";

const agent = new Agent({ name: "Echo" });

test.each([
  [5, 5, 4, true],
  [5, 4, 3, false],
  [5, 4, 1, true],
  [100, 90, 80, true],
  [100, 90, 87, false],
])(
  "of %i runs of a case, %i that passed before and %i now: a regression, %s",
  async (runs, before, after, isRegression) => {
    const results = await Promise.all(
      [before, after].map(async (passing) => {
        let count = 0;
        const model = new FunctionModel(() => ((count += 1) <= passing ? "yes" : "no"));
        return runEval(defineEval({ agent, runs, cases: [{ input: "Well?", text: "yes" }] }), { model });
      }),
    );
    const [first, second] = results;
    expect(first && second && compareResults(second, first).changed).toMatchObject([{ isRegression }]);
  },
);
