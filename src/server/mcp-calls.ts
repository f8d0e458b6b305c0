import { Semaphore } from "../base/util/semaphore.ts";
import { startTimer } from "../base/util/timer.ts";
import type { RunLimit } from "./run-limit.ts";

/** The calls of MCP clients under way: the limits of runs are theirs. */
export class McpCalls {
  readonly #limit: RunLimit;
  readonly #places: Semaphore;
  readonly #active = new Set<Promise<void>>();

  /** @param most - How many are executed at once; the others wait. */
  constructor(limit: RunLimit, most: number) {
    this.#limit = limit;
    this.#places = new Semaphore(most);
  }

  /**
   * Counts a call of a user, and waits for its place.
   * @returns what ends it.
   * @throws Refusal (429); the signal's reason.
   */
  async begin(user: string, signal: AbortSignal): Promise<() => void> {
    const release = await this.#limit.hold(user);
    const end = Promise.withResolvers<void>();
    const start = Promise.withResolvers<void>();
    const place = this.#places.run(() => {
      start.resolve();
      return end.promise;
    }, signal);
    this.#active.add(end.promise);
    place.catch(start.reject);
    const leave = (): void => {
      this.#active.delete(end.promise);
      release();
      end.resolve();
    };
    try {
      await start.promise;
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Waits for the calls under way, for `drain` milliseconds at most. */
  async close(drain: number): Promise<void> {
    if (this.#active.size === 0) return;
    const over = Promise.withResolvers<void>();
    const stop = startTimer(over.resolve, drain);
    await Promise.race([Promise.all(this.#active), over.promise]);
    stop();
  }
}
