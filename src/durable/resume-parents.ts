import { changeStored } from "./change-stored.ts";
import type { RunChanges } from "./run-changes.ts";
import type { DurableStore, RunChange } from "./store.ts";
import type { StoredRun } from "./stored-run.ts";

// A run waits for one that was answered, and another for that: it is not a person that they wait for now.

/** Has them work again, where nothing else is written with it. */
export async function resumeParents(store: DurableStore, parent: string | undefined): Promise<void> {
  for (let id = parent; id !== undefined;) {
    let next: string | undefined;
    await changeStored(store, id, (run) => {
      next = run.data.parent;
      return resumed(run);
    });
    id = next;
  }
}

/** Has them work again together with what else is to change. */
export async function addParents(
  store: DurableStore,
  changes: RunChanges,
  parent: string | undefined,
): Promise<void> {
  for (let id = parent; id !== undefined;) {
    const run: StoredRun | undefined = changes.get(id) ?? (await store.read(id));
    if (run) changes.add(run, resumed);
    id = run?.data.parent;
  }
}

function resumed({ status, data }: StoredRun): RunChange | undefined {
  if (status !== "paused" || !data.awaited) return undefined;
  const { error: _, ...rest } = data;
  return {
    status: "queued",
    due: { in: 0 },
    data: { ...rest, awaited: { ...data.awaited, isAnswered: true } },
  };
}
