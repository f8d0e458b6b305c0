import { endRetries, retryDelay } from "../../model/stream-model.ts";
import type { ModelEvent } from "../../model/types.ts";
import { unlessAborted } from "../../base/util/unless-aborted.ts";

/** Returns the event that replaces another one. */
type Change = (event: ModelEvent) => ModelEvent;

/**
 * One answer, shared by the readers that ask for it at the same time. It is read as fast as the fastest reader reads, and continues
 * until all readers have left: a reader that leaves or is aborted does not stop the others. The first reader is the owner and gets
 * the events themselves; the others get copies.
 */
export class InFlight {
  readonly #controller = new AbortController();
  readonly #source: AsyncGenerator<ModelEvent, void>;
  readonly #end: () => void;
  readonly #events: ModelEvent[] = [];
  /** In the order in which they joined: the first is the owner. */
  readonly #readers = new Set<object>();
  #pulling: Promise<boolean> | undefined;
  #isComplete = false;
  #hasThrown = false;

  /**
   * @param open - Starts the answer. Its signal is aborted when the last reader leaves.
   * @param end - Called, perhaps several times, when no further reader may join.
   */
  constructor(open: (signal: AbortSignal) => AsyncGenerator<ModelEvent, void>, end: () => void) {
    this.#source = open(this.#controller.signal);
    this.#end = end;
  }

  /**
   * Reads the answer from its beginning.
   * @param toCopy - Makes the copy of an event for readers other than the owner.
   * @throws the signal's reason, and the error of the answer.
   */
  async *read(signal: AbortSignal | undefined, toCopy: Change): AsyncGenerator<ModelEvent, void> {
    const reader = {};
    this.#readers.add(reader);
    const isOwner = (): boolean => this.#readers.values().next().value === reader;
    try {
      for (let index = 0; ; index++) {
        signal?.throwIfAborted();
        if (index === this.#events.length && !(await unlessAborted(this.#pull(), signal))) return;
        const event = this.#events[index];
        if (event) yield isOwner() ? event : toCopy(event);
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      const copy = this.#hasThrown ? copyOf(error) : error;
      this.#hasThrown = true;
      throw copy;
    } finally {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) await this.#close(signal);
    }
  }

  /** Reads one more event; `false` at the end. */
  #pull(): Promise<boolean> {
    return (this.#pulling ??= this.#next());
  }

  async #next(): Promise<boolean> {
    try {
      const { done, value } = await this.#source.next();
      // An end or a failure stays in `#pulling`, for the readers that get there later.
      if (done || value.type === "finish") this.#end();
      if (done) return false;
      this.#isComplete = value.type === "finish";
      this.#events.push(value);
      this.#pulling = undefined;
      return true;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async #close(signal: AbortSignal | undefined): Promise<void> {
    this.#end();
    // A complete answer needs no abort, which would break its connection.
    if (!this.#isComplete) this.#controller.abort(signal?.reason);
    const closing = this.#source.return();
    // A model that ignores its signal must not hold up a reader that was aborted.
    if (signal?.aborted) closing.catch(() => {});
    else await closing;
  }
}

/** A copy of an error, without the state that another run added to it. */
function copyOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { state: _, ...own } = Object.getOwnPropertyDescriptors<Error & { readonly state?: unknown }>(error);
  const copy: unknown = Object.create(Object.getPrototypeOf(error), own);
  if (retryDelay(error, 0) === undefined) endRetries(copy);
  return copy;
}
