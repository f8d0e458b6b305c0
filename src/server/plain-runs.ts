import type { RunStream } from "../run/events/run-stream.ts";
import { startTimer } from "../base/util/timer.ts";
import { assertSame } from "./received.ts";
import { SharedCache } from "./shared-cache.ts";

/** How many ended runs are remembered by the keys that clients have named them by, and how many characters their requests may have together. */
const mostEnded = { entries: 1_000, size: 16_777_216 } as const;

/** A run that a client has named, and a digest of its request. */
interface PlainRun {
  readonly started: Promise<RunStream>;
  readonly contents: string;
}

/** Runs that are not in the store, since their clients have the conversation. */
export class PlainRuns {
  readonly #active = new Set<RunStream>();
  /** Runs under way that clients have named: the limits of runs are theirs. */
  readonly #named = new Map<string, PlainRun>();
  readonly #ended = new SharedCache<PlainRun>(mostEnded);
  readonly #left = new WeakSet<RunStream>();

  /**
   * Starts a run, or returns the one that the user has started with the same key.
   * @param named - The `idempotency-key` of the request, if it has one, and a digest of what must be the same where it comes again.
   * @param size - How many characters the request has, about.
   * @throws Refusal (422) for another request with the key.
   */
  async open(
    user: string,
    named: { readonly key: string; readonly contents: string } | undefined,
    size: number,
    start: () => Promise<RunStream>,
  ): Promise<RunStream> {
    if (!named) return start();
    const { key, contents } = named;
    const name = JSON.stringify([user, key]);
    const earlier = this.#named.get(name) ?? this.#ended.get(user, key);
    if (earlier) {
      assertSame(earlier.contents, contents);
      return earlier.started;
    }
    const run = { started: start(), contents };
    this.#named.set(name, run);
    void this.#forget(name, run.started, () => this.#ended.set(user, key, run, size));
    return run.started;
  }

  async #forget(name: string, started: Promise<RunStream>, keep: () => void): Promise<void> {
    // What was refused may be asked for again.
    const running = await started.catch(() => undefined);
    if (running) {
      await running.result.catch(() => {});
      keep();
    }
    this.#named.delete(name);
  }

  /** Counts a run until it ends. */
  add(running: RunStream): void {
    this.#active.add(running);
    const end = (): void => void this.#active.delete(running);
    running.result.then(end, end);
  }

  /** Whether a run was cancelled because the server closes. */
  isLeft(running: RunStream): boolean {
    return this.#left.has(running);
  }

  /** Waits for the runs under way, and cancels what is left of them after `drain` milliseconds. */
  async close(drain: number): Promise<void> {
    if (this.#active.size === 0) return;
    const stop = startTimer(() => {
      for (const running of this.#active) {
        this.#left.add(running);
        running.cancel("The server is closing.");
      }
    }, drain);
    await Promise.allSettled([...this.#active].map(({ result }) => result));
    stop();
  }
}
