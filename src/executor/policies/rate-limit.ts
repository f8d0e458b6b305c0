import type { RateLimit } from "../../tool/policy.ts";
import { Semaphore } from "../../base/util/semaphore.ts";
import { sleep } from "../../base/util/sleep.ts";
import type { Policy } from "../types.ts";
import { sharedBy } from "./shared-by.ts";

/** Timers hold 32-bit delays; longer ones would fire at once. */
const longestTimer = 0x7fffffff;

/** Limits how many calls begin in any stretch of time, in the order in which they come. */
class SlidingWindow {
  readonly #limit: RateLimit;
  readonly #semaphore = new Semaphore(1);
  /** When the latest began; a ring once it is full. */
  readonly #startTimes: number[] = [];
  #oldest = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Resolves when one more may begin. Rejects with the signal's reason if that comes first: then nothing was begun. */
  begin(signal: AbortSignal | undefined): Promise<void> {
    return this.#semaphore.run(() => this.#begin(signal), signal);
  }

  async #begin(signal: AbortSignal | undefined): Promise<void> {
    const { calls, per } = this.#limit;
    const oldest = this.#startTimes.length < calls ? undefined : this.#startTimes[this.#oldest];
    if (oldest === undefined) {
      this.#startTimes.push(performance.now());
      return;
    }
    // A timer may be early by a fraction of a millisecond.
    for (let wait; (wait = oldest + per - performance.now()) > 0;) {
      await sleep(Math.min(Math.ceil(wait), longestTimer), signal);
    }
    this.#startTimes[this.#oldest] = performance.now();
    this.#oldest = (this.#oldest + 1) % calls;
  }
}

const windowOf = sharedBy("rateLimit", ({ rateLimit }) => rateLimit && new SlidingWindow(rateLimit));

/** Limits how many calls of a tool begin in any stretch of `per` milliseconds, over all runs; the others wait in their order. */
export const rateLimit: Policy = (next, tool) => {
  const window = windowOf(tool);
  return async (ready) => {
    await window?.begin(ready.scope.signal);
    return next(ready);
  };
};
