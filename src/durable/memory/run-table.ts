import type { EventWrite, NewRun, RunFilter } from "../store.ts";
import type { StoredRun } from "../stored-run.ts";
import { addedRun, hasEnded } from "../changed-run.ts";
import type { Conversation, RunEntry } from "./entry.ts";
import { sessionOf } from "../log-session.ts";
import { addEvents } from "./event-groups.ts";
import { Heap } from "./heap.ts";
import { Queues } from "./queues.ts";
import { type Limits, Retention } from "./retention.ts";

const noEntries: ReadonlySet<RunEntry> = new Set();

/** The runs and conversations of a store in memory, and where each is found without a look at the others. */
export class RunTable {
  readonly queues: Queues = new Queues();
  readonly retention: Retention;
  readonly #runs = new Map<string, RunEntry>();
  readonly #conversations = new Map<string, Conversation>();
  readonly #owners = new Map<string, Set<RunEntry>>();
  #newest: RunEntry | undefined;
  #count = 0;

  constructor(limits: Limits) {
    this.retention = new Retention(
      limits,
      (entry) => this.#forget(entry),
      ({ log }) => this.#conversations.delete(log),
    );
  }

  /** The run with an id. */
  get(id: string): RunEntry | undefined {
    return this.#runs.get(id);
  }

  /** The runs that an owner has. */
  ownedBy(owner: string): ReadonlySet<RunEntry> {
    return this.#owners.get(owner) ?? noEntries;
  }

  /** The conversation of a log, if there is one. */
  conversation(log: string): Conversation | undefined {
    return this.#conversations.get(log);
  }

  /** The conversation of a log, which is there from now on. */
  openConversation(log: string): Conversation {
    const earlier = this.#conversations.get(log);
    if (earlier) return earlier;
    const open = new Heap<RunEntry>((one, other) => one.number < other.number);
    const conversation = { log, entries: [], runs: new Set<RunEntry>(), open };
    this.#conversations.set(log, conversation);
    return conversation;
  }

  /** Adds a run. */
  add(added: NewRun, now: number): RunEntry {
    const conversation = this.openConversation(added.log);
    const entry: RunEntry = {
      number: (this.#count += 1),
      conversation,
      run: Object.freeze(addedRun(added, now)),
      older: this.#newest,
      newer: undefined,
      groups: [],
      eventCount: 0,
    };
    if (this.#newest) this.#newest.newer = entry;
    this.#newest = entry;
    this.#runs.set(added.id, entry);
    conversation.runs.add(entry);
    conversation.open.add(entry);
    this.retention.addRun(conversation);
    this.queues.add(entry);
    return entry;
  }

  /**
   * Puts a run in the place of what it was.
   * @returns the run of the conversation that may be claimed since.
   */
  change(entry: RunEntry, run: StoredRun): RunEntry | undefined {
    const before = entry.run;
    const { open } = entry.conversation;
    const firstBefore = open.first;
    this.queues.delete(entry);
    if (before.owner !== run.owner) this.#changeOwner(entry, before.owner, run.owner);
    entry.run = Object.freeze(run);
    if (hasEnded(run)) {
      open.delete(entry);
      this.retention.addEnded(entry);
    } else {
      if (hasEnded(before)) this.retention.deleteEnded(entry);
      open.add(entry);
      this.queues.add(entry);
    }
    // Another run of the conversation may be claimed now, or not any more.
    if (open.first === firstBefore) return undefined;
    for (const other of [firstBefore, open.first]) if (other && other !== entry) this.#requeue(other);
    return open.first;
  }

  /** Adds events of a run. */
  addEvents(entry: RunEntry, write: EventWrite, now: number): void {
    addEvents(entry, write);
    const progress = Object.freeze({ ...write.progress });
    entry.run = Object.freeze({ ...entry.run, progress, updatedAt: now });
    if (hasEnded(entry.run)) this.retention.addEnded(entry);
  }

  /** Runs, those that were started last first. */
  *list({ log, after }: Pick<RunFilter, "log" | "after">): Generator<RunEntry, void> {
    const start = after === undefined ? undefined : this.#runs.get(after);
    if (after !== undefined && !start) return;
    if (log !== undefined) {
      const runs = [...(this.#conversations.get(log)?.runs ?? noEntries)].toReversed();
      return yield* start ? runs.filter(({ number }) => number < start.number) : runs;
    }
    for (let entry = start ? start.older : this.#newest; entry; entry = entry.older) yield entry;
  }

  #requeue(entry: RunEntry): void {
    this.queues.delete(entry);
    if (!hasEnded(entry.run)) this.queues.add(entry);
  }

  #changeOwner(entry: RunEntry, before: string | undefined, after: string | undefined): void {
    const earlier = before === undefined ? undefined : this.#owners.get(before);
    earlier?.delete(entry);
    if (before !== undefined && earlier?.size === 0) this.#owners.delete(before);
    if (after !== undefined) this.#owners.set(after, (this.#owners.get(after) ?? new Set()).add(entry));
  }

  #forget(entry: RunEntry): void {
    const { older, newer, conversation, run } = entry;
    if (older) older.newer = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
    this.#runs.delete(run.id);
    this.retention.deleteEnded(entry);
    conversation.runs.delete(entry);
    if (conversation.runs.size > 0) return;
    // The conversation of one run alone goes with it.
    if (sessionOf(conversation.log) === undefined) this.#conversations.delete(conversation.log);
    else this.retention.addIdle(conversation);
  }
}
