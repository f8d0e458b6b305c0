import { unref } from "../../base/util/unref.ts";
import type { ChangeListener } from "../store.ts";

/** How often the database is looked at while anything waits for a change, in milliseconds. */
const interval = 20;

/** What is watched, by files: stores of one process share a connection, which does not report its own changes. */
const watches = new Map<string, Set<Watch>>();

/** Notices changes of a database: those of this process when they are reported, those of others within 20 ms. */
export class Watch {
  readonly #listeners = new Set<ChangeListener>();
  readonly #file: string;
  readonly #findChanged: () => readonly string[];
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param file - The database.
   * @param findChanged - Returns the ids of runs that another process has changed since the last time.
   */
  constructor(file: string, findChanged: () => readonly string[]) {
    this.#file = file;
    this.#findChanged = findChanged;
  }

  add(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    if (!this.#timer) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  /** Reports that this process has changed runs. */
  notify(ids: readonly string[]): void {
    for (const watch of watches.get(this.#file) ?? []) watch.#report(ids);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const others = watches.get(this.#file);
    others?.delete(this);
    if (others?.size === 0) watches.delete(this.#file);
  }

  #report(ids: readonly string[]): void {
    for (const id of ids) for (const listener of this.#listeners) listener(id);
  }

  #start(): void {
    watches.set(this.#file, (watches.get(this.#file) ?? new Set()).add(this));
    this.#timer = setInterval(() => this.#report(this.#findChanged()), interval);
    // What waits for a change keeps the process alive itself, if it is to.
    unref(this.#timer);
  }
}
