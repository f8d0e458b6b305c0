import { ignoreRejections } from "../base/util/dropped-promises.ts";

/** How work ended. */
export type Settlement<T = unknown> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "timeout" }
  | { readonly kind: "cancelled" };

/** A signal that is made only if somebody asks for it: most tools do not. */
export class LazySignal {
  #controller: AbortController | undefined;
  #reason: unknown;
  #aborted = false;

  /** Whether it was aborted. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** The signal itself. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Aborts the signal, now or when it is made. */
  abort(reason: unknown): void {
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/**
 * Waits for work, but no longer than `timeout` milliseconds and not beyond the abortion of `parent`. Work that goes on
 * all the same is signalled through `signal` and otherwise left alone: how it settles later is of no consequence.
 */
export function settle<T>(
  work: PromiseLike<T>,
  signal: LazySignal,
  timeout: number,
  parent: AbortSignal | undefined,
): Promise<Settlement<T>> {
  return new Promise((resolve) => {
    const wait = new Wait(resolve, signal, timeout, parent);
    work.then(
      (value) => wait.finish({ kind: "value", value }),
      (error: unknown) => wait.finish({ kind: "error", error }),
    );
    // Bench row "loop, a turn of 50": most tools are done by then, and clock and signal need not be watched.
    void nextMicrotask.then(() => wait.watch());
  });
}

const nextMicrotask = Promise.resolve();

/** One wait for the end of work. */
class Wait<T> {
  readonly #resolve: (settlement: Settlement<T>) => void;
  readonly #signal: LazySignal;
  readonly #timeout: number;
  readonly #parent: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSettled = false;
  #isWatched = false;

  constructor(
    resolve: (settlement: Settlement<T>) => void,
    signal: LazySignal,
    timeout: number,
    parent: AbortSignal | undefined,
  ) {
    this.#resolve = resolve;
    this.#signal = signal;
    this.#timeout = timeout;
    this.#parent = parent;
  }

  /** Ends the wait, if it has not ended. */
  finish(settlement: Settlement<T>): void {
    if (this.#isSettled && settlement.kind === "value") ignoreRejections(settlement.value);
    this.#isSettled = true;
    if (this.#isWatched) {
      clearTimeout(this.#timer);
      this.#parent?.removeEventListener("abort", this);
    }
    this.#resolve(settlement);
  }

  /** From now on the clock and the parent's signal can end the wait. */
  watch(): void {
    if (this.#isSettled) return;
    if (this.#parent?.aborted) return this.handleEvent();
    this.#isWatched = true;
    this.#parent?.addEventListener("abort", this);
    // Timers hold 32-bit delays; longer ones would fire at once.
    if (this.#timeout <= 0x7fffffff) this.#timer = setTimeout(() => this.#expire(), this.#timeout);
  }

  /** The parent's signal was aborted. */
  handleEvent(): void {
    this.#signal.abort(this.#parent?.reason);
    this.finish({ kind: "cancelled" });
  }

  #expire(): void {
    const reason = new DOMException(`The tool took longer than ${this.#timeout} ms.`, "TimeoutError");
    this.#signal.abort(reason);
    this.finish({ kind: "timeout" });
  }
}
