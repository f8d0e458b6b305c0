import { realpathSync } from "node:fs";
import { Semaphore } from "../base/util/semaphore.ts";

/** Who changes files now, by the folder that they are in. */
const queues = new Map<string, Semaphore>();

/** Does something once nobody else in this process does so for the same queue. */
export type Turns = <T>(change: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * Turns of all shells of this process that have a folder, under whatever path.
 * @param root - The folder; without one, a shell has turns of its own.
 */
export function turnsIn(root: string | undefined): Turns {
  const own = new Semaphore(1);
  return (change, signal) => (root === undefined ? own : queueOf(realOrNamed(root))).run(change, signal);
}

function queueOf(folder: string): Semaphore {
  const queue = queues.get(folder) ?? new Semaphore(1, () => queues.delete(folder));
  queues.set(folder, queue);
  return queue;
}

/** A tier of one's own may have its folders on another machine. */
function realOrNamed(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
