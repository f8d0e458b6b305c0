import { sleep } from "./own.ts";
import { SkeinClientError } from "./client-error.ts";

const firstDelay = 250;
const longestDelay = 10_000;

/** Answers of a server that is not there at the moment, or of what stands before it. */
const passing: ReadonlySet<unknown> = new Set([408, 429, 502, 503, 504]);

/** Whether the same request may well succeed a little later. */
export function isPassing(error: unknown): error is SkeinClientError {
  return (
    error instanceof SkeinClientError &&
    (error.code === "connection-lost" || error.code === "stream-error" || passing.has(error.status))
  );
}

/** When to try again, and for how long. */
export class Patience {
  readonly #limit: number;
  readonly #signal: AbortSignal | undefined;
  #delay = firstDelay;
  #since: number | undefined;

  /** @param limit - For how many milliseconds to try again without progress. */
  constructor(limit: number, signal: AbortSignal | undefined) {
    this.#limit = limit;
    this.#signal = signal;
  }

  /** Something has come: from here on counts what follows. */
  renew(): void {
    this.#delay = firstDelay;
    this.#since = undefined;
  }

  /**
   * Waits until it is time to try again: each time twice as long, not all clients at once, and not before the server wants it.
   * @throws the error where trying again is of no use, or would take too long; the signal's reason.
   */
  async wait(error: unknown): Promise<void> {
    if (!isPassing(error)) throw error;
    const now = Date.now();
    this.#since ??= now;
    const delay = (error.retryAfter ?? 0) + this.#delay * (0.5 + Math.random() / 2);
    if (now + delay - this.#since > this.#limit) throw error;
    this.#delay = Math.min(2 * this.#delay, longestDelay);
    await sleep(delay, this.#signal);
  }
}
