import { safeMessage } from "../base/util/error-message.ts";
import { ignoreRejections } from "../base/util/dropped-promises.ts";
import { isPromiseLike } from "../base/util/promise-like.ts";
import { SkeinError } from "../errors.ts";
import { withoutSecrets } from "../model/secrets.ts";
import { DurableRunError } from "./errors.ts";
import type { DurableStore, EventWrite, Lease, RunUpdate } from "./store.ts";

/** A store whose errors are typed: what is not a SkeinError becomes a DurableRunError (`store-failed`). */
export function guarded(store: DurableStore): DurableStore {
  return {
    get key() {
      return store.key;
    },
    ...(store.eventDelay !== undefined && { eventDelay: store.eventDelay }),
    create: (added) => orFail(() => store.create(added)),
    read: (id) => orFail(() => store.read(id)),
    list: (filter) => orFail(() => store.list(filter)),
    claim: (request) => orFail(() => store.claim(request)),
    renew: (owner, lease, ids) => orFail(() => store.renew(owner, lease, ids)),
    update: (id, revision, change) => orFail(() => store.update(id, revision, change)),
    ...(store.updateAll && { updateAll: (updates) => orFail(() => updateAllOf(store, updates)) }),
    load: (log) => orFail(() => store.load(log)),
    commit: (lease, write) => orFail(() => store.commit(lease, write)),
    ...(store.append && { append: (lease, events) => orThrow(() => appendAtOnce(store, lease, events)) }),
    events: (id, after, limit) => orFail(() => store.events(id, after, limit)),
    prune: (age) => orFail(() => store.prune(age)),
    watch: (listener, scope) => store.watch(listener, scope),
    close: () => orFail(() => store.close()),
  };
}

async function updateAllOf(store: DurableStore, updates: readonly RunUpdate[]): Promise<boolean> {
  return (await store.updateAll?.(updates)) ?? false;
}

/** Not an async function: each event of a run is written and read through it. */
function orFail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work()).then(undefined, fail);
  } catch (error) {
    return Promise.reject(failureOf(error));
  }
}

/** A function that returns a promise is one that returns nothing, to the type checker: what it rejects with would end the process. */
function appendAtOnce(store: DurableStore, lease: Lease, events: EventWrite): void {
  const returned: unknown = store.append?.(lease, events);
  if (!isPromiseLike(returned)) return;
  ignoreRejections(returned);
  throw new TypeError(
    "its append() must add events at once, and returned a promise. Leave it out: then commit() adds them.",
  );
}

function orThrow(work: () => void): void {
  try {
    work();
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  throw failureOf(error);
}

function failureOf(error: unknown): Error {
  if (error instanceof SkeinError) return error;
  return new DurableRunError(`The store of durable runs failed: ${safeMessage(error)}`, "store-failed", {
    cause: withoutSecrets(error),
  });
}
