import { sleep } from "../base/util/sleep.ts";
import { DurableRunError } from "./errors.ts";

/**
 * How often in a row who waits for a run bears that the store fails, and how long they pause after the first time, in milliseconds: each time
 * twice as long, 13 seconds in all. The run goes on meanwhile, or once the store is back.
 */
const mostFailures = 8;
const firstPause = 100;

/** Bears a store that is away for a moment. */
export class Patience {
  #failures = 0;

  /** The store has answered. */
  renew(): void {
    this.#failures = 0;
  }

  /**
   * Pauses until the store may be back, or nobody waits any more.
   * @throws the failure, if it is another one or one too many.
   */
  async bear(failure: unknown, signal: AbortSignal | undefined): Promise<void> {
    const isOfStore = failure instanceof DurableRunError && failure.code === "store-failed";
    if (!isOfStore || (this.#failures += 1) >= mostFailures) throw failure;
    // What ends the pause is seen by who waits.
    await sleep(firstPause * 2 ** (this.#failures - 1), signal).catch(() => {});
  }
}
