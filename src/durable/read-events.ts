import { Changes } from "./changes.ts";
import type { DurableStore } from "./store.ts";
import type { StoredEvent } from "./stored-event.ts";
import { goesOn } from "./wait-until.ts";

/** How many groups of events are read at once. */
const mostGroups = 64;

/** Which events of a run are read. */
export interface EventsToRead {
  readonly after: number;
  readonly signal: AbortSignal | undefined;
  readonly until: "pause" | "end";
}

/**
 * The events of a run after an index, as they come, until the run pauses or ends.
 * @param prepare - Called before anything is read.
 */
export async function* readEvents(
  store: DurableStore,
  id: string,
  prepare: () => Promise<EventsToRead>,
): AsyncGenerator<StoredEvent, void> {
  const { after, signal, until } = await prepare();
  let last = after;
  // One watch for all of them: readers of a run that works wait hundreds of times.
  const changes = new Changes(store, id, signal);
  try {
    for (let hasStopped = false; ;) {
      signal?.throwIfAborted();
      changes.reset();
      const groups = await store.events(id, last, mostGroups);
      // What a run writes last was there before it was seen to have stopped.
      if (hasStopped && groups.length === 0) return;
      // While others than the last one come, how the run stands needs no look: what stops it otherwise shows when nothing has come.
      let mayHaveStopped = groups.length === 0;
      for (const { events } of groups)
        for (const event of events) {
          if (event.index <= last) continue;
          last = event.index;
          mayHaveStopped ||= event.type === "run-end";
          yield event;
        }
      if (groups.length === mostGroups) continue;
      hasStopped = mayHaveStopped && !(await mayGoOn(store, id, until));
      if (!hasStopped) await changes.next();
    }
  } finally {
    changes.stop();
  }
}

async function mayGoOn(store: DurableStore, id: string, until: EventsToRead["until"]): Promise<boolean> {
  const run = await store.read(id);
  return run !== undefined && goesOn(run, until);
}
