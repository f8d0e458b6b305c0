import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isEvaluation, perfectJudge, perfectModel, runEval, wrongJudge, wrongModel } from "skein/evals";
import { describe, expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../examples/", import.meta.url));
const examples = readdirSync(folder).filter((name) => existsSync(`${folder}${name}/evals.ts`));

/** Cases whose runs failed, with what was said of them. */
type Wrong = readonly [name: string, reason: string];

describe.each(examples)("the evaluation of %s", (name) => {
  const load = async () => {
    const module: Record<string, unknown> = await import(`../../examples/${name}/evals.ts`);
    return Object.values(module).filter(isEvaluation);
  };

  test("has at least 25 cases", async () => {
    const cases = (await load()).flatMap(({ cases }) => cases);
    expect(cases.length).toBeGreaterThanOrEqual(25);
  });

  test("a model that does it right passes every case, and one that does not passes none", async () => {
    for (const evaluation of await load()) {
      const right = await runEval(evaluation, { model: perfectModel, judge: perfectJudge() });
      const failures = right.cases.flatMap(({ name, runs }): Wrong[] =>
        runs.filter(({ pass }) => !pass).map((run) => [name, run.error?.message ?? reasonsOf(run.scores)]),
      );
      expect(failures).toEqual([]);
      const wrong = await runEval(evaluation, { model: wrongModel, judge: wrongJudge() });
      expect(wrong.cases.filter(({ passed }) => passed > 0).map(({ name }) => name)).toEqual([]);
    }
  }, 240_000);
});

function reasonsOf(
  scores: readonly { readonly pass: boolean; readonly scorer: string; readonly reason?: string }[],
) {
  return scores
    .flatMap(({ pass, scorer, reason }) => (pass ? [] : [`${scorer}: ${reason ?? ""}`]))
    .join("; ");
}
