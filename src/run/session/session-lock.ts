import { builtinModule } from "../../base/util/builtin-module.ts";
import { Semaphore } from "../../base/util/semaphore.ts";
import type { Session } from "./session.ts";

/** A session that a run holds, and those that runs around it hold. */
interface HeldSession {
  readonly key: unknown;
  readonly outer: HeldSession | undefined;
  isReleased: boolean;
}

/** The sessions of the runs that the current code is within. Absent on runtimes without it: there, nothing is noticed. */
const around = asyncStorage();

/** What is used of Node's AsyncLocalStorage. */
interface AsyncStorage {
  getStore(): HeldSession | undefined;
  run<T>(entry: HeldSession, work: () => T): T;
}

function asyncStorage(): AsyncStorage | undefined {
  const hooks = builtinModule("node:async_hooks");
  return hooks && new hooks.AsyncLocalStorage<HeldSession>();
}

/** Performs the work of a run that holds a session: what is begun within it must not wait for that. */
export async function workWithin<T>(session: Session, work: () => Promise<T>): Promise<T> {
  if (!around) return work();
  const entry: HeldSession = { key: keyOf(session), outer: around.getStore(), isReleased: false };
  try {
    return await around.run(entry, work);
  } finally {
    entry.isReleased = true;
  }
}

/** Whether the current code is within a run that holds the session, and would wait for itself. */
export function isHeldAround(session: Session): boolean {
  for (let entry = around?.getStore(); entry; entry = entry.outer)
    if (entry.key === keyOf(session) && !entry.isReleased) return true;
  return false;
}

function keyOf(session: Session): unknown {
  return session.key ?? session;
}

/** Who holds which session in this process, by its key: runs that wait get it in the order in which they came. */
const locks = new Map<unknown, Semaphore>();

/**
 * Waits until no other run of this process holds the session.
 * @param isWaiting - Whether to wait at all.
 * @returns what gives the session back; `undefined` if another run holds it, and this one does not wait.
 * @throws the signal's reason
 */
export async function lockSession(
  session: Session,
  isWaiting: boolean,
  signal: AbortSignal,
): Promise<(() => void) | undefined> {
  const key = keyOf(session);
  const lock = locks.get(key) ?? new Semaphore(1);
  if (!isWaiting && !lock.isIdle) return undefined;
  locks.set(key, lock);
  // One that is free is had at once, also by a run that was cancelled: it may have a decision to keep.
  const isOver = lock.isIdle ? undefined : signal;
  return new Promise((resolve, reject) => {
    lock
      .run(() => new Promise<void>((release) => resolve(release)), isOver)
      .catch(reject)
      .finally(() => {
        if (lock.isIdle) locks.delete(key);
      });
  });
}
