import { access, constants, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorMessage } from "../../base/util/error-message.ts";
import { ConfigurationError } from "../../errors.ts";
import { baselineOf, compareResults } from "../../evals/compare-results.ts";
import type { Evaluation } from "../../evals/define-eval.ts";
import type { EvalResult } from "../../evals/results.ts";
import { runEval } from "../../evals/run-eval.ts";
import { costOf } from "../../providers/wrappers/cost.ts";
import { screenOn } from "../text.ts";
import { loadEvaluations } from "./load-evaluations.ts";
import { judgeChoice, type ModelChoice, modelChoices, withOwnModel } from "./model-choice.ts";
import { progressOn } from "./progress.ts";
import { type Compared, isBroken, printReport, printUncompared } from "./report.ts";
import { reportPage } from "./report-page.ts";
import { readResults } from "./result-files.ts";

/** The options of `skein eval`. */
export interface EvalFlags {
  /** Names of models, files that export one, `perfect` and `wrong`. */
  readonly model: readonly string[];
  readonly runs?: number;
  readonly concurrency?: number;
  readonly judge?: string;
  /** Files to write results to, and to compare with. */
  readonly json?: string;
  readonly html?: string;
  readonly baseline?: string;
  /** The least pass rate, from 0 to 1. */
  readonly threshold?: number;
}

/**
 * Runs the evaluations that files export, each with each model, and prints a table.
 * @returns whether all reached the threshold; without one, whether all came to their end, and each has a run that did not throw.
 * @throws ConfigurationError for a file without an evaluation, an unknown model, a baseline that cannot be read, and a folder that cannot be
 *   written to.
 */
export async function evalCommand(files: readonly string[], flags: EvalFlags): Promise<boolean> {
  await assertWritable("--json", flags.json);
  await assertWritable("--html", flags.html);
  const earlier = flags.baseline === undefined ? [] : await readResults(flags.baseline);
  const evaluations = await loadEvaluations(files);
  const choices = await modelChoices(flags.model);
  const judge = flags.judge === undefined ? undefined : await judgeChoice(flags.judge);
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once("SIGINT", onInterrupt);
  const results: EvalResult[] = [];
  for (const evaluation of evaluations) {
    for (const choice of choices) {
      if (stop.signal.aborted) break;
      results.push(await evaluate(evaluation, { ...choice, ...(judge && { judge }) }, flags, stop.signal));
    }
  }
  process.removeListener("SIGINT", onInterrupt);
  const compared = results.map((result): Compared => {
    const before = baselineOf(result, earlier);
    return { result, ...(before && { comparison: compareResults(result, before) }) };
  });
  const screen = screenOn(process.stdout);
  printReport(compared, screen);
  if (flags.baseline !== undefined) printUncompared(compared, earlier, screen);
  await writeResults(compared, flags);
  const least = flags.threshold ?? 0;
  return compared.every(
    ({ result, comparison }) =>
      !result.aborted &&
      !isBroken(result) &&
      result.summary.passRate >= least &&
      !comparison?.changed.some(({ isRegression }) => isRegression),
  );
}

/** Before anything is run, and paid for. @throws ConfigurationError (`invalid-option`) */
async function assertWritable(option: string, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const folder = dirname(resolve(file));
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new ConfigurationError(
      `${option} ${file} cannot be written: ${errorMessage(error)}. Create the folder ${folder} first.`,
      { code: "invalid-option", data: { option } },
    );
  }
}

/** Runs one evaluation with one model, and shows how far it has come. */
async function evaluate(
  evaluation: Evaluation,
  { label, model, judge }: ModelChoice,
  { runs, concurrency }: EvalFlags,
  signal: AbortSignal,
): Promise<EvalResult> {
  const progress = progressOn(process.stderr);
  const result = await runEval(model ? evaluation : await withOwnModel(evaluation), {
    ...(model && { model }),
    ...(judge && { judge }),
    ...(runs && { runs }),
    ...(concurrency && { concurrency }),
    signal,
    onProgress: progress.show,
    costOf,
  });
  progress.clear();
  return labelled(result, label);
}

/** Under the requested name: a file's model may call itself anything. */
function labelled(result: EvalResult, label: ModelChoice["label"]): EvalResult {
  return label === undefined ? result : { ...result, model: label };
}

async function writeResults(compared: readonly Compared[], { json, html }: EvalFlags): Promise<void> {
  if (json !== undefined) {
    const results = compared.map(({ result }) => result);
    await writeFile(json, `${JSON.stringify({ version: 1, results }, undefined, 2)}\n`);
  }
  if (html !== undefined) await writeFile(html, reportPage(compared));
}
