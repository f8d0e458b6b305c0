import type { DurableStore, Lease, RunWrite } from "./store.ts";

/**
 * What one execution of a run writes, one after the other, whatever the store does at once. Once a write fails, so do all later ones:
 * nobody knows what is stored, and another execution finds out.
 */
export class RunWriter {
  readonly #store: DurableStore;
  readonly #lease: Lease;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: DurableStore, lease: Lease) {
    this.#store = store;
    this.#lease = lease;
  }

  /**
   * Adds entries and events of the run, and changes it.
   * @returns `false` if the run has another revision than the write knows.
   * @throws LeaseLostError, SessionConflictError, DurableRunError (`store-failed`)
   */
  commit(write: RunWrite): Promise<boolean> {
    const committed = this.#last.then(() => this.#store.commit(this.#lease, write));
    this.#last = committed;
    return committed;
  }
}
