import type { ChangeListener, DurableStore, EventGroup } from "./store.ts";

/** How often to look although the store reports no change, in milliseconds: a change may have come just before. */
const longestWait = 1_000;

/** Notices changes of a run, from now on until `stop()`. */
export class Changes {
  readonly #stopWatching: () => void;
  readonly #signal: AbortSignal | undefined;
  #hasChanged = false;
  /** The events that the changes have brought along since `next()` waits, as long as each brings all of them. */
  #added: EventGroup[] | undefined;
  #wake: (() => void) | undefined;
  /** One for all waits: readers of a run wait hundreds of times. */
  #timer: ReturnType<typeof setInterval> | undefined;
  /** For a wait that ends sooner. */
  #alarm: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;

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
    const listener: ChangeListener = (changed, added) => {
      if (what === "turn" || changed === undefined || changed === id) this.#notice(added);
    };
    this.#stopWatching = store.watch(listener, { id, ...(what === "turn" && { events: false }) });
    signal?.addEventListener("abort", this.#abort);
  }

  /** Whether there is a reason to look again. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** Forgets the changes so far: what is read from now on has them. */
  reset(): void {
    this.#hasChanged = false;
    this.#added = undefined;
  }

  /**
   * Waits for the first change since `reset()`.
   * @param longest - For how many milliseconds at most; a second by default. The same for each wait.
   * @param until - Not longer than to this time, in milliseconds since 1970.
   */
  next(longest: number = longestWait, until?: number): Promise<void> {
    if (this.#hasChanged || this.#hasEnded) return Promise.resolve();
    const rest = (until ?? Number.POSITIVE_INFINITY) - Date.now();
    // What is over has been looked at: it waits for something else.
    if (rest > 0 && rest < longest) this.#alarm = setTimeout(() => this.#notice(undefined), rest);
    // Not before: what a reader keeps that does not read would have no bounds.
    this.#added = [];
    this.#timer ??= setInterval(() => this.#look(), longest);
    return new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** The events that the changes have brought along since `next()` was called, which counts as reading them; `undefined` if they are to be read. */
  added(): readonly EventGroup[] | undefined {
    const added = this.#added;
    this.#added = undefined;
    if (!added || added.length === 0) return undefined;
    this.#hasChanged = false;
    return added;
  }

  /** Ends whatever waits. */
  stop(): void {
    this.#hasEnded = true;
    this.#stopWatching();
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#stopTimer();
    this.#resume();
  }

  readonly #abort = (): void => this.#notice(undefined);

  #notice(added: readonly EventGroup[] | undefined): void {
    if (added) this.#added?.push(...added);
    else this.#added = undefined;
    this.#hasChanged = true;
    this.#resume();
  }

  #look(): void {
    // A reader that has left without a word must not hold the process.
    if (!this.#wake) return this.#stopTimer();
    this.#notice(undefined);
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #resume(): void {
    clearTimeout(this.#alarm);
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
