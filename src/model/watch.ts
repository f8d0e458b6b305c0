import { ModelTimeoutError } from "../errors.ts";

/** The longest time that `setTimeout` can wait, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** The model of an exchange, for errors. */
interface Named {
  readonly provider: string;
  readonly modelId: string;
}

/**
 * Watches over one exchange: its `signal` is aborted when the caller's is, or when nothing of the answer comes for `timeout`
 * milliseconds while somebody waits, with a `ModelTimeoutError`. One timer serves the whole exchange, so that each piece costs two clock readings only.
 */
export class Watch {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  /** The timeout as it was set. */
  readonly #limit: number;
  #timeout: number;
  readonly #model: Named;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitingSince: number | undefined;
  /** How long somebody has waited since something of the answer came, the wait that goes on left out. */
  #waited = 0;
  #isEnding = false;

  constructor(caller: AbortSignal | undefined, timeout: number, model: Named) {
    this.#caller = caller;
    this.#timeout = timeout;
    this.#model = model;
    this.#limit = timeout;
    caller?.addEventListener("abort", this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Somebody waits, or still waits: what has come meanwhile may be nothing of the answer. */
  readonly begin = (): void => {
    this.#waitingSince ??= performance.now();
    this.#timer ??= this.#arm(Math.max(1, this.#timeout - this.#waited));
  };

  /** Nobody waits: the reader of the answer may take as long as it likes. */
  pause(): void {
    if (this.#waitingSince !== undefined) this.#waited += performance.now() - this.#waitingSince;
    this.#waitingSince = undefined;
  }

  /** Something of the answer has come: the wait for the next piece begins. */
  readonly restart = (): void => {
    this.#waited = 0;
    if (this.#waitingSince !== undefined) this.#waitingSince = performance.now();
  };

  /** Nothing but the end is to come: it is waited for `milliseconds` at most. */
  expectEnd(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timeout = milliseconds;
    this.restart();
    this.#isEnding = true;
  }

  /** Whether nothing but the end is to come. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** The exchange is over. */
  end(): void {
    this.#caller?.removeEventListener("abort", this.#follow);
    clearTimeout(this.#timer);
    this.#timer = undefined;
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

  #timeoutError(): ModelTimeoutError {
    const { provider, modelId } = this.#model;
    const message = `${provider}:${modelId} sent nothing of an answer for ${this.#limit} ms (settings.timeout).`;
    return new ModelTimeoutError(message, { provider, modelId });
  }

  #arm(milliseconds: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#ring(), Math.min(milliseconds, longestTimer));
  }

  #ring(): void {
    this.#timer = undefined;
    if (this.#waitingSince === undefined) return;
    const left = this.#timeout - this.#waited - (performance.now() - this.#waitingSince);
    if (left > 0) this.#timer = this.#arm(Math.max(1, left));
    else this.#controller.abort(this.#timeoutError());
  }
}
