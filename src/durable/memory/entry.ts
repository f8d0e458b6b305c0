import type { SessionEntry } from "../../run/session/session.ts";
import type { EventGroup } from "../store.ts";
import type { StoredRun } from "../stored-run.ts";
import type { Heap } from "./heap.ts";

/** A run in memory. */
export interface RunEntry {
  /** Which run of the store it is: those that were started later have higher ones. */
  readonly number: number;
  readonly conversation: Conversation;
  /** Frozen: a change puts another object in its place. */
  run: StoredRun;
  /** The runs that were started before and after it. */
  older: RunEntry | undefined;
  newer: RunEntry | undefined;
  /** Its events, in order, frozen. */
  readonly groups: EventGroup[];
  eventCount: number;
}

/** A conversation in memory: what runs of one log have in common. */
export interface Conversation {
  readonly log: string;
  /** Frozen ones, in order. */
  readonly entries: SessionEntry[];
  /** Those of its runs that the store has, in the order in which they were started. */
  readonly runs: Set<RunEntry>;
  /** Those that have not ended: the first may be claimed. */
  readonly open: Heap<RunEntry>;
}
