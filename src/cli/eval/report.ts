import type { CaseChange, Comparison } from "../../evals/compare-results.ts";
import type { CaseResult, EvalResult } from "../../evals/results.ts";
import { printable, type Screen, shorten } from "../text.ts";

/** A result, and what differs from an earlier one. */
export interface Compared {
  readonly result: EvalResult;
  readonly comparison?: Comparison;
}

/** The most cases of one evaluation that are listed as failed, and as changed. */
const mostListed = 20;

const headings = ["evaluation", "model", "passed", "rate", "95%", "pass^k", "turns", "median", "cost"];

/** Prints a table with a row for each evaluation and model, then what failed, then what differs from the baseline. */
export function printReport(compared: readonly Compared[], screen: Screen): void {
  const rows = compared.map(({ result }) => rowOf(result));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  screen.write(`${screen.paint("bold", line(headings))}\n${rows.map((row) => `${line(row)}\n`).join("")}`);
  for (const { result, comparison } of compared) {
    printFailures(result, screen);
    if (comparison) printComparison(result, comparison, screen);
    printErrors(result, screen);
    for (const warning of result.warnings) screen.write(`! ${printable(warning)}\n`);
  }
}

/** Whether every run threw: the pass rate says nothing of the agent. */
export function isBroken({ summary: { runs, errors } }: EvalResult): boolean {
  return runs > 0 && errors === runs;
}

function printErrors(result: EvalResult, screen: Screen): void {
  const { errors, runs } = result.summary;
  if (errors === 0) return;
  const what = isBroken(result)
    ? "every run failed with an error, so nothing was evaluated"
    : `${errors} of ${runs} runs failed with an error`;
  screen.write(`! ${titleOf(result)}: ${what}\n`);
}

/** A share in percent, without a fraction that says nothing. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}

/** Milliseconds, readable. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Money, readable; empty where it is not known, and for stand-ins, which cost none. */
export function money(amount: number | undefined): string {
  return !amount ? "" : `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}

function rowOf({ name, model = "", summary, cases, aborted }: EvalResult): readonly string[] {
  const { passed, runs, passRate, interval, passHat, latency, cost } = summary;
  const turns = cases.flatMap((each) => each.runs).reduce((sum, each) => sum + each.turns, 0);
  const last = passHat.at(-1);
  return [
    `${shorten(name, 40)}${aborted ? " (aborted)" : ""}`,
    shorten(model, 40),
    `${passed}/${runs}`,
    percent(passRate),
    interval.map(percent).join("–"),
    passHat.length > 1 && last !== undefined ? `${percent(last)} (k=${passHat.length})` : "",
    runs === 0 ? "" : (turns / runs).toFixed(1),
    latency ? duration(latency.median) : "",
    money(cost),
  ];
}

function printFailures(result: EvalResult, screen: Screen): void {
  const failed = result.cases.filter(({ passRate }) => passRate < 1);
  if (failed.length === 0) return;
  screen.write(
    `\n${screen.paint("bold", titleOf(result))}: ${failed.length} of ${result.cases.length} cases failed\n`,
  );
  for (const each of failed.slice(0, mostListed)) {
    const rate = each.runs.length > 1 ? ` (${each.passed}/${each.runs.length})` : "";
    const text = shorten(`${each.name}${rate} - ${whyFailed(each)}`, Math.max(screen.columns - 4, 160));
    screen.write(`  ${screen.paint("red", "✗")} ${text}\n`);
  }
  if (failed.length > mostListed) screen.write(`  … and ${failed.length - mostListed} more\n`);
}

function whyFailed({ runs }: CaseResult): string {
  const failed = runs.find(({ pass }) => !pass);
  if (failed?.error) return `error: ${failed.error.message}`;
  const wrong = failed?.scores.filter(({ pass }) => !pass) ?? [];
  return wrong
    .map(({ scorer, reason }) => `${scorer}${reason === undefined ? "" : `: ${reason}`}`)
    .join("; ");
}

function printComparison(result: EvalResult, comparison: Comparison, screen: Screen): void {
  const { passRate, changed, added, removed, model } = comparison;
  const other = model === result.model || model === undefined ? "" : ` of ${shorten(model, 40)}`;
  screen.write(
    `\n${screen.paint("bold", titleOf(result))}: ${percent(passRate.before)} → ${percent(passRate.after)} since the baseline${other}\n`,
  );
  for (const change of changed.slice(0, mostListed)) screen.write(`  ${changeLine(change, screen)}\n`);
  if (changed.length > mostListed) screen.write(`  … and ${changed.length - mostListed} more\n`);
  if (added.length > 0)
    screen.write(`  ${added.length} new: ${shorten(added.join(", "), screen.columns - 12)}\n`);
  if (removed.length > 0)
    screen.write(`  ${removed.length} gone: ${shorten(removed.join(", "), screen.columns - 12)}\n`);
}

/** Says what could not be compared: new evaluations, and those that only the baseline has, such as renamed ones. */
export function printUncompared(
  compared: readonly Compared[],
  earlier: readonly EvalResult[],
  screen: Screen,
): void {
  for (const { result, comparison } of compared) {
    if (comparison) continue;
    const others = earlier.filter(({ name }) => name === result.name).map(({ model }) => model ?? "no name");
    const what =
      others.length > 0 ? `only results of other models (${others.join(", ")})` : "no such evaluation";
    screen.write(`! ${titleOf(result)}: not compared, the baseline has ${shorten(what, screen.columns)}\n`);
  }
  const names = new Set(compared.map(({ result }) => result.name));
  const removed = new Set(earlier.map(({ name }) => name).filter((name) => !names.has(name)));
  if (removed.size > 0)
    screen.write(`! only the baseline has ${shorten([...removed].join(", "), screen.columns)}\n`);
}

/** What got worse by no more than chance explains has another mark: the command does not fail for it. */
function changeLine({ name, before, after, isRegression }: CaseChange, screen: Screen): string {
  const worse = isRegression ? screen.paint("red", "▼") : "▽";
  const mark = after < before ? worse : screen.paint("green", "▲");
  return `${mark} ${percent(before)} → ${percent(after)}  ${shorten(name, screen.columns - 24)}`;
}

function titleOf({ name, model }: EvalResult): string {
  return shorten(model === undefined ? name : `${name}, ${model}`, 80);
}
