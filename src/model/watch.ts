import { type Attended, SharedTimer } from "../util/shared-timer.ts";

/** Looks after all exchanges: there are many, and hardly any takes too long. */
const timer = new SharedTimer();

/**
 * Watches over one exchange: its `signal` is aborted when the caller's is, or when nothing comes for `timeout`
 * milliseconds while somebody waits. A piece costs a clock reading only.
 */
export class Watch implements Attended {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  #timeout: number;
  readonly #timeoutError: () => Error;
  #waitingSince: number | undefined;
  #isEnding = false;
  #isAttended = false;

  constructor(caller: AbortSignal | undefined, timeout: number, timeoutError: () => Error) {
    this.#caller = caller;
    this.#timeout = timeout;
    this.#timeoutError = timeoutError;
    caller?.addEventListener("abort", this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Somebody begins to wait, or something has come. */
  readonly begin = (): void => {
    this.#waitingSince = performance.now();
    if (!this.#isAttended) this.#attend(this.#waitingSince);
  };

  /** Nobody waits: whoever reads the answer takes as long as it likes. */
  pause(): void {
    this.#waitingSince = undefined;
  }

  /** Nothing but the end is to come: it is waited for `milliseconds` at most. */
  expectEnd(milliseconds: number): void {
    this.#timeout = milliseconds;
    this.#isEnding = true;
    this.#attend(performance.now());
  }

  /** Whether nothing but the end is to come. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** The exchange is over. */
  end(): void {
    this.#caller?.removeEventListener("abort", this.#follow);
    timer.leave(this);
  }

  /** Gives up if nothing has come for too long. Where nobody waits, there is nothing to look after. */
  look(now: number): number | undefined {
    const deadline = this.#waitingSince === undefined ? undefined : this.#waitingSince + this.#timeout;
    if (deadline !== undefined && deadline > now) return deadline;
    this.#isAttended = false;
    if (deadline !== undefined) this.#controller.abort(this.#timeoutError());
    return undefined;
  }

  /** The promise's value, or the signal's reason as soon as it is aborted; a value that comes later goes to `discard`. */
  async race<T>(promise: Promise<T>, discard: (late: T) => unknown): Promise<T> {
    const { signal } = this;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    try {
      return await Promise.race([promise, aborted]);
    } catch (error) {
      // The one who asked has left: what comes too late, value or error, is nobody's.
      promise.then(discard).catch(() => {});
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  readonly #follow = (): void => this.#controller.abort(this.#caller?.reason);

  #attend(now: number): void {
    this.#isAttended = true;
    timer.attend(this, now + this.#timeout);
  }
}
