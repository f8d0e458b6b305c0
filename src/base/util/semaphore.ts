import { onAbort } from "./on-abort.ts";

/** Runs at most `places` tasks at once; the others wait in the order in which they came. */
export class Semaphore {
  readonly #places: number;
  #inside = 0;
  readonly #waiting = new Set<() => void>();
  /** Reused for every task: a new iterator would step over all tasks that have left since. */
  #queue = this.#waiting.values();

  readonly #onIdle: (() => void) | undefined;

  /**
   * @param places how many tasks may run at once.
   * @param onIdle called when no task runs any more; then none waits, either.
   */
  constructor(places: number, onIdle?: () => void) {
    this.#places = places;
    this.#onIdle = onIdle;
  }

  /** Whether no task runs; then none waits, either. */
  get isIdle(): boolean {
    return this.#inside === 0;
  }

  /**
   * Runs `work` as soon as a place is free.
   * @param rest - Called when the work has ended: what it returns holds the place for longer.
   * @throws the signal's reason if it aborts first, and any error of the work.
   */
  async run<T>(
    work: () => T | Promise<T>,
    signal?: AbortSignal,
    rest?: () => Promise<void> | undefined,
  ): Promise<T> {
    if (this.#inside < this.#places) this.#inside++;
    else await this.#wait(signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      const more = rest?.();
      if (more) void more.then(() => this.#leave());
      else this.#leave();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const admit = (): void => {
        stop?.();
        resolve();
      };
      const stop =
        signal &&
        onAbort(signal, () => {
          this.#waiting.delete(admit);
          reject(signal.reason);
        });
      this.#waiting.add(admit);
    });
  }

  /** The task that has waited longest gets the place. */
  #leave(): void {
    const next = this.#longestWaiting();
    if (!next) {
      this.#inside--;
      if (this.#inside === 0) this.#onIdle?.();
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  #longestWaiting(): (() => void) | undefined {
    if (this.#waiting.size === 0) return undefined;
    const next = this.#queue.next();
    if (!next.done) return next.value;
    // An iterator that has come to the end stays there, even if tasks are added later.
    this.#queue = this.#waiting.values();
    return this.#queue.next().value;
  }
}
