import { endRetries, retryDelay } from "../../model/stream-model.ts";
import type { ModelEvent } from "../../model/types.ts";
import { unlessAborted } from "../../base/util/unless-aborted.ts";

/** Gives back another event in the place of one. */
type Change = (event: ModelEvent) => ModelEvent;

/**
 * One answer for all who ask for it at the same time. It is read as fast as the fastest of them reads, and goes on as long
 * as one of them does: who leaves, or is aborted, leaves alone. The first of them has the answer itself, the others copies.
 */
export class Flight {
  readonly #controller = new AbortController();
  readonly #source: AsyncGenerator<ModelEvent, void>;
  readonly #end: () => void;
  readonly #events: ModelEvent[] = [];
  /** In the order in which they came. */
  readonly #readers = new Set<object>();
  #pulling: Promise<boolean> | undefined;
  #isComplete = false;
  #hasThrown = false;

  /**
   * @param open asks for the answer; the signal is aborted when nobody waits for it any more.
   * @param end called, perhaps several times, once nobody shall join any more.
   */
  constructor(open: (signal: AbortSignal) => AsyncGenerator<ModelEvent, void>, end: () => void) {
    this.#source = open(this.#controller.signal);
    this.#end = end;
  }

  /**
   * The answer from its beginning.
   * @param toCopy makes of an event what others than the first reader get.
   * @throws the signal's reason, and what the answer fails with.
   */
  async *read(signal: AbortSignal | undefined, toCopy: Change): AsyncGenerator<ModelEvent, void> {
    const reader = {};
    this.#readers.add(reader);
    const isFirst = (): boolean => this.#readers.values().next().value === reader;
    try {
      for (let index = 0; ; index++) {
        signal?.throwIfAborted();
        if (index === this.#events.length && !(await unlessAborted(this.#pull(), signal))) return;
        const event = this.#events[index];
        if (event) yield isFirst() ? event : toCopy(event);
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

  /** Whether there is one event more. */
  #pull(): Promise<boolean> {
    return (this.#pulling ??= this.#next());
  }

  async #next(): Promise<boolean> {
    try {
      const { done, value } = await this.#source.next();
      // What has ended or failed stays so, for those who come to it later.
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
    // An answer that has come to its end leaves its connection in order.
    if (!this.#isComplete) this.#controller.abort(signal?.reason);
    const closing = this.#source.return();
    // A model that does not heed its signal holds nobody who was aborted.
    if (signal?.aborted) closing.catch(() => {});
    else await closing;
  }
}

/** An error like it, without the state that another run has put into it. */
function copyOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { state: _, ...own } = Object.getOwnPropertyDescriptors<Error & { readonly state?: unknown }>(error);
  const copy: unknown = Object.create(Object.getPrototypeOf(error), own);
  if (retryDelay(error, 0) === undefined) endRetries(copy);
  return copy;
}
