import type { Evaluation } from "../../evals/define-eval.ts";
import type { EvalResult } from "../../evals/results.ts";

/** Where evaluations and their results come from. */
export interface EvalsSource {
  /** The evaluations of the program, as they are loaded now. */
  readonly evaluations: () => readonly Evaluation[];
  /**
   * Reads the results, as they are now.
   * @throws ConfigurationError for a file that has none.
   */
  readonly read: () => Promise<EvalFiles>;
  /** Runs an evaluation of one case, with the model of its agent. */
  readonly run: (evaluation: Evaluation, signal: AbortSignal) => Promise<EvalResult>;
}

/** The results of the last evaluations, and those that they are compared with. */
export interface EvalFiles {
  readonly results: readonly EvalResult[];
  readonly baseline: readonly EvalResult[];
}
