import type { DurableStore, RunChange, RunUpdate } from "./store.ts";
import type { StoredRun } from "./stored-run.ts";

/** What is to change of several runs, each time as the run is after what was added before. */
export class RunChanges {
  readonly #runs = new Map<string, StoredRun>();
  readonly #updates = new Map<string, RunUpdate>();

  /** How many runs are to change. */
  get size(): number {
    return this.#updates.size;
  }

  /** A run as it is to be; `undefined` if nothing of it is to change. */
  get(id: string): StoredRun | undefined {
    return this.#runs.get(id);
  }

  /** @param changeOf - What is to change of the run; `undefined` if nothing is. */
  add(run: StoredRun, changeOf: (run: StoredRun) => RunChange | undefined): void {
    const { id, revision } = run;
    const current = this.#runs.get(id) ?? run;
    const change = changeOf(current);
    if (!change) return;
    const { status = current.status, data = current.data } = change;
    this.#runs.set(id, { ...current, status, data });
    const before = this.#updates.get(id);
    this.#updates.set(id, { id, revision, ...before, change: { ...before?.change, ...change } });
  }

  /**
   * Writes all of it, or nothing.
   * @returns `false` where a run has another revision than was read.
   */
  async write(store: DurableStore): Promise<boolean> {
    const updates = [...this.#updates.values()];
    const [first, second] = updates;
    if (!first) return true;
    if (!second) return (await store.update(first.id, first.revision, first.change)) !== undefined;
    if (!store.updateAll) throw new TypeError("This store cannot change several runs at once.");
    return store.updateAll(updates);
  }
}
