import type { ChangeListener, DurableStore } from "./store.ts";

/** How often to look although the store reports no change, in milliseconds: a change may have come just before. */
const longestWait = 1_000;

/** Notices changes of a run, from now on until `stop()`. */
export class Changes {
  readonly #stopWatching: () => void;
  readonly #signal: AbortSignal | undefined;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  /**
   * @param signal - Counts as a change when it is aborted.
   * @param what - `"run"`: what is to be read of the run; `"turn"`: what may make it due, which is changes of others in its conversation,
   * too.
   */
  constructor(
    store: DurableStore,
    id: string,
    signal: AbortSignal | undefined,
    what: "run" | "turn" = "run",
  ) {
    this.#signal = signal;
    const listener: ChangeListener = (changed) => {
      if (what === "turn" || changed === undefined || changed === id) this.#notice();
    };
    this.#stopWatching = store.watch(listener, { id, ...(what === "turn" && { events: false }) });
    signal?.addEventListener("abort", this.#notice);
  }

  /** Forgets the changes so far: what is read from now on has them. */
  reset(): void {
    this.#hasChanged = false;
  }

  /**
   * Waits for the first change since `reset()`.
   * @param longest - For how many milliseconds at most; a second by default.
   */
  async next(longest: number = longestWait): Promise<void> {
    if (this.#hasChanged) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longest);
      this.#wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  stop(): void {
    this.#stopWatching();
    this.#signal?.removeEventListener("abort", this.#notice);
  }

  readonly #notice = (): void => {
    this.#hasChanged = true;
    this.#wake?.();
  };
}
