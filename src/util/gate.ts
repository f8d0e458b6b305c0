/** Lets so many through at once; the others wait in the order in which they came. */
export class Gate {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param places how many are let through at once. */
  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves when there is a place; it is to be given back with `leave`. Rejects with the signal's reason if that comes first. */
  enter(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#free > 0) {
      this.#free--;
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
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
