import { compareResults } from "../../evals/compare-results.ts";
import type { Evaluation } from "../../evals/define-eval.ts";
import type { CaseResult, EvalResult, RunRecord } from "../../evals/results.ts";
import type { EvalCaseLine, EvalTry, EvalView } from "./views.ts";

/** The most characters of an answer that are shown. */
const longestText = 20_000;

/** The results of an evaluation, beside the baseline. */
export function describeEval(
  result: EvalResult,
  baseline: EvalResult | undefined,
  isLoaded: boolean,
): EvalView {
  const { name, model, startedAt, summary, cases, aborted, warnings } = result;
  const before = new Map(baseline?.cases.map((each) => [each.name, each.passRate]));
  return {
    name,
    ...(model !== undefined && { model }),
    startedAt: Date.parse(startedAt),
    ...(aborted && { isAborted: true }),
    isLoaded,
    passed: summary.passed,
    runs: summary.runs,
    passRate: summary.passRate,
    interval: summary.interval,
    ...(summary.cost !== undefined && { cost: summary.cost }),
    ...(summary.latency && { median: summary.latency.median }),
    ...(baseline && {
      baseline: {
        ...(baseline.model !== undefined && { model: baseline.model }),
        passRate: baseline.summary.passRate,
        startedAt: Date.parse(baseline.startedAt),
      },
    }),
    cases: cases.map((each) => lineOf(each, before.get(each.name))),
    removed: baseline ? compareResults(result, baseline).removed : [],
    warnings,
  };
}

/** An evaluation without results. */
export function outlineEval({ name, cases }: Pick<Evaluation, "name" | "cases">): EvalView {
  return {
    name,
    isLoaded: true,
    passed: 0,
    runs: 0,
    cases: cases.map((each) => ({ name: each.name, passed: 0, runs: 0 })),
    removed: [],
    warnings: [],
  };
}

function lineOf({ name, passed, runs }: CaseResult, before: number | undefined): EvalCaseLine {
  const failed = runs.find(({ pass }) => !pass);
  return {
    name,
    passed,
    runs: runs.length,
    ...(before !== undefined && { before }),
    ...(failed && { why: whyFailed(failed) }),
  };
}

function whyFailed({ error, scores }: RunRecord): string {
  if (error) return error.message;
  return scores
    .filter(({ pass }) => !pass)
    .map(({ scorer, reason }) => (reason === undefined ? scorer : `${scorer}: ${reason}`))
    .join("; ");
}

/** The runs of a case that a result has. */
export function describeTries(of: EvalTry["of"], result: EvalResult, name: string): readonly EvalTry[] {
  const runs = result.cases.find((each) => each.name === name)?.runs ?? [];
  return runs.map((record): EvalTry => {
    const { pass, status, error, scores, calls, text, turns, usage, cost, durationMs } = record;
    return {
      of,
      startedAt: Date.parse(result.startedAt),
      ...(result.model !== undefined && { model: result.model }),
      ...(runs.length > 1 && { number: record.run + 1 }),
      pass,
      ...(status !== undefined && { status }),
      ...(error && { error: error.message }),
      scores,
      calls: calls.map(({ tool, arguments: args, outcome }) => ({
        toolName: tool,
        arguments: JSON.stringify(args),
        ...(outcome && { outcome }),
      })),
      text: text.slice(0, longestText),
      turns,
      ...(usage.totalTokens !== undefined && { tokens: usage.totalTokens }),
      ...(cost !== undefined && { cost }),
      duration: durationMs,
    };
  });
}
