import { describeArgument } from "../base/options/known-options.ts";
import { isObject } from "../base/util/json.ts";
import { ConfigurationError } from "../errors.ts";
import type { CaseResult, EvalResult } from "./results.ts";

/** What differs between two results of one evaluation. */
export interface Comparison {
  /** Which model the earlier result is of. */
  readonly model?: string;
  readonly passRate: { readonly before: number; readonly after: number };
  /** The cases whose pass rate is another now, those that got worse first. */
  readonly changed: readonly CaseChange[];
  /** Cases that the earlier result does not have. */
  readonly added: readonly string[];
  /** Cases that only the earlier result has. */
  readonly removed: readonly string[];
}

/** A case whose pass rate is another now. */
export interface CaseChange {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /**
   * Whether it got worse by more than chance explains: the rate before is above the 95% confidence interval of now. A case that always passed
   * and fails once is one.
   */
  readonly isRegression: boolean;
}

/**
 * Compares a result with an earlier one, case by case: by their names.
 * @throws ConfigurationError (`invalid-option`) for what is not a result of `runEval()`.
 */
export function compareResults(result: EvalResult, earlier: EvalResult): Comparison {
  assertResult(result, "first");
  assertResult(earlier, "second");
  const before = new Map(earlier.cases.map((each) => [each.name, each] as const));
  const names = new Set(result.cases.map(({ name }) => name));
  const changed = result.cases.flatMap((each): CaseChange[] => {
    const other = before.get(each.name);
    return other && other.passRate !== each.passRate ? [changeOf(each, other.passRate)] : [];
  });
  return {
    ...(earlier.model !== undefined && { model: earlier.model }),
    passRate: { before: earlier.summary.passRate, after: result.summary.passRate },
    changed: changed.toSorted((left, right) => left.after - left.before - (right.after - right.before)),
    added: namesOf(result.cases).filter((name) => !before.has(name)),
    removed: namesOf(earlier.cases).filter((name) => !names.has(name)),
  };
}

function changeOf({ name, passRate, interval: [, high] }: CaseResult, before: number): CaseChange {
  return { name, before, after: passRate, isRegression: before > passRate && before > high };
}

function assertResult(value: unknown, position: string): void {
  if (isObject(value) && Array.isArray(value["cases"]) && isObject(value["summary"])) return;
  throw new ConfigurationError(
    `The ${position} argument of compareResults() must be a result of runEval(), not ${describeArgument(value)}.`,
    { code: "invalid-option" },
  );
}

/** The earlier result to compare with: of the same evaluation and model, else the only one of that evaluation. */
export function baselineOf(result: EvalResult, earlier: readonly EvalResult[]): EvalResult | undefined {
  const same = earlier.filter(({ name }) => name === result.name);
  return same.find(({ model }) => model === result.model) ?? (same.length === 1 ? same[0] : undefined);
}

function namesOf(cases: readonly CaseResult[]): readonly string[] {
  return cases.map(({ name }) => name);
}
