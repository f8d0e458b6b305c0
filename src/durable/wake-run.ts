import { changeStored } from "./change-stored.ts";
import type { DurableStore } from "./store.ts";
import type { StoredRun } from "./stored-run.ts";

/** A run that waits for more than this many others is woken for several of them at once: it looks at all each time. */
const mostAlone = 8;

/** How long it is given for each of them until it is woken, and at most, in milliseconds. */
const gatheringTime = 5;
const longestGathering = 1_000;

/** Has the run look that waits for one which has ended. */
export async function wakeParent(store: DurableStore, { data }: StoredRun): Promise<void> {
  if (data.parent !== undefined) await wakeRun(store, data.parent);
}

/** Has a run go on soon, unless it is executed just now: then it looks when it pauses. */
export async function wakeRun(store: DurableStore, id: string): Promise<void> {
  await changeStored(store, id, ({ status, due = 0, updatedAt, data: { children = [] } }) => {
    if (status !== "paused" && status !== "queued") return undefined;
    const pause = children.length <= mostAlone ? 0 : gatheringTime * children.length;
    const gathering = Math.min(pause, longestGathering);
    // It is about to look, and will see this.
    if (status === "queued" && due - updatedAt <= gathering) return undefined;
    return { status: "queued", due: { in: gathering } };
  });
}
