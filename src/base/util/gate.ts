import { onAbort } from "./on-abort.ts";

/** Runs at most `places` tasks at once; the others wait in the order in which they came. */
export class Gate {
  readonly #places: number;
  #inside = 0;
  readonly #waiting = new Set<() => void>();
  /** Kept from one to the next: an iterator that starts over steps over all who have left since. */
  #queue = this.#waiting.values();

  /** @param places how many are let through at once. */
  constructor(places: number) {
    this.#places = places;
  }

  /** Whether nobody is inside; then nobody waits, either. */
  get isIdle(): boolean {
    return this.#inside === 0;
  }

  /**
   * Does `work` as soon as there is a place.
   * @throws the signal's reason if that comes first, and whatever the work throws.
   */
  async pass<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#inside < this.#places) this.#inside++;
    else await this.#wait(signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      this.#leave();
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
