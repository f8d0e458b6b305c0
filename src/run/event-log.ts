import type { RunEvent } from "./types.ts";

/**
 * The events of a run, numbered, for any number of readers. Writing never waits. Only the newest `capacity` events (at
 * least) are kept: a reader who falls further behind misses the oldest.
 */
export class EventLog {
  readonly #capacity: number;
  #events: RunEvent[] = [];
  /** The index of the first event that is kept. */
  #first = 0;
  #closed = false;
  #error: unknown;
  #waiting: (() => void)[] = [];

  /** @param capacity how many events are kept at least. */
  constructor(capacity = 16_384) {
    this.#capacity = capacity;
  }

  /** Adds an event. */
  push(event: RunEvent): void {
    this.#events.push(event);
    // Dropping half at a time keeps the cost of an event constant.
    if (this.#events.length >= this.#capacity * 2) {
      this.#events = this.#events.slice(this.#capacity);
      this.#first += this.#capacity;
    }
    this.#wake();
  }

  /** Ends every reader once it has read what there is; with an error, the readers throw it. */
  close(error?: unknown): void {
    this.#closed = true;
    this.#error = error;
    this.#wake();
  }

  /** The events from the one with index `from` on, until the log is closed. */
  async *read(from: number): AsyncGenerator<RunEvent, void> {
    for (let next = from; ;) {
      next = Math.max(next, this.#first);
      const event = this.#events[next - this.#first];
      if (event) {
        yield event;
        next++;
      } else if (this.#closed) break;
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#error !== undefined) throw this.#error;
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
