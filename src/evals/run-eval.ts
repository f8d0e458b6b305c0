import { notify } from "../base/util/callbacks.ts";
import { assertKnownOptions, invalidOption } from "../base/options/known-options.ts";
import type { Model } from "../model/types.ts";
import type { ModelCall } from "../model/model-call.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { mapLimit } from "../base/util/map-limit.ts";
import { type Evaluation, inputText, isEvaluation } from "./define-eval.ts";
import type { CaseResult, EvalResult, RunRecord } from "./results.ts";
import { type EvalModel, runOnce } from "./run-once.ts";
import { caseFigures, summarize } from "./summarize.ts";

/** How to run an evaluation. */
export interface RunEvalOptions {
  /** Overrides the agents' own: a `Model`, its name, or a function that returns one for each run, such as `perfectModel`. */
  readonly model?: EvalModel;
  /** Overrides the evaluation's own number of runs. */
  readonly runs?: number;
  /** Runs at once; 4 by default. The evaluation may allow fewer. */
  readonly concurrency?: number;
  /** Ends the evaluation early: the result contains the finished runs. */
  readonly signal?: AbortSignal;
  /** Called after each run. */
  readonly onProgress?: (progress: EvalProgress) => void;
  /** Overrides the evaluation's own judge. */
  readonly judge?: Model | string;
  /** What model calls cost: `costOf` of `skein/models`. Without it, results contain no cost. */
  readonly costOf?: (spent: { readonly modelCalls: readonly ModelCall[] }) => number | undefined;
}

const optionNames = {
  model: true,
  runs: true,
  concurrency: true,
  signal: true,
  onProgress: true,
  judge: true,
  costOf: true,
} satisfies Record<keyof RunEvalOptions, true>;

/** The progress of an evaluation. */
export interface EvalProgress {
  readonly evaluation: string;
  readonly case: string;
  /** The run that has just ended. */
  readonly record: RunRecord;
  readonly done: number;
  readonly total: number;
}

/**
 * Runs every case `runs` times, several at once, and scores each run. A run that throws fails with its error; the others
 * continue.
 * @throws ConfigurationError for invalid options.
 */
export async function runEval(evaluation: Evaluation, options: RunEvalOptions = {}): Promise<EvalResult> {
  assertOptions(evaluation, options);
  const { signal, onProgress, costOf } = options;
  const { runs = evaluation.runs ?? 1 } = options;
  const judge = options.judge ?? evaluation.judge;
  const startedAt = new Date();
  const clock = performance.now();
  const warnings: string[] = [];
  const names = new Set<string>();
  const records: RunRecord[][] = evaluation.cases.map(() => []);
  // Round by round, so that an evaluation that ends early has covered all cases.
  const jobs = Array.from({ length: runs }, (_, run) =>
    evaluation.cases.map((evalCase, index) => ({ evalCase, index, run })),
  ).flat();
  let done = 0;
  await mapLimit(jobs, concurrencyOf(evaluation, options), async ({ evalCase, index, run }) => {
    if (signal?.aborted) return;
    const { record, modelCalls } = await runOnce({
      evaluation,
      case: evalCase,
      run,
      model: options.model,
      tools: { judge, signal },
      costOf: costOf && ((calls) => costOf({ modelCalls: calls })),
    });
    // A run that the signal ended does not count for or against the agent.
    if (signal?.aborted) return;
    done += 1;
    for (const { provider, modelId } of modelCalls) names.add(`${provider}:${modelId}`);
    records[index]?.push(record);
    const progress = { evaluation: evaluation.name, case: evalCase.name, record, done, total: jobs.length };
    notify(
      () => onProgress?.(progress),
      (error) => warnings.push(`onProgress failed: ${errorMessage(error)}`),
    );
  });
  const cases = evaluation.cases.map((evalCase, index): CaseResult => {
    const sorted = (records[index] ?? []).toSorted((left, right) => left.run - right.run);
    const { name, tags } = evalCase;
    return { name, input: inputText(evalCase), ...(tags && { tags }), ...caseFigures(sorted), runs: sorted };
  });
  return {
    version: 1,
    name: evaluation.name,
    ...modelName(options.model, names),
    startedAt: startedAt.toISOString(),
    durationMs: performance.now() - clock,
    runs,
    ...(done < jobs.length && { aborted: true }),
    summary: summarize(cases),
    cases: cases.filter((each) => each.runs.length > 0),
    warnings,
  };
}

/** The requested model name; else all that have answered. */
function modelName(model: EvalModel | undefined, answered: ReadonlySet<string>): { readonly model?: string } {
  if (typeof model === "string") return { model };
  if (typeof model === "object") return { model: `${model.provider}:${model.modelId}` };
  return answered.size === 0 ? {} : { model: [...answered].sort().join(", ") };
}

/** Concurrent runs that share a state would interfere with each other. */
function concurrencyOf(evaluation: Evaluation, { concurrency = 4 }: RunEvalOptions): number {
  return Math.min(concurrency, evaluation.concurrency ?? (evaluation.state ? 1 : Number.POSITIVE_INFINITY));
}

function assertOptions(evaluation: Evaluation, options: RunEvalOptions): void {
  const { runs = 1, concurrency = 1 } = options;
  assertKnownOptions(options, optionNames, "runEval()");
  if (!isEvaluation(evaluation))
    throw invalidOption("runEval() takes an evaluation: runEval(defineEval({ ... })).", {
      option: "evaluation",
    });
  for (const [option, value] of Object.entries({ runs, concurrency })) {
    if (Number.isInteger(value) && value > 0) continue;
    throw invalidOption(`${option} of runEval() must be a whole number of at least 1, not ${value}.`, {
      option,
    });
  }
}
