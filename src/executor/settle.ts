/** How work ended. */
export type Settlement =
  | { readonly kind: "value"; readonly value: unknown }
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
 * all the same is told through `signal` and otherwise left alone: how it settles later is of no consequence.
 */
export function settle(
  work: PromiseLike<unknown>,
  signal: LazySignal,
  timeout: number,
  parent: AbortSignal | undefined,
): Promise<Settlement> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isSettled = false;
    let isWatched = false;
    const finish = (settlement: Settlement): void => {
      isSettled = true;
      clearTimeout(timer);
      if (isWatched) parent?.removeEventListener("abort", onAbort);
      resolve(settlement);
    };
    const onAbort = (): void => {
      signal.abort(parent?.reason);
      finish({ kind: "cancelled" });
    };
    const onTimeout = (): void => {
      signal.abort(new DOMException(`The tool took longer than ${timeout} ms.`, "TimeoutError"));
      finish({ kind: "timeout" });
    };
    work.then(
      (value) => finish({ kind: "value", value }),
      (error: unknown) => finish({ kind: "error", error }),
    );
    // Most tools are done by now: clock and signal are watched for those that are not.
    queueMicrotask(() => {
      if (isSettled) return;
      if (parent?.aborted) return onAbort();
      isWatched = true;
      parent?.addEventListener("abort", onAbort, { once: true });
      // Timers hold 32-bit delays; longer ones would fire at once.
      if (timeout <= 0x7fffffff) timer = setTimeout(onTimeout, timeout);
    });
  });
}
