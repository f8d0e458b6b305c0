import type { Message, ToolOutcome, Usage } from "../message/messages.ts";
import type { RunStatus } from "../message/run-state.ts";
import type { JsonValue } from "../base/util/json.ts";
import type { GoalOutcome } from "./types.ts";

/** What came of an evaluation with one model. Plain JSON. */
export interface EvalResult {
  readonly version: 1;
  readonly name: string;
  /** Such as `"openai:gpt-5.2"`; absent if no answer says. */
  readonly model?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** How often each case was to be run. */
  readonly runs: number;
  /** Set where a signal ended it: cases or runs are missing. */
  readonly aborted?: true;
  readonly summary: EvalSummary;
  readonly cases: readonly CaseResult[];
  /** What went wrong beside the cases, one sentence each. */
  readonly warnings: readonly string[];
}

/** An evaluation in figures. */
export interface EvalSummary {
  readonly cases: number;
  readonly runs: number;
  /** Runs in which every scorer passed. */
  readonly passed: number;
  /** Runs that failed with an error. */
  readonly errors: number;
  /** The mean of the cases' pass rates. */
  readonly passRate: number;
  /** Where the true rate may well be (95%). The cases are what is independent: runs of one case make it no narrower. */
  readonly interval: readonly [low: number, high: number];
  /** pass^1, pass^2 and so on: how likely it is that k runs of a case all pass. */
  readonly passHat: readonly number[];
  /** By the scorers' names. */
  readonly scorers: Readonly<Record<string, ScorerSummary>>;
  readonly usage: Usage;
  /** Of all runs together; absent if it is not known. */
  readonly cost?: number;
  /** How long a run took, in milliseconds. */
  readonly latency?: { readonly median: number; readonly p95: number };
}

/** What one scorer found over all runs. */
export interface ScorerSummary {
  readonly scored: number;
  readonly passed: number;
  readonly mean: number;
}

/** What came of one case. */
export interface CaseResult {
  readonly name: string;
  readonly input: string;
  readonly tags?: readonly string[];
  readonly passed: number;
  readonly passRate: number;
  readonly interval: readonly [low: number, high: number];
  readonly runs: readonly RunRecord[];
}

/** What a scorer said of one run. */
export interface ScoreRecord {
  readonly scorer: string;
  readonly score: number;
  readonly pass: boolean;
  readonly reason?: string;
}

/** One run of one case. */
export interface RunRecord {
  /** Counted from 0. */
  readonly run: number;
  /** Whether all scorers passed. */
  readonly pass: boolean;
  /** The mean of the scores. */
  readonly score: number;
  readonly scores: readonly ScoreRecord[];
  /** What was thrown, where the run could not be scored. */
  readonly error?: { readonly message: string; readonly code?: string };
  readonly status?: RunStatus;
  readonly text: string;
  readonly output?: JsonValue;
  readonly agent?: string;
  readonly calls: readonly CallRecord[];
  readonly messages: readonly Message[];
  readonly turns: number;
  readonly usage: Usage;
  readonly cost?: number;
  readonly durationMs: number;
  readonly state?: { readonly before: JsonValue; readonly after: JsonValue };
  readonly goal?: GoalOutcome;
}

/** A call in a report. */
export interface CallRecord {
  readonly tool: string;
  readonly arguments: JsonValue;
  readonly agent?: string;
  readonly outcome?: ToolOutcome;
}
