import type { DurableStore } from "skein/durable";

/** When a process dies: at its k-th write, before or after that is done. */
export interface Death {
  readonly at: number;
  readonly isAfter: boolean;
}

/**
 * A store whose process dies at a write: nothing that comes later is written.
 * @param die - Ends the process, or throws what a process that is gone would not even see.
 */
export function dyingStore(
  store: DurableStore,
  death: Death,
  die: () => never,
): { readonly store: DurableStore; readonly writes: () => number } {
  let writes = 0;
  let isDead = false;
  const end = (): never => {
    isDead = true;
    return die();
  };
  const alive = async <T>(work: () => Promise<T>): Promise<T> => (isDead ? die() : work());
  const dies: DurableStore = {
    key: store.key,
    create: (added) => store.create(added),
    read: (id) => alive(() => store.read(id)),
    list: (filter) => alive(() => store.list(filter)),
    claim: (request) => alive(() => store.claim(request)),
    renew: (owner, lease, ids) => alive(() => store.renew(owner, lease, ids)),
    update: (id, revision, change) => alive(() => store.update(id, revision, change)),
    load: (log) => alive(() => store.load(log)),
    commit: (lease, write) =>
      alive(async () => {
        const isLast = (writes += 1) === death.at;
        if (isLast && !death.isAfter) end();
        const isWritten = await store.commit(lease, write);
        return isLast ? end() : isWritten;
      }),
    events: (id, after, limit) => store.events(id, after, limit),
    prune: () => Promise.resolve(),
    watch: (listener) => store.watch(listener),
    close: () => store.close(),
  };
  return { store: dies, writes: () => writes };
}

/** A store whose process dies at the k-th change of runs that it does not execute: nothing that comes later is written or read. */
export function dyingAtChange(
  store: DurableStore,
  death: Death,
): { readonly store: DurableStore; readonly isDead: () => boolean } {
  let changes = 0;
  let isDead = false;
  const end = (): never => {
    isDead = true;
    throw new Error("The process is gone.");
  };
  const alive = async <T>(work: () => Promise<T>): Promise<T> => (isDead ? end() : work());
  const change = async <T>(work: () => Promise<T>): Promise<T> => {
    const isLast = (changes += 1) === death.at;
    if (isDead || (isLast && !death.isAfter)) end();
    const result = await work();
    return isLast ? end() : result;
  };
  const dies: DurableStore = {
    ...store,
    key: store.key,
    read: (id) => alive(() => store.read(id)),
    load: (log) => alive(() => store.load(log)),
    update: (id, revision, changed) => change(() => store.update(id, revision, changed)),
    ...(store.updateAll && {
      updateAll: (updates) => change(async () => (await store.updateAll?.(updates)) ?? false),
    }),
    close: () => Promise.resolve(),
  };
  return { store: dies, isDead: () => isDead };
}

/** A store that changes one run at a time: one of a program's own, or Restate. */
export function withoutSeveral(store: DurableStore): DurableStore {
  const others: DurableStore = { ...store, key: store.key };
  delete others.updateAll;
  return others;
}
