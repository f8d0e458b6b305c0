import { isPromiseLike } from "../base/util/promise-like.ts";

/** Thrown inside a run that was cancelled; it never leaves the run. */
export class RunCancelled extends Error {
  constructor(reason: unknown) {
    super("The run was cancelled.", { cause: reason });
    this.name = "RunCancelled";
  }
}

/** Everything that can end a run before its time, in one place: the caller's signal, the timeout, `cancel()`. */
export class CancelScope {
  readonly #controller = new AbortController();
  /** Bench row "loop, a turn of 50": a list, since mostly one waits, and a set costs more to empty than a list. */
  readonly #waiting: ((reason: unknown) => void)[] = [];
  readonly #parent: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;
  readonly #onParentAbort = (): void => this.cancel(this.#parent?.reason);

  /** @param timeout milliseconds until the scope cancels itself. */
  constructor(parent: AbortSignal | undefined, timeout: number | undefined) {
    this.#parent = parent;
    if (parent?.aborted) this.cancel(parent.reason);
    else parent?.addEventListener("abort", this.#onParentAbort, { once: true });
    // Timers hold 32-bit delays; longer ones would fire at once.
    if (timeout !== undefined && timeout <= 0x7fffffff) {
      const reason = new DOMException(`The run took longer than ${timeout} ms.`, "TimeoutError");
      this.#timer = setTimeout(() => this.cancel(reason), timeout);
    }
  }

  /** Aborted with the scope. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the run is to end. */
  get isCancelled(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Cancels; only the first time counts. */
  cancel(reason?: unknown): void {
    if (this.isCancelled) return;
    this.#controller.abort(reason);
    for (const reject of this.#waiting.splice(0)) reject(new RunCancelled(reason));
  }

  /**
   * The value of `work`: at once if it is there already. Bench row "loop, a turn of 50".
   * @throws RunCancelled at once on cancellation, whether or not `work` takes notice.
   */
  race<T>(work: T | PromiseLike<T>): T | Promise<T> {
    if (!isPromiseLike(work)) {
      if (this.isCancelled) throw new RunCancelled(this.signal.reason);
      return work;
    }
    return new Promise((resolve, reject) => {
      if (this.isCancelled) {
        // The work may have cancelled the run itself; how it ends is of no consequence then.
        work.then(undefined, () => {});
        return reject(new RunCancelled(this.signal.reason));
      }
      this.#waiting.push(reject);
      work.then(
        (value) => {
          this.#forget(reject);
          return resolve(value);
        },
        (error: unknown) => {
          this.#forget(reject);
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever the work threw
          reject(error);
        },
      );
    });
  }

  /** Whether what it stood around is over. */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  #forget(reject: (reason: unknown) => void): void {
    const place = this.#waiting.lastIndexOf(reject);
    if (place === this.#waiting.length - 1) this.#waiting.pop();
    else if (place >= 0) this.#waiting.splice(place, 1);
  }

  /** Lets go of the caller's signal and the timer. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#parent?.removeEventListener("abort", this.#onParentAbort);
  }
}
