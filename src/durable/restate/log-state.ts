import type { SessionEntry } from "../../run/session/session.ts";
import { addedRun } from "../changed-run.ts";
import type { EventGroup, NewRun, RunChange, RunWrite } from "../store.ts";
import type { StoredRun } from "../stored-run.ts";

/** A run as its log has it in Restate. */
export interface RunRecord extends StoredRun {
  /** Which run of its log it is, from 1 on. */
  readonly number: number;
  /** Which request to execute it counts: each makes those before it void. */
  readonly ticket: number;
  /** Where its groups of events begin and end. */
  readonly firstGroup: number;
  readonly nextGroup: number;
}

/** What a log knows of itself. Its newest entries are here, so that a write has one value to read; the others are in chunks. */
export interface LogHead {
  /** The number of the last entry. */
  readonly last: number;
  readonly chunks: number;
  readonly tail: readonly SessionEntry[];
  /** How many characters the tail has. */
  readonly size: number;
  /** How many runs were added. */
  readonly runs: number;
  /** Those that have not ended, in order. */
  readonly lane: readonly { readonly id: string; readonly number: number }[];
}

/** The head of a log that nothing is in yet. */
export const emptyHead: LogHead = { last: 0, chunks: 0, tail: [], size: 0, runs: 0, lane: [] };

/** How many characters of entries a chunk has, about. */
export const chunkSize = 32_768;

/** How many characters one answer has, about: a message of Restate has 32 MiB at most. */
export const pageSize = 4_194_304;

/** The names of the state of a log. `log` is set in the own log of a run alone: it names the log that the run is in. */
export const keys = {
  head: "head",
  log: "log",
  run: (id: string): string => `run/${id}`,
  chunk: (number: number): string => `entries/${number}`,
  group: (run: string, number: number): string => `events/${run}/${number}`,
} as const;

/** What is asked of a log. Times are the sender's: a handler that is repeated must find the same. */
export interface LogRequests {
  readonly create: { readonly run: NewRun; readonly now: number };
  readonly claim: {
    readonly id: string;
    readonly owner: string;
    readonly build: string;
    readonly now: number;
    /** The request to execute it that this is for; any if left out. */
    readonly ticket?: number;
  };
  readonly commit: {
    readonly id: string;
    readonly owner: string;
    readonly write: RunWrite;
    readonly now: number;
  };
  readonly update: {
    readonly id: string;
    readonly revision: number;
    readonly change: RunChange;
    readonly now: number;
  };
  readonly read: { readonly id: string };
  readonly load: { readonly from: number };
  readonly events: { readonly id: string; readonly after: number; readonly limit: number };
  readonly lane: Readonly<Record<string, never>>;
}

/** What a log answers. Refusals are values: an error would be tried again. */
export interface LogAnswers {
  readonly create: { readonly run: StoredRun; readonly isNew: boolean };
  readonly claim: { readonly run?: StoredRun };
  readonly commit:
    | { readonly isWritten: boolean }
    | { readonly refused: "lease-lost" }
    | {
        readonly refused: "session-conflict";
        readonly sequence: number;
        readonly cause: "changed" | "cleared" | "shortened";
      };
  readonly update: { readonly run?: StoredRun };
  /** `log` is set where the run is in another one. */
  readonly read: { readonly run?: StoredRun; readonly log?: string };
  /** `next` is set where there is more. */
  readonly load: { readonly entries: readonly SessionEntry[]; readonly next?: number };
  readonly events: { readonly groups: readonly EventGroup[]; readonly isLast: boolean };
  readonly lane: { readonly runs: readonly StoredRun[] };
}

/** What is asked of the object that executes a run. */
export interface ExecuteRequest {
  readonly log: string;
  readonly ticket: number;
  /** In how many processes there was no place for it. */
  readonly tries?: number;
}

/** A run without what is its log's own business. */
export function storedRunOf({
  number: _number,
  ticket: _ticket,
  firstGroup: _first,
  nextGroup: _next,
  ...run
}: RunRecord): StoredRun {
  return run;
}

/** A run that has just been added. */
export function newRecord(run: NewRun, log: string, number: number, now: number): RunRecord {
  return { ...addedRun({ ...run, log }, now), number, ticket: 0, firstGroup: 0, nextGroup: 0 };
}
