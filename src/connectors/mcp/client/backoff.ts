/** Milliseconds before the first attempt after a failed one, doubled for each further one. */
const firstDelay = 500;

/** The longest wait between two attempts, in milliseconds. */
const longestDelay = 30_000;

/** How long to leave a server alone that has just failed. */
export class Backoff {
  #failures = 0;
  /** In the time of `performance.now()`, which nobody can set back. */
  #retryAt = -Infinity;

  /** Milliseconds until the next attempt; 0 or less if it may be made now. */
  get wait(): number {
    return this.#retryAt - performance.now();
  }

  /** Remembers a failed attempt: the next one has to wait. */
  recordFailure(): void {
    this.#retryAt = performance.now() + Math.min(longestDelay, firstDelay * 2 ** this.#failures++);
  }

  /** Forgets the failures. */
  reset(): void {
    this.#failures = 0;
    this.#retryAt = -Infinity;
  }
}
