/** Translates events to another protocol, one after the other. It has the state of that protocol. */
export interface Encoder<Event, Chunk> {
  /** What an event is in the protocol: nothing, or several chunks. */
  encode(event: Event): readonly Chunk[];
  /** What ends the protocol's stream if the events could not be read to their end; `undefined` if they end without a word. */
  fail(error: unknown): readonly Chunk[];
}

/**
 * The chunks of a run, those of each event together. What reading the events throws behind a `run-end` is that run's own failure, which
 * the encoder has passed on already.
 */
export class EncodedEvents<Event extends { readonly type: string }, Chunk> implements AsyncIterableIterator<
  readonly Chunk[],
  void
> {
  readonly #events: AsyncIterator<Event, unknown>;
  readonly #encoder: Encoder<Event, Chunk>;
  #hasEnded = false;
  #isDone = false;

  constructor(source: AsyncIterable<Event>, encoder: Encoder<Event, Chunk>) {
    this.#events = source[Symbol.asyncIterator]();
    this.#encoder = encoder;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly Chunk[], void>> {
    while (!this.#isDone) {
      const chunks = await this.#read();
      if (chunks.length > 0) return { done: false, value: chunks };
    }
    return { done: true, value: undefined };
  }

  // A generator's would wait for the event that is on its way.
  async return(): Promise<IteratorResult<readonly Chunk[], void>> {
    this.#isDone = true;
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  async #read(): Promise<readonly Chunk[]> {
    try {
      const next = await this.#events.next();
      if (next.done !== true) {
        // A run that paused may have gone on.
        this.#hasEnded = next.value.type === "run-end";
        return this.#encoder.encode(next.value);
      }
      this.#isDone = true;
      return this.#hasEnded ? [] : this.#encoder.fail(undefined);
    } catch (error) {
      this.#isDone = true;
      return this.#hasEnded ? [] : this.#encoder.fail(error);
    }
  }
}
