import type { DurableStore } from "./store.ts";
import type { StoredEvent } from "./stored-event.ts";
import { goesOn, waitUntil } from "./wait-until.ts";

/** How many groups of events are read at once. */
const mostGroups = 64;

/** The events of a run after an index, as they come, until the run pauses or ends. */
export async function* readEvents(
  store: DurableStore,
  id: string,
  {
    after,
    signal,
    until,
  }: {
    readonly after: number;
    readonly signal: AbortSignal | undefined;
    readonly until: "pause" | "end";
  },
): AsyncGenerator<StoredEvent, void> {
  let last = after;
  for (;;) {
    signal?.throwIfAborted();
    // Before the events: what is written last is written with the end.
    const run = await store.read(id);
    const groups = await store.events(id, last, mostGroups);
    for (const event of groups.flatMap(({ events }) => events)) {
      if (event.index <= last) continue;
      last = event.index;
      yield event;
    }
    if (groups.length === mostGroups) continue;
    if (!run || !goesOn(run, until)) return;
    await waitUntil(store, id, signal, async () => {
      const current = await store.read(id);
      return (
        !current ||
        current.revision !== run.revision ||
        (await store.events(id, last, 1)).length > 0 ||
        undefined
      );
    });
  }
}
