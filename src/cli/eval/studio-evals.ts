import type { AnyAgent } from "../../agent/agent.ts";
import { asAgent } from "../../agent/handoff.ts";
import { type Evaluation, isEvaluation } from "../../evals/define-eval.ts";
import type { EvalResult } from "../../evals/results.ts";
import { runEval } from "../../evals/run-eval.ts";
import { costOf } from "../../providers/wrappers/cost.ts";
import type { EvalFiles, EvalsSource } from "../../studio/evals/evals-source.ts";
import { isAgent } from "../../tool/agent-like.ts";
import { withOwnModel } from "./model-choice.ts";
import { readResults } from "./result-files.ts";

/** The evaluations that the studio's file exports, and the files of results that were named. */
export class StudioEvals implements EvalsSource {
  readonly #results: readonly string[];
  readonly #baseline: string | undefined;
  #evaluations: readonly Evaluation[] = [];

  /** @param baseline - The file of earlier results. */
  constructor(results: readonly string[], baseline: string | undefined) {
    this.#results = results;
    this.#baseline = baseline;
  }

  /** Takes what a module exports, and returns the agents that its evaluations are about. */
  load(exports: Readonly<Record<string, unknown>>): readonly AnyAgent[] {
    this.#evaluations = [...new Set(Object.values(exports).flat().filter(isEvaluation))];
    return this.#evaluations.flatMap(agentOf);
  }

  readonly evaluations = (): readonly Evaluation[] => this.#evaluations;

  readonly read = async (): Promise<EvalFiles> => {
    const results = await Promise.all(this.#results.map((file) => readResults(file, `The file ${file}`)));
    return {
      results: results.flat(),
      baseline: this.#baseline === undefined ? [] : await readResults(this.#baseline),
    };
  };

  readonly run = async (evaluation: Evaluation, signal: AbortSignal): Promise<EvalResult> =>
    runEval(await withOwnModel(evaluation), { signal, costOf });
}

/** The agent of an evaluation; that of its first case, where each has its own. */
function agentOf({ agent, cases: [first] }: Evaluation): readonly AnyAgent[] {
  try {
    const subject = typeof agent === "function" ? first && agent(first) : agent;
    return isAgent(subject) ? [asAgent(subject)] : [];
  } catch {
    // Running a case says why.
    return [];
  }
}
