import { safeMessage } from "../base/util/error-message.ts";
import { ignoreRejections } from "../base/util/dropped-promises.ts";
import { isPromiseLike } from "../base/util/promise-like.ts";
import { ConfigurationError, SkeinError } from "../errors.ts";
import { withoutSecrets } from "../model/secrets.ts";
import { DurableRunError } from "./errors.ts";
import type {
  ChangeListener,
  DurableStore,
  EventWrite,
  Lease,
  NewRun,
  RunChange,
  RunUpdate,
} from "./store.ts";

/**
 * A store whose errors are typed: what is not a SkeinError becomes a DurableRunError (`store-failed`). Who waits for a change when it is closed looks
 * once more, and learns that it is.
 * @param onDue - Is called with the times at which runs are due that are written to it.
 */
export function guarded(store: DurableStore, onDue: OnDue = () => {}): DurableStore {
  const waiting = new Set<ChangeListener>();
  let isClosed = false;
  const orFail = <T>(work: () => Promise<T>): Promise<T> =>
    isClosed ? Promise.reject(closedError()) : attempt(work);
  return {
    get key() {
      return store.key;
    },
    ...(store.eventDelay !== undefined && { eventDelay: store.eventDelay }),
    create: (added) =>
      noting(
        onDue,
        orFail(() => store.create(added)),
        added.flatMap(dueOf),
      ),
    read: (id) => orFail(() => store.read(id)),
    list: (filter) => orFail(() => store.list(filter)),
    claim: (request) => orFail(() => store.claim(request)),
    renew: (owner, lease, ids) => orFail(() => store.renew(owner, lease, ids)),
    update: (id, revision, change) =>
      noting(
        onDue,
        orFail(() => store.update(id, revision, change)),
        change.due ? [change.due] : [],
      ),
    ...(store.updateAll && {
      updateAll: (updates) =>
        noting(
          onDue,
          orFail(() => updateAllOf(store, updates)),
          updates.flatMap(({ change }) => change.due ?? []),
        ),
    }),
    load: (log) => orFail(() => store.load(log)),
    commit: (lease, write) =>
      noting(
        onDue,
        orFail(() => store.commit(lease, write)),
        write.change?.due ? [write.change.due] : [],
      ),
    ...(store.append && { append: (lease, events) => orThrow(() => appendAtOnce(store, lease, events)) }),
    events: (id, after, limit) => orFail(() => store.events(id, after, limit)),
    prune: (age) => orFail(() => store.prune(age)),
    watch: (listener, scope) => {
      const stop = store.watch(listener, scope);
      waiting.add(listener);
      return () => {
        waiting.delete(listener);
        stop();
      };
    },
    close: () => {
      isClosed = true;
      for (const listener of waiting) listener(undefined);
      return attempt(() => store.close());
    },
  };
}

function closedError(): ConfigurationError {
  return new ConfigurationError(
    "The durable runs were closed: close() has been called. What is not done goes on where their store is opened next, by runs({ agents, store }).",
    { code: "closed" },
  );
}

/** What learns when runs are due. */
type OnDue = (due: NonNullable<RunChange["due"]>) => void;

/** After the write: the store has reckoned from an earlier time. */
function noting<T>(
  onDue: OnDue,
  write: Promise<T>,
  times: readonly NonNullable<RunChange["due"]>[],
): Promise<T> {
  if (times.length === 0) return write;
  return write.then((result) => {
    for (const due of times) onDue(due);
    return result;
  });
}

function dueOf({ at }: NewRun): readonly NonNullable<RunChange["due"]>[] {
  return at === undefined ? [] : [{ at }];
}

async function updateAllOf(store: DurableStore, updates: readonly RunUpdate[]): Promise<boolean> {
  return (await store.updateAll?.(updates)) ?? false;
}

/** Not an async function: each event of a run is written and read through it. */
function attempt<T>(work: () => Promise<T>): Promise<T> {
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
