import { changeStored } from "./change-stored.ts";
import { progressAfter } from "./run-usage.ts";
import { wakeParent } from "./wake-run.ts";
import type { DurableStore, EventWrite } from "./store.ts";
import type { StoredEvent } from "./stored-event.ts";
import { endedStatuses, type EventProgress, type StoredRun } from "./stored-run.ts";

/**
 * Ends a run, or has the process end it that executes it, and the runs that it waits for.
 * @param isToEnd - Whether it is to end as it stands.
 * @returns whether it was to end, and has not ended before; `undefined` if the store does not have it.
 */
export async function cancelRun(
  store: DurableStore,
  id: string,
  reason: string | undefined,
  isToEnd: (run: StoredRun) => boolean = () => true,
): Promise<boolean | undefined> {
  let ended: StoredRun | undefined;
  const isChanged = await changeStored(store, id, (run) => {
    const { status, data, agent, progress } = run;
    ended = undefined;
    if (endedStatuses.includes(status) || !isToEnd(run)) return undefined;
    const cancel = reason === undefined ? {} : { reason };
    if (status === "running") return { data: { ...data, cancel } };
    ended = run;
    return {
      status: "cancelled",
      due: null,
      owner: null,
      data: { ...data, cancel },
      // Nothing executes it, which would write how it ended.
      events: endEvents(progress, agent),
    };
  });
  if (isChanged && ended) await cancelWithin(store, ended, ended.data.children ?? []);
  return isChanged;
}

/** What follows from the end of a run that was cancelled: nobody will have the answers that it waits for. */
export async function cancelWithin(
  store: DurableStore,
  run: StoredRun,
  children: readonly string[],
): Promise<void> {
  for (const child of children) await cancelRun(store, child, "The run that waits for it was cancelled.");
  await wakeParent(store, run);
}

/** The event that ends a run which no process executes. */
function endEvents(progress: EventProgress, agent: string): EventWrite {
  const index = progress.next;
  const events: readonly StoredEvent[] = [{ type: "run-end", index, agent, status: "cancelled" }];
  return { groups: [{ first: index, last: index, events }], progress: progressAfter(progress, index + 1) };
}
