import { Lru } from "../base/util/lru.ts";
import type { RunStream } from "../run/events/run-stream.ts";

/** How many runs are remembered by the keys that clients have named them by, and how many characters their requests may have together. */
const mostKeys = 200;
const mostCharacters = 16_777_216;

/** Runs that are not in the store, since their clients have the conversation. */
export class PlainRuns {
  readonly #active = new Set<RunStream>();
  readonly #byKey = new Lru<Promise<RunStream>>(mostKeys, mostCharacters);

  /**
   * Starts a run, or returns the one that the user has started with the same key.
   * @param key - The `idempotency-key` of the request, if it has one.
   * @param size - How many characters the request has, about.
   */
  async open(
    user: string,
    key: string | null,
    size: number,
    start: () => Promise<RunStream>,
  ): Promise<RunStream> {
    if (key === null) return start();
    const name = JSON.stringify([user, key]);
    const earlier = this.#byKey.get(name);
    if (earlier) return earlier;
    const started = start();
    this.#byKey.set(name, started, size);
    // What was refused may be asked for again.
    started.catch(() => this.#byKey.delete(name));
    return started;
  }

  /** Counts a run until it ends. */
  add(running: RunStream): void {
    this.#active.add(running);
    const end = (): void => void this.#active.delete(running);
    running.result.then(end, end);
  }

  /** Waits for the runs under way, and cancels what is left of them after `drain` milliseconds. */
  async close(drain: number): Promise<void> {
    if (this.#active.size === 0) return;
    const timer = setTimeout(() => {
      for (const running of this.#active) running.cancel("The server is closing.");
    }, drain);
    await Promise.allSettled([...this.#active].map(({ result }) => result));
    clearTimeout(timer);
  }
}
