import type { ScoreRecord } from "../../evals/results.ts";
import type { ToolOutcome } from "../../message/messages.ts";

/** Evaluations: what came of them when they were last run, and those that can be run. */
export interface EvalsView {
  /** Why the results cannot be read. */
  readonly problem?: string;
  readonly evals: readonly EvalView[];
}

/** An evaluation with one model. */
export interface EvalView {
  readonly name: string;
  readonly model?: string;
  /** Milliseconds since 1970; missing if there are no results. */
  readonly startedAt?: number;
  readonly isAborted?: true;
  /** Whether its definition is loaded, so that cases can be run again. */
  readonly isLoaded: boolean;
  readonly passed: number;
  readonly runs: number;
  /** From 0 to 1. */
  readonly passRate?: number;
  readonly interval?: readonly [low: number, high: number];
  readonly cost?: number;
  /** Of a run, in milliseconds. */
  readonly median?: number;
  /** What the results are compared with. */
  readonly baseline?: { readonly model?: string; readonly passRate: number; readonly startedAt: number };
  readonly cases: readonly EvalCaseLine[];
  /** Cases that only the baseline has. */
  readonly removed: readonly string[];
  readonly warnings: readonly string[];
}

/** A case in the list. */
export interface EvalCaseLine {
  readonly name: string;
  readonly passed: number;
  readonly runs: number;
  /** The pass rate of the baseline; missing for a case that it does not have. */
  readonly before?: number;
  /** Why its first failed run failed. */
  readonly why?: string;
}

/** A case: its runs in the results, those of the baseline, and those since. */
export interface EvalCaseView {
  readonly evaluation: string;
  readonly name: string;
  readonly input: string;
  readonly tags: readonly string[];
  readonly isLoaded: boolean;
  /** The newest first. */
  readonly tries: readonly EvalTry[];
}

/** A run of a case. */
export interface EvalTry {
  /** `again`: by the studio. */
  readonly of: "again" | "results" | "baseline";
  /** When it, or the evaluation that it is of, began. */
  readonly startedAt: number;
  readonly model?: string;
  /** Counted from 1, where the case was run several times. */
  readonly number?: number;
  readonly pass: boolean;
  readonly status?: string;
  readonly error?: string;
  readonly scores: readonly ScoreRecord[];
  readonly calls: readonly EvalCall[];
  readonly text: string;
  readonly turns: number;
  readonly tokens?: number;
  readonly cost?: number;
  readonly duration: number;
  /** The run that the studio has recorded. */
  readonly runId?: string;
}

/** A call of a run. */
export interface EvalCall {
  readonly toolName: string;
  /** As JSON. */
  readonly arguments: string;
  readonly outcome?: ToolOutcome;
}
