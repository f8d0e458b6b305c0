import { assertKnownOptions } from "../../base/options/known-options.ts";
import type { DurableStore } from "../../durable/store.ts";
import { claims, laneOfConversation, lapsedLeases, ownLeases, strandedRuns } from "./store/claims.ts";
import { atomicWrites, conversations, fencedWrites, revisions, severalRuns } from "./store/writes.ts";
import { createdOnce, events, eventsAtOnce, lists, watched } from "./store/reads.ts";
import type { StoreSubject } from "./store/subject.ts";
import { conformanceOptions, type ConformanceOptions, type ConformanceReport } from "./report.ts";
import { makeChecks, type Trial } from "./trial.ts";

/**
 * Checks that a store of durable runs does what they rely on: an id is one run, a run has one owner at a time, in the order of
 * priorities and of conversations; who has lost a run writes nothing; a write is done as a whole or not at all; texts come back as
 * they are; events are kept, cut and deleted as they are to be; changes are noticed.
 *
 * The runs stay in the store: give it a database of its own. Never throws for what the store does: see `assertConformance`.
 * @param open - Opens the store. It is called twice, for two programs that share the database; both are closed at the end.
 */
export async function checkStore(
  open: () => DurableStore | Promise<DurableStore>,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  assertKnownOptions(options, conformanceOptions, "checkStore()");
  const [store, other] = [await open(), await open()];
  const subject: StoreSubject = { store, other, prefix: crypto.randomUUID() };
  const check = (name: string, run: (subject: StoreSubject, trial: Trial) => Promise<void>) => ({
    name,
    run: (trial: Trial) =>
      run({ ...subject, store: inTime(store, trial), other: inTime(other, trial) }, trial),
  });
  const report = await makeChecks(
    "The store of durable runs",
    [
      check("create", createdOnce),
      check("claim", claims),
      check("conversation", laneOfConversation),
      check("lease", lapsedLeases),
      check("own-lease", ownLeases),
      check("stuck", strandedRuns),
      check("fence", fencedWrites),
      check("append", conversations),
      check("atomic", atomicWrites),
      check("revision", revisions),
      check("several-runs", severalRuns),
      check("events", events),
      check("events-at-once", eventsAtOnce),
      check("list", lists),
      check("watch", watched),
    ],
    { timeout: longestCall, ...options },
    { mayKeep: true },
  );
  const closed = Promise.all([store.close(), other.close()]);
  const isHung = report.failures.some(({ message }) => message.includes("did not settle"));
  // One that does not answer may not close, either, and has failed already.
  if (isHung) closed.catch(() => {});
  else await closed;
  return report;
}

/** How long a call may take by default, in milliseconds: that of a database on a busy machine. */
const longestCall = 10_000;

/** A store each of whose calls fails that does not settle. */
function inTime(store: DurableStore, { settled }: Trial): DurableStore {
  return {
    key: store.key,
    create: (added) => settled(store.create(added), "create()"),
    read: (id) => settled(store.read(id), "read()"),
    list: (filter) => settled(store.list(filter), "list()"),
    claim: (request) => settled(store.claim(request), "claim()"),
    renew: (owner, lease, ids) => settled(store.renew(owner, lease, ids), "renew()"),
    update: (id, revision, change) => settled(store.update(id, revision, change), "update()"),
    ...(store.updateAll && {
      updateAll: (updates) => settled(store.updateAll?.(updates) ?? Promise.resolve(false), "updateAll()"),
    }),
    load: (log) => settled(store.load(log), "load()"),
    commit: (lease, write) => settled(store.commit(lease, write), "commit()"),
    ...(store.append && { append: store.append.bind(store) }),
    events: (id, after, limit) => settled(store.events(id, after, limit), "events()"),
    prune: (age) => settled(store.prune(age), "prune()"),
    watch: (listener, scope) => store.watch(listener, scope),
    close: () => settled(store.close(), "close()"),
  };
}
