import { addUsage, noUsage } from "../message/usage.ts";
import type { CaseResult, EvalSummary, RunRecord, ScorerSummary } from "./results.ts";
import { passHat, quantile, wilsonInterval } from "./statistics.ts";

/** A case's runs in figures. */
export function caseFigures(
  runs: readonly RunRecord[],
): Pick<CaseResult, "passed" | "passRate" | "interval"> {
  const passed = runs.filter(({ pass }) => pass).length;
  return {
    passed,
    passRate: passed / Math.max(1, runs.length),
    interval: wilsonInterval(passed, runs.length),
  };
}

/** All cases in figures; those without a run do not count. */
export function summarize(all: readonly CaseResult[]): EvalSummary {
  const cases = all.filter(({ runs }) => runs.length > 0);
  const runs = cases.flatMap((each) => each.runs);
  const rates = cases.reduce((sum, { passRate }) => sum + passRate, 0);
  const times = runs.flatMap(({ durationMs, error }) => (error ? [] : [durationMs]));
  const [median, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  const cost = totalCost(runs);
  const [only] = cases;
  return {
    cases: cases.length,
    runs: runs.length,
    passed: cases.reduce((sum, { passed }) => sum + passed, 0),
    errors: runs.filter(({ error }) => error).length,
    passRate: rates / Math.max(1, cases.length),
    interval: cases.length === 1 && only ? only.interval : wilsonInterval(rates, cases.length),
    passHat: passHats(cases),
    scorers: scorerSummaries(runs),
    usage: runs.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
    ...(cost !== undefined && { cost }),
    ...(median !== undefined && p95 !== undefined && { latency: { median, p95 } }),
  };
}

/** For as many runs as every case has. */
function passHats(cases: readonly CaseResult[]): readonly number[] {
  const most = cases.reduce(
    (least, { runs }) => Math.min(least, runs.length),
    cases.length > 0 ? Infinity : 0,
  );
  return Array.from({ length: most }, (_, index) => {
    const sum = cases.reduce(
      (all, { passed, runs }) => all + (passHat(index + 1, passed, runs.length) ?? 0),
      0,
    );
    return sum / cases.length;
  });
}

function scorerSummaries(runs: readonly RunRecord[]): Readonly<Record<string, ScorerSummary>> {
  const groups = Map.groupBy(
    runs.flatMap(({ scores }) => scores),
    ({ scorer }) => scorer,
  );
  return Object.fromEntries(
    [...groups].map(([name, scores]) => [
      name,
      {
        scored: scores.length,
        passed: scores.filter(({ pass }) => pass).length,
        mean: scores.reduce((sum, { score }) => sum + score, 0) / scores.length,
      },
    ]),
  );
}

/** Never too little: unknown where one of them is. */
function totalCost(runs: readonly RunRecord[]): number | undefined {
  let total = 0;
  for (const { cost, error } of runs) {
    if (cost === undefined && error) continue;
    if (cost === undefined) return undefined;
    total += cost;
  }
  return runs.length === 0 ? undefined : total;
}
