import { Semaphore } from "../../base/util/semaphore.ts";
import type { Session } from "./session.ts";

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
  const key = session.key ?? session;
  const lock = locks.get(key) ?? new Semaphore(1);
  if (!isWaiting && !lock.isIdle) return undefined;
  locks.set(key, lock);
  return new Promise((resolve, reject) => {
    lock
      .run(() => new Promise<void>((release) => resolve(release)), signal)
      .catch(reject)
      .finally(() => {
        if (lock.isIdle) locks.delete(key);
      });
  });
}
