/**
 * The items of batches, one by one. An item that is there already costs one settled promise, which is a fraction of what
 * an asynchronous generator's `yield` costs. What `batches` throws comes after the items before it. Calls of `next` are
 * answered in their order, however many are made at once. Leaving the loop early ends `batches`.
 * @param signal - When it is aborted, the items that are there are held back; `batches` is to throw its reason.
 */
export function flatten<T>(
  batches: AsyncGenerator<readonly T[], void, undefined>,
  signal?: AbortSignal,
): AsyncIterableIterator<T, void, undefined> {
  return new Flattened(batches, signal);
}

type Result<T> = IteratorResult<T, void>;

class Flattened<T> implements AsyncIterableIterator<T, void, undefined> {
  readonly #batches: AsyncGenerator<readonly T[], void, undefined>;
  readonly #signal: AbortSignal | undefined;
  #batch: Iterator<T> = [].values();
  /** The last call of `next` that had to wait. */
  #waiting: Promise<Result<T>> | undefined;

  constructor(batches: AsyncGenerator<readonly T[], void, undefined>, signal: AbortSignal | undefined) {
    this.#batches = batches;
    this.#signal = signal;
  }

  next(): Promise<Result<T>> {
    if (this.#signal?.aborted) this.#batch = [].values();
    if (!this.#waiting) {
      const item = this.#batch.next();
      if (!item.done) return Promise.resolve(item);
    }
    const pull = (): Promise<Result<T>> => this.#pull();
    const turn = this.#waiting ? this.#waiting.then(pull, pull) : pull();
    const settled = (): void => {
      if (this.#waiting === turn) this.#waiting = undefined;
    };
    this.#waiting = turn;
    turn.then(settled, settled);
    return turn;
  }

  async return(): Promise<Result<T>> {
    this.#batch = [].values();
    await this.#batches.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #pull(): Promise<Result<T>> {
    for (;;) {
      const item = this.#batch.next();
      if (!item.done) return item;
      const next = await this.#batches.next();
      if (next.done) return { done: true, value: undefined };
      this.#batch = next.value.values();
    }
  }
}
