import type { ChangeListener, WatchScope } from "../store.ts";

/** What waits for changes: it is called in a microtask after them, once for all of a run's changes until then. */
export class Watchers {
  /** Those for all runs, and for all but new events. */
  readonly #all = new Set<ChangeListener>();
  readonly #eventless = new Set<ChangeListener>();
  readonly #byRun = new Map<string, Set<ChangeListener>>();
  /** The runs that have changed, and whether by events alone. */
  #changed = new Map<string, boolean>();

  add(listener: ChangeListener, { id, events }: WatchScope): () => void {
    // An object for each: one function may be added several times.
    const own: ChangeListener = (changed) => listener(changed);
    if (id === undefined) {
      const listeners = events === false ? this.#eventless : this.#all;
      listeners.add(own);
      return () => void listeners.delete(own);
    }
    const listeners = this.#byRun.get(id) ?? new Set<ChangeListener>();
    this.#byRun.set(id, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#byRun.get(id) === listeners) this.#byRun.delete(id);
    };
  }

  /** @param isEvents - Whether nothing but events and entries has been added. */
  notify(id: string, isEvents: boolean): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.#report());
    this.#changed.set(id, isEvents && (this.#changed.get(id) ?? true));
  }

  #report(): void {
    const changed = this.#changed;
    this.#changed = new Map();
    for (const [id, isEvents] of changed) {
      for (const listener of this.#byRun.get(id) ?? []) listener(id);
      for (const listener of this.#all) listener(id);
      if (!isEvents) for (const listener of this.#eventless) listener(id);
    }
  }
}
