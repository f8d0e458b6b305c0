import { changeStored } from "./change-stored.ts";
import type { DurableStore } from "./store.ts";
import type { StoredRun } from "./stored-run.ts";

/** Has the run look that waits for one which has ended. */
export async function wakeParent(store: DurableStore, { data }: StoredRun): Promise<void> {
  if (data.parent !== undefined) await wakeRun(store, data.parent);
}

/** Has a run go on at once, unless it is executed just now: then it looks when it pauses. */
export async function wakeRun(store: DurableStore, id: string): Promise<void> {
  await changeStored(store, id, ({ status }) =>
    status === "paused" || status === "queued" ? { status: "queued", due: { in: 0 } } : undefined,
  );
}
