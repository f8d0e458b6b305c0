import { SourceIterator, sourceOf, type Source } from "./source.ts";

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
export class EncodedEvents<Event extends { readonly type: string }, Chunk> extends SourceIterator<
  readonly Chunk[]
> {
  readonly #events: Source<Event>;
  readonly #encoder: Encoder<Event, Chunk>;
  #hasEnded = false;
  #isDone = false;

  constructor(source: AsyncIterable<Event>, encoder: Encoder<Event, Chunk>) {
    super();
    this.#events = sourceOf(source);
    this.#encoder = encoder;
  }

  take(): readonly Chunk[] | null | undefined {
    while (!this.#isDone) {
      const chunks = this.#read();
      if (chunks === undefined || chunks.length > 0) return chunks;
    }
    return null;
  }

  wait(): Promise<void> {
    return this.#events.wait();
  }

  cancel(): void {
    this.#isDone = true;
    this.#events.cancel();
  }

  #read(): readonly Chunk[] | undefined {
    try {
      const event = this.#events.take();
      if (event === undefined) return undefined;
      if (event !== null) {
        // A run that paused may have gone on.
        this.#hasEnded = event.type === "run-end";
        return this.#encoder.encode(event);
      }
      this.#isDone = true;
      return this.#hasEnded ? [] : this.#encoder.fail(undefined);
    } catch (error) {
      this.#isDone = true;
      return this.#hasEnded ? [] : this.#encoder.fail(error);
    }
  }
}
