import type { DurableStore, EventWrite, Lease, RunWrite } from "./store.ts";

/**
 * What one execution of a run writes, one after the other, whatever the store does at once. Once a write fails, so do all later ones:
 * nobody knows what is stored, and another execution finds out.
 */
export class RunWriter {
  readonly #store: DurableStore;
  readonly #lease: Lease;
  /** The last write, unless it has succeeded. */
  #last: Promise<unknown> | undefined;

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
    const perform = (): Promise<boolean> => this.#store.commit(this.#lease, write);
    const committed = this.#last ? this.#last.then(perform) : perform();
    this.#last = committed;
    void this.#forget(committed);
    return committed;
  }

  /** Keeps a write until it has succeeded. */
  async #forget(committed: Promise<boolean>): Promise<void> {
    try {
      await committed;
      if (this.#last === committed) this.#last = undefined;
    } catch {
      // The next write has it.
    }
  }

  /** Whether the store adds events at once, and no write is under way that they would overtake. */
  get canAppend(): boolean {
    return this.#store.append !== undefined && this.#last === undefined;
  }

  /** Adds events of the run at once, where that can be done. */
  append(events: EventWrite): void {
    try {
      this.#store.append?.(this.#lease, events);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Has all that the run writes from now on fail: nobody knows what is stored. */
  fail(reason: unknown): void {
    this.#last = Promise.reject(reason);
    this.#last.catch(() => {});
  }
}
