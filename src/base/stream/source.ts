import { ignoreFailure } from "../util/ignore-failure.ts";

/** Values as they come, those that are there without a promise for each. One reader only, and calls of `wait` must not overlap. */
export interface Source<T> {
  /**
   * The next value if it is there, `null` at the end, `undefined` where it must be waited for.
   * @throws whatever broke the source
   */
  take(): T | null | undefined;
  /** Resolves when `take` may have a value, the end, or what to throw; also after `cancel`. Never rejects. */
  wait(): Promise<void>;
  /** The rest is not wanted. */
  cancel(reason?: unknown): void;
}

/** The values of an iterable; without a promise for each, where it is a source as well. */
export function sourceOf<T>(values: AsyncIterable<T>): Source<T> {
  return values instanceof SourceIterator ? values : new IteratorSource(values[Symbol.asyncIterator]());
}

/** A source that can be read as any other async iterator, too. */
export abstract class SourceIterator<T> implements Source<T>, AsyncIterableIterator<T, void> {
  #isDone = false;
  /** The last request: each is answered once the one before is. */
  #last: Promise<unknown> | undefined;

  abstract take(): T | null | undefined;
  abstract wait(): Promise<void>;
  abstract cancel(reason?: unknown): void;

  next(): Promise<IteratorResult<T, void>> {
    const result = this.#last ? this.#last.then(() => this.#next()) : this.#next();
    const settle = (): void => {
      if (this.#last === settled) this.#last = undefined;
    };
    const settled: Promise<void> = result.then(settle, settle);
    this.#last = settled;
    return result;
  }

  /** Does not wait for the value that is on its way. */
  async return(): Promise<IteratorResult<T, void>> {
    this.#end();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<T, void>> {
    this.#end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #next(): Promise<IteratorResult<T, void>> {
    try {
      while (!this.#isDone) {
        const value = this.take();
        if (value === null) break;
        if (value !== undefined) return { done: false, value };
        await this.wait();
      }
    } catch (error) {
      this.#isDone = true;
      throw error;
    }
    this.#isDone = true;
    return { done: true, value: undefined };
  }

  #end(): void {
    this.#isDone = true;
    this.cancel();
  }
}

class IteratorSource<T> implements Source<T> {
  readonly #iterator: AsyncIterator<T, unknown>;
  #value: T | null | undefined;
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(iterator: AsyncIterator<T, unknown>) {
    this.#iterator = iterator;
  }

  take(): T | null | undefined {
    const [value, failure] = [this.#value, this.#failure];
    this.#failure = undefined;
    if (failure) throw failure.error;
    if (value !== null) this.#value = undefined;
    return value;
  }

  /** Not the iterator's promise alone: one that is left need not answer. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      void this.#read().then(resolve);
    });
  }

  cancel(): void {
    this.#value = null;
    this.#wake?.();
    // Its own failure adds nothing: nobody reads it any more.
    void ignoreFailure(async () => this.#iterator.return?.());
  }

  async #read(): Promise<void> {
    try {
      const { done, value } = await this.#iterator.next();
      // What has ended meanwhile stays so.
      if (this.#value !== null) this.#value = done === true ? null : value;
    } catch (error) {
      if (this.#value !== null) this.#failure = { error };
      this.#value = null;
    }
  }
}
