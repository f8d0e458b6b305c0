import { assertAtLeast } from "../../base/options/at-least.ts";
import { readOptions } from "../../base/options/known-options.ts";
import { freeze } from "../../base/util/snapshot.ts";
import { isRepeated } from "../../sessions/is-repeated.ts";
import type { SessionEntry } from "../../run/session/session.ts";
import { changedRun, claimedRun } from "../changed-run.ts";
import { LeaseLostError } from "../errors.ts";
import type {
  ClaimRequest,
  CreatedRun,
  DurableStore,
  EventGroup,
  Lease,
  NewRun,
  RunChange,
  RunWrite,
} from "../store.ts";
import type { StoredRun } from "../stored-run.ts";
import type { Conversation, RunEntry } from "./entry.ts";
import { groupsAfter } from "./event-groups.ts";
import { isClaimable, isClaimedBefore } from "./queues.ts";
import { RunTable } from "./run-table.ts";
import { Watchers } from "./watchers.ts";

/** What a store in memory keeps of what is over. */
export interface MemoryStoreOptions {
  /** How many runs that have ended; 1,000 by default. Those beyond are forgotten, the oldest first, but not within ten seconds of their ends. */
  readonly keepEnded?: number;
  /** For how long a run is kept after its end, in milliseconds; a day by default. */
  readonly keepEndedFor?: number;
  /** How many events of runs that have ended; 200,000 by default. Those of the runs that ended first give way, but not within ten seconds. */
  readonly keepEvents?: number;
  /** How many conversations (`session`) that no run of the store belongs to any more, those used last; 10,000 by default. */
  readonly keepConversations?: number;
}

const optionNames = {
  keepEnded: true,
  keepEndedFor: true,
  keepEvents: true,
  keepConversations: true,
} satisfies Record<keyof MemoryStoreOptions, true>;

/**
 * Durable runs in the memory of this process, for as long as it runs: all of a run but that it outlives its process. Each call makes a
 * store of its own, in any JavaScript runtime. Runs that have not ended are never forgotten.
 * @throws ConfigurationError (`invalid-option`)
 */
export function memoryStore(options: MemoryStoreOptions = {}): DurableStore {
  const place = "memoryStore()";
  const limits = readOptions(options, optionNames, place);
  for (const [name, value] of Object.entries(limits)) assertAtLeast(name, value, 0);
  const {
    keepEnded = 1_000,
    keepEndedFor = 86_400_000,
    keepEvents = 200_000,
    keepConversations = 10_000,
  } = limits;
  return new MemoryStore(new RunTable({ keepEnded, keepEndedFor, keepEvents, keepConversations }));
}

/** Each method does all that it does before it returns its promise, so that none sees another half done. */
class MemoryStore implements DurableStore {
  #key: string | undefined;
  readonly eventDelay = 0;
  readonly #table: RunTable;
  readonly #watchers = new Watchers();

  /** Made once it is needed: Workers have no random values while a module is loaded. */
  get key(): string {
    return (this.#key ??= `memory:${crypto.randomUUID()}`);
  }

  constructor(table: RunTable) {
    this.#table = table;
  }

  create: DurableStore["create"] = async (runs) => {
    const now = Date.now();
    const created = runs.map((run) => this.#create(run, now));
    this.#table.retention.sweep(now);
    return created;
  };

  read: DurableStore["read"] = async (id) => this.#table.get(id)?.run;

  list: DurableStore["list"] = async ({ statuses, agent, log, idPrefix = "", after, limit }) => {
    const runs: StoredRun[] = [];
    for (const { run } of this.#table.list({
      ...(log !== undefined && { log }),
      ...(after !== undefined && { after }),
    })) {
      if (runs.length >= limit) break;
      if (statuses && !statuses.includes(run.status)) continue;
      if (!run.id.startsWith(idPrefix)) continue;
      if (agent === undefined || run.agent === agent) runs.push(run);
    }
    return runs;
  };

  claim: DurableStore["claim"] = async (request) => {
    const now = Date.now();
    this.#strand(request, now);
    return this.#claimable(request, now).map((entry) => {
      const { owner, build, lease } = request;
      this.#change(entry, claimedRun(entry.run, { owner, build, due: now + lease }, now));
      return entry.run;
    });
  };

  renew: DurableStore["renew"] = async (owner, lease, ids) => {
    const due = Date.now() + lease;
    const wanted = ids && new Set(ids);
    return [...this.#table.ownedBy(owner)].flatMap((entry) => {
      const { run } = entry;
      if (run.status !== "running" || wanted?.has(run.id) === false) return [];
      this.#table.change(entry, { ...run, due });
      return [{ id: run.id, isCancelled: run.data.cancel !== undefined }];
    });
  };

  update: DurableStore["update"] = async (id, revision, change) => {
    const entry = this.#table.get(id);
    if (!entry || entry.run.revision !== revision) return undefined;
    const now = Date.now();
    if (change.events) this.#table.addEvents(entry, change.events, now);
    this.#change(entry, changedRun(entry.run, plainChange(change), now), change.events?.groups);
    this.#table.retention.sweep(now);
    return entry.run;
  };

  updateAll: NonNullable<DurableStore["updateAll"]> = async (updates) => {
    const isCurrent = updates.every(({ id, revision }) => this.#table.get(id)?.run.revision === revision);
    if (!isCurrent) return false;
    // Before the first: where one is refused, nothing is written.
    const plain = updates.map((update) => ({ ...update, change: plainChange(update.change) }));
    await Promise.all(plain.map(({ id, revision, change }) => this.update(id, revision, change)));
    return true;
  };

  load: DurableStore["load"] = async (log) => this.#table.conversation(log)?.entries.slice() ?? [];

  commit: DurableStore["commit"] = async ({ id, owner }: Lease, write: RunWrite) => {
    const entry = this.#table.get(id);
    if (entry?.run.owner !== owner) throw new LeaseLostError(id);
    const { log, entries = [], events, revision, change } = write;
    if (revision !== undefined && entry.run.revision !== revision) return false;
    // Before the rest, and before the entries what JSON has no form for: where one is refused, nothing is written.
    const data = change && plainChange(change);
    if (log !== undefined && entries.length > 0) this.#append(log, entries);
    const now = Date.now();
    if (events) this.#table.addEvents(entry, events, now);
    if (data) this.#change(entry, changedRun(entry.run, data, now), events?.groups);
    else this.#watchers.notify(id, true, events?.groups);
    if (change) this.#table.retention.sweep(now);
    return true;
  };

  append: NonNullable<DurableStore["append"]> = ({ id, owner }, events) => {
    const entry = this.#table.get(id);
    if (entry?.run.owner !== owner) throw new LeaseLostError(id);
    this.#table.addEvents(entry, events, Date.now());
    this.#watchers.notify(id, true, events.groups);
  };

  events: DurableStore["events"] = async (id, after, limit) => {
    const entry = this.#table.get(id);
    return entry ? groupsAfter(entry, after, limit) : [];
  };

  prune: DurableStore["prune"] = async (age) => {
    const now = Date.now();
    this.#table.retention.prune(now - age);
    this.#table.retention.sweep(now);
  };

  watch: DurableStore["watch"] = (listener, scope = {}) => this.#watchers.add(listener, scope);

  // Others in the process may have the same store, and what is in it is gone with the last of them.
  close: DurableStore["close"] = async () => {};

  /** @throws SessionConflictError if the entries are not the next ones. */
  #append(log: string, entries: readonly SessionEntry[]): void {
    const conversation = this.#table.openConversation(log);
    append(conversation, entries);
    if (conversation.runs.size === 0) this.#table.retention.addIdle(conversation);
  }

  #create(added: NewRun, now: number): CreatedRun {
    const earlier = this.#table.get(added.id);
    if (earlier) return { run: earlier.run, isNew: false };
    const { run } = this.#table.add({ ...added, data: plain(added.data) }, now);
    this.#watchers.notify(added.id, false);
    return { run, isNew: true };
  }

  #claimable(request: ClaimRequest, now: number): readonly RunEntry[] {
    const { agents, build, ids, limit } = request;
    let excepted: ReadonlySet<string> | undefined;
    // An owner that executes a run has claimed it: most that are claimable were never.
    const isExcepted = ({ run }: RunEntry): boolean =>
      run.attempts > 0 && (excepted ??= new Set(request.except)).has(run.id);
    if (ids)
      return [...new Set(ids)]
        .flatMap((id) => this.#table.get(id) ?? [])
        .filter((entry) => !isExcepted(entry))
        .filter((entry) => agents.includes(entry.run.agent) && isClaimable(entry, build, now))
        .toSorted((one, other) => (isClaimedBefore(one, other) ? -1 : 1))
        .slice(0, limit);
    const entries: RunEntry[] = [];
    const left: RunEntry[] = [];
    while (entries.length < limit) {
      const entry = this.#table.queues.take(agents, build, now);
      if (!entry) break;
      (isExcepted(entry) ? left : entries).push(entry);
    }
    for (const entry of left) this.#table.queues.add(entry);
    return entries;
  }

  /** Marks runs as stuck that have been due for a lease and longer, and whose agents no claim has had. */
  #strand({ agents, build, lease }: ClaimRequest, now: number): void {
    for (const entry of this.#table.queues.takeStranded(agents, now - lease)) {
      const { data, agent } = entry.run;
      const change = {
        status: "stuck",
        due: null,
        owner: null,
        build,
        data: freeze({ ...data, missing: `agent ${agent}` }),
      } as const;
      this.#change(entry, changedRun(entry.run, change, now));
    }
  }

  #change(entry: RunEntry, run: StoredRun, added?: readonly EventGroup[]): void {
    const next = this.#table.change(entry, run);
    this.#watchers.notify(run.id, false, added);
    if (next && next !== entry) this.#watchers.notify(next.run.id, false);
  }
}

function append({ entries: stored }: Conversation, entries: readonly SessionEntry[]): void {
  const last = stored.at(-1)?.sequence ?? 0;
  const first = stored[0]?.sequence ?? 1;
  const writerOf = (sequence: number): string | undefined => stored[sequence - first]?.writer;
  if (isRepeated(entries, last, writerOf, stored[0])) return;
  // All of them before the first is there: one may have no form as JSON.
  for (const entry of entries.map(plain)) stored.push(entry);
}

function plainChange({ data, ...change }: RunChange): RunChange {
  return data ? { ...change, data: plain(data) } : change;
}

/** A frozen copy, as JSON has it: neither who has written something nor who reads it can change what is stored. */
function plain<T>(value: T): T {
  const copy: T = JSON.parse(JSON.stringify(value));
  return freeze(copy);
}
