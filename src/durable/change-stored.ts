import type { DurableStore, RunChange } from "./store.ts";
import type { StoredRun } from "./stored-run.ts";

/**
 * Changes a run as it is now, again where it has changed in between.
 * @returns whether there was something to change; `undefined` if the store does not have the run.
 */
export async function changeStored(
  store: DurableStore,
  id: string,
  changeOf: (run: StoredRun) => RunChange | undefined | Promise<RunChange | undefined>,
): Promise<boolean | undefined> {
  for (;;) {
    const run = await store.read(id);
    if (!run) return undefined;
    const change = await changeOf(run);
    if (!change) return false;
    if (await store.update(id, run.revision, change)) return true;
  }
}
