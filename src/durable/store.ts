import type { SessionEntry } from "../run/session/session.ts";
import type { ProcessMark } from "../run/session/process-mark.ts";
import type { StoredEvent } from "./stored-event.ts";
import type { DurableStatus, EventProgress, RunData, StoredRun } from "./stored-run.ts";

/**
 * Where durable runs are kept: `sqliteStore(file)`, or one of your own, which `checkStore` of `skein/testing/conformance` checks.
 * Each method does all that it says or nothing, and what it has done is on the disk when it returns.
 */
export interface DurableStore {
  /** Names the store within the process. */
  readonly key: string;
  /**
   * For how long events of a run are collected before they are written together, in milliseconds; 50 by default. 0 for a store in which a
   * write costs nothing: then for as long as the write before takes.
   */
  readonly eventDelay?: number;
  /** Adds runs. One whose id is there already is left as it is. Returns all of them, as they are then. */
  create(runs: readonly NewRun[]): Promise<readonly CreatedRun[]>;
  /** The run with an id; `undefined` if there is none. */
  read(id: string): Promise<StoredRun | undefined>;
  /** Runs, those that were started last first. */
  list(filter: RunFilter): Promise<readonly StoredRun[]>;
  /**
   * Gives runs that are due to an owner, until the lease ends. A run is not given out while an earlier one of its conversation has not
   * ended. Of those that are due, the ones with the highest priority, and of these the oldest.
   */
  claim(request: ClaimRequest): Promise<readonly StoredRun[]>;
  /**
   * Renews the leases of an owner, also those that have ended, where nobody else has the run.
   * @param ids - Of these runs alone: what an owner does not execute any more, another one is to have.
   * @returns what of them the owner still has.
   */
  renew(owner: string, lease: number, ids?: readonly string[]): Promise<readonly LeasedRun[]>;
  /** Changes a run that has this revision. Returns it as it is then; `undefined` if it has another revision. */
  update(id: string, revision: number, change: RunChange): Promise<StoredRun | undefined>;
  /**
   * Changes several runs, all of them or none. For stores that can: where it is left out, what concerns several runs is noted in one of them
   * first, and passed on from there.
   * @returns `false`, and changes nothing, where one of them has another revision.
   */
  updateAll?(updates: readonly RunUpdate[]): Promise<boolean>;
  /** The entries of a conversation, in order. */
  load(log: string): Promise<readonly SessionEntry[]>;
  /**
   * Adds entries and events of a run, and changes it.
   * @throws LeaseLostError if the owner has it no longer; SessionConflictError if the entries are not the next ones.
   */
  commit(lease: Lease, write: RunWrite): Promise<boolean>;
  /**
   * Adds events of a run at once, as `commit` does. For stores in which a write costs nothing: the promises of `commit` would be most of
   * what an event costs.
   * @throws LeaseLostError if the owner has it no longer.
   */
  append?(lease: Lease, events: EventWrite): void;
  /** Groups of events whose last index is higher than `after`, in order, at most `limit`. */
  events(id: string, after: number, limit: number): Promise<readonly EventGroup[]>;
  /** Deletes the events of runs that ended before. */
  prune(age: number): Promise<void>;
  /**
   * Calls a function soon after a run has changed, by this process or another, or has more events.
   * @param listener - Receives the run's id; `undefined` if it may be any.
   * @param scope - Which changes are wanted alone. A store may ignore it, and report others too.
   * @returns what ends that.
   */
  watch(listener: ChangeListener, scope?: WatchScope): () => void;
  /** Gives up what it has open. Using it again opens it again. */
  close(): Promise<void>;
}

/**
 * What learns that a run has changed.
 * @param added - All events that have been added to it since the listener was last called, where the store has them at hand: readers need
 * not read them then.
 */
export type ChangeListener = (id: string | undefined, added?: readonly EventGroup[]) => void;

/** Which changes are wanted. */
export interface WatchScope {
  /** Those of the run with this id alone. That it may be claimed, since an earlier one of its conversation has ended, is a change of it, too. */
  readonly id?: string;
  /** `false` where more events and entries of a run do not matter, unless the run has changed with them. */
  readonly events?: false;
}

/** A run that is to be added. */
export interface NewRun {
  readonly id: string;
  readonly log: string;
  readonly agent: string;
  readonly priority: number;
  /** When it is to begin; at once if left out, whatever becomes of the clock. */
  readonly at?: number;
  readonly data: RunData;
}

/** A run, and whether it was added just now. */
export interface CreatedRun {
  readonly run: StoredRun;
  readonly isNew: boolean;
}

/** Which runs to list. */
export interface RunFilter {
  readonly statuses?: readonly DurableStatus[];
  readonly agent?: string;
  readonly log?: string;
  /** What their ids begin with. */
  readonly idPrefix?: string;
  /** Those that were started before the run with this id. */
  readonly after?: string;
  readonly limit: number;
}

/** Who wants runs, and which. */
export interface ClaimRequest {
  readonly owner: string;
  /** Names the owner's process, so that others notice its end where they can. */
  readonly process?: ProcessMark;
  /** The names of the agents that the owner has. */
  readonly agents: readonly string[];
  /** Runs on which this build was stuck are not given to it again. */
  readonly build: string;
  /** How long the runs are the owner's unless it renews that, in milliseconds. */
  readonly lease: number;
  readonly limit: number;
  /** These runs alone. */
  readonly ids?: readonly string[];
  /** Not these, which the owner executes: where their leases have ended, such as while the machine slept, it renews them. */
  readonly except?: readonly string[] | undefined;
}

/** A run that an owner has. */
export interface LeasedRun {
  readonly id: string;
  /** Set if the run is to end. */
  readonly isCancelled: boolean;
}

/** Who writes: the owner of a run. */
export interface Lease {
  readonly id: string;
  readonly owner: string;
}

/** What an owner writes. */
export interface RunWrite {
  readonly log?: string;
  readonly entries?: readonly SessionEntry[];
  readonly events?: EventWrite;
  /** Where it has another revision than this, nothing is written, and `commit` returns `false`. */
  readonly revision?: number;
  readonly change?: RunChange;
}

/** Events that are to be added. */
export interface EventWrite {
  readonly groups: readonly EventGroup[];
  readonly progress: EventProgress;
  /** Events from this index on are deleted before. */
  readonly from?: number;
  /** Events before this index are deleted: there are too many. */
  readonly before?: number;
}

/** Events that were written together. */
export interface EventGroup {
  readonly first: number;
  readonly last: number;
  readonly events: readonly StoredEvent[];
}

/** A change of a run that has a revision. */
export interface RunUpdate {
  readonly id: string;
  readonly revision: number;
  readonly change: RunChange;
}

/** What changes of a run. What is left out stays. */
export interface RunChange {
  readonly status?: DurableStatus;
  /** When it is due: at a time, in some milliseconds from now (0: at once, whatever becomes of the clock), or not until something happens. */
  readonly due?: { readonly at: number } | { readonly in: number } | null;
  /** Takes it from its owner. */
  readonly owner?: null;
  readonly build?: string;
  readonly data?: RunData;
  /** Events to be added with it, where nothing executes the run. */
  readonly events?: EventWrite;
}
