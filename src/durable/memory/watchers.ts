import type { ChangeListener, EventGroup, WatchScope } from "../store.ts";

/** What has become of a run. */
interface Change {
  /** Whether nothing but events and entries has been added. */
  isEvents: boolean;
  added: readonly EventGroup[];
}

/** What waits for changes: it is called in a microtask after them, once for all of a run's changes until then. */
export class Watchers {
  /** Those for all runs, and for all but new events. */
  readonly #all = new Set<ChangeListener>();
  readonly #eventless = new Set<ChangeListener>();
  readonly #byRun = new Map<string, Set<ChangeListener>>();
  /** The runs that have changed. */
  #changed = new Map<string, Change>();

  add(listener: ChangeListener, { id, events }: WatchScope): () => void {
    // An object for each: one function may be added several times.
    const own: ChangeListener = (changed, added) => listener(changed, added);
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

  /**
   * @param isEvents - Whether nothing but events and entries has been added.
   * @param added - The events.
   */
  notify(id: string, isEvents: boolean, added: readonly EventGroup[] = []): void {
    // A promise, since `queueMicrotask` of Node costs several times as much.
    if (this.#changed.size === 0) void Promise.resolve().then(() => this.#report());
    const change = this.#changed.get(id);
    if (!change) return void this.#changed.set(id, { isEvents, added });
    change.isEvents &&= isEvents;
    if (added.length > 0) change.added = [...change.added, ...added];
  }

  #report(): void {
    const changed = this.#changed;
    this.#changed = new Map();
    for (const [id, { isEvents, added }] of changed) {
      for (const listener of this.#byRun.get(id) ?? []) listener(id, added);
      for (const listener of this.#all) listener(id);
      if (!isEvents) for (const listener of this.#eventless) listener(id);
    }
  }
}
