/** Lets so many through at once; the others wait in the order in which they came. */
export class Gate {
  readonly #places: number;
  #inside = 0;
  readonly #waiting = new Set<() => void>();
  /** Kept from one `leave` to the next: an iterator that begins anew steps over all who have left since. */
  #queue = this.#waiting.values();

  /** @param places how many are let through at once. */
  constructor(places: number) {
    this.#places = places;
  }

  /** Whether nobody is inside; then nobody waits, either. */
  get isIdle(): boolean {
    return this.#inside === 0;
  }

  /** Resolves when there is a place; it is to be given back with `leave`. Rejects with the signal's reason if that comes first. */
  enter(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#inside < this.#places) {
      this.#inside++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.delete(admit);
        reject(signal?.reason);
      };
      const admit = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      this.#waiting.add(admit);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Gives a place back: the one who has waited longest gets it. */
  leave(): void {
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
    // An iterator that has come to the end stays there, whoever comes later.
    this.#queue = this.#waiting.values();
    return this.#queue.next().value;
  }
}
