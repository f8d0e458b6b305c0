/** A world as plain data, and what becomes of it. */
import type { RunOptions, RunState } from "skein";
import type { Goal } from "./plan.ts";
import type { Fault } from "./stores.ts";

/** A world: what its users want, and what happens to it. */
export interface Scenario {
  readonly goal: Goal;
  /** What the user says instead, at the pause `messageAt`. */
  readonly later: Goal;
  readonly keep: "state" | "session" | "journal" | "both";
  /** Where the session is. */
  readonly store: "memory" | "file" | "sqlite";
  /** A run waits until another one has left the session. */
  readonly waits: boolean;
  /** The most tokens of a request; 0 without compaction. */
  readonly compacts: number;
  /** The tools of agents are listed, or in a set: with another name and policy, or made for each turn. */
  readonly kit: "plain" | "prefixed" | "fresh";
  /** A middleware changes calls and results. */
  readonly changes: boolean;
  /** Several readers follow each run. */
  readonly reads: boolean;
  readonly isSigned: boolean;
  /** Resumes with the agent of the last result. */
  readonly follows: boolean;
  readonly rewrites: boolean;
  /** Decides on some of the calls at a time, in any order. */
  readonly decidesInParts: boolean;
  readonly faults: readonly Fault[];
  /** Cancels the run at these events, counted over all resumptions. */
  readonly cancels: readonly number[];
  /** Resumes twice at once after these pauses. */
  readonly twice: readonly number[];
  readonly messageAt?: number;
  /** Resumes without a decision at these pauses, and sends decisions again after these. */
  readonly idles: readonly number[];
  /** After a death, the user begins with another goal. */
  readonly movesOn: boolean;
  /** Calls are named by their places in an answer, as several agents' calls are. */
  readonly hasShortIds: boolean;
  readonly concurrency: number;
  /** For the small choices of the driver. */
  readonly seed: number;
}

/** What a run is started with. */
export interface Step {
  readonly input: string | RunState | readonly [] | RunState["messages"];
  readonly options: Pick<RunOptions, "approvals" | "results">;
}

export interface Ending {
  readonly problems: readonly string[];
  readonly text: string;
  readonly context: string;
  readonly effects: readonly string[];
  readonly contexts: readonly string[];
  readonly pauses: number;
  readonly disturbances: number;
}
