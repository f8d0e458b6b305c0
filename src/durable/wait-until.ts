import type { DurableStore } from "./store.ts";
import { endedStatuses, type StoredRun } from "./stored-run.ts";

/** How often to look although the store reports no change, in milliseconds: a change may have come just before. */
const longestWait = 1_000;

/**
 * Whether more is to come of a run.
 * @param until - `"pause"`: by itself; `"end"`: also once it is decided on.
 */
export function goesOn({ status }: Pick<StoredRun, "status">, until: "pause" | "end"): boolean {
  return until === "end" ? !endedStatuses.includes(status) : status === "queued" || status === "running";
}

/**
 * Looks at a store with each change of a run, until there is an answer.
 * @throws the signal's reason
 */
export async function waitUntil<T>(
  store: DurableStore,
  id: string,
  signal: AbortSignal | undefined,
  look: () => Promise<T | undefined>,
): Promise<T> {
  let wake: (() => void) | undefined;
  let hasChanged = false;
  const notice = (): void => {
    hasChanged = true;
    wake?.();
  };
  const stop = store.watch((changed) => {
    if (changed === undefined || changed === id) notice();
  });
  signal?.addEventListener("abort", notice);
  try {
    for (;;) {
      signal?.throwIfAborted();
      hasChanged = false;
      const answer = await look();
      if (answer !== undefined) return answer;
      if (hasChanged) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longestWait);
        wake = (): void => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = undefined;
    }
  } finally {
    stop();
    signal?.removeEventListener("abort", notice);
  }
}
