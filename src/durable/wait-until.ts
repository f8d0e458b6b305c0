import { Changes } from "./changes.ts";
import { Patience } from "./patience.ts";
import type { DurableStore } from "./store.ts";
import { endedStatuses, type StoredRun } from "./stored-run.ts";

/**
 * Whether more is to come of a run.
 * @param until - `"pause"`: by itself; `"end"`: also once it is decided on.
 */
export function goesOn({ status }: Pick<StoredRun, "status">, until: "pause" | "end"): boolean {
  return until === "end" ? !endedStatuses.includes(status) : status === "queued" || status === "running";
}

/**
 * Looks at a store with each change of a run, until there is an answer. Once it has looked, it bears that the store is away for a moment.
 * @throws the signal's reason
 */
export async function waitUntil<T>(
  store: DurableStore,
  id: string,
  signal: AbortSignal | undefined,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const changes = new Changes(store, id, signal);
  const patience = new Patience();
  const lookAgain = async (): Promise<T | undefined> => {
    try {
      const answer = await look();
      patience.renew();
      return answer;
    } catch (error) {
      await patience.bear(error, signal);
      return undefined;
    }
  };
  try {
    for (let next = look; ; next = lookAgain) {
      signal?.throwIfAborted();
      changes.reset();
      const answer = await next();
      if (answer !== undefined) return answer;
      await changes.next();
    }
  } finally {
    changes.stop();
  }
}
