import type { Agent } from "../agent/agent.ts";
import type { FinishReason, Message, Usage } from "../message/messages.ts";
import type { Blocked, PendingCall, RunState, RunStatus } from "../message/run-state.ts";
import type { ModelCall } from "../model/model-call.ts";
import type { ToolReport } from "../tool/statistics.ts";

/** What a run returns: `status` says which kind it is. */
export type RunResult<C = unknown, O = unknown> = PausedRun<C, O> | BlockedRun<C, O> | EndedRun<C, O>;

/** A run whose calls wait for a decision, or for results that come from elsewhere. */
export interface PausedRun<C = unknown, O = unknown> extends RunReport<C, O> {
  readonly status: "paused";
  readonly blocked?: undefined;
  /** Calls that were not executed; those that a person has to decide on have an `approvalId`. */
  readonly pending: readonly [PendingCall, ...PendingCall[]];
}

/** A run that a guard stopped. Its `text` is what the guard has for the user; empty where that is nothing. */
export interface BlockedRun<C = unknown, O = unknown> extends RunReport<C, O> {
  readonly status: "blocked";
  readonly blocked: Blocked;
  /** Every call has its result. */
  readonly pending: readonly [];
}

/** A run that has ended: completed, cancelled or at a limit. */
export interface EndedRun<C = unknown, O = unknown> extends RunReport<C, O> {
  readonly status: Exclude<RunStatus, "paused" | "blocked">;
  readonly blocked?: undefined;
  /** Every call has its result. */
  readonly pending: readonly [];
}

/** The fields of every result. */
export interface RunReport<C = unknown, O = unknown> {
  /** Why the last model call stopped. */
  readonly finishReason: FinishReason;
  readonly rawFinishReason: string | undefined;
  /** The last answer's text. */
  readonly text: string;
  /** The parsed and validated answer; `undefined` without an `output` schema, or if the run ended before such an answer. */
  readonly output: O | undefined;
  /** The messages that this run added. */
  readonly messages: readonly Message[];
  /** The agent that was active at the end. */
  readonly agent: Agent<C>;
  readonly context: C;
  /** Tokens of this run alone. */
  readonly usage: Usage;
  /** Turns of this run alone. A turn has one model call, unless a middleware makes more or none. */
  readonly turns: number;
  /**
   * Every answer of a model in this run, including discarded ones, those that broke off (their usage is not known) and those of agents called as tools: `costOf(result)` of
   * `skein/models` adds their cost up.
   */
  readonly modelCalls: readonly ModelCall[];
  /** What the agents did that tools of this run ran, in the order in which they ended; the first hundred. Not in the state. */
  readonly agentRuns: readonly AgentRun[];
  readonly stats: RunStats;
  /** Problems that did not end the run, one sentence each; the first hundred. */
  readonly warnings: readonly string[];
  /** Pass it to `run` to continue. */
  readonly state: RunState<C>;
}

/** A run of an agent within another run. */
export interface AgentRun {
  /** The name of the agent that was called. */
  readonly agent: string;
  /** The call whose tool ran the agent. */
  readonly parentToolCallId: string;
  readonly runId: string;
  readonly status: RunStatus | "failed";
  /** The messages that the run added. */
  readonly messages: readonly Message[];
  /** Tokens of this run alone, without the agents within it. */
  readonly usage: Usage;
  readonly turns: number;
  /** Runs of agents within this one. */
  readonly agentRuns: readonly AgentRun[];
}

/** Where a run's time went. */
export interface RunStats {
  readonly totalMs: number;
  /** Time spent waiting for models. */
  readonly modelMs: number;
  /** Time spent in batches of tool calls. */
  readonly toolMs: number;
  readonly toolCalls: number;
  /** Calls whose result is an error. */
  readonly toolErrors: number;
  /** Outcomes of the calls of each tool, including calls made by other tools. */
  readonly tools: ToolReport;
  /** Calls answered with the result of an equal one. */
  readonly cacheHits: number;
  /** Share of this run's input tokens that providers read from their caches, 0 to 1; `undefined` if none was reported. */
  readonly cachedInputShare: number | undefined;
}
