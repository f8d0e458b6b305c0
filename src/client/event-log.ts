import type { RemoteEvent } from "./types.ts";

/**
 * The events of a run for any number of readers. Writing never waits, and only the newest `capacity` events (at least) are there: an event
 * `events-dropped` stands for the others. That of a run in the same process has numbers without gaps; here the server leaves some out.
 */
export class RemoteEventLog {
  readonly #capacity: number;
  #events: RemoteEvent[] = [];
  /** The index behind the last event that gave way. */
  #first = 0;
  #end: { readonly error: unknown } | undefined;
  #change: Promise<void> | undefined;
  #wake: (() => void) | undefined;

  /** @param capacity - How many events are there at least. */
  constructor(capacity = 16_384) {
    this.#capacity = capacity;
  }

  /** Adds an event. One that restarts a turn voids the events of it: who comes later does not see them. */
  push(event: RemoteEvent): void {
    if (event.type === "turn-restart") this.#events.length = this.#place(event.from);
    this.#events.push(event);
    // Making room for half of them keeps the cost of an event constant.
    if (this.#events.length >= this.#capacity * 2) {
      const dropped = this.#events.splice(0, this.#events.length - this.#capacity);
      this.#first = (dropped.at(-1)?.index ?? 0) + 1;
    }
    this.#notify();
  }

  /** Ends every reader once it has read what there is; with an error, the readers throw it. */
  close(error?: unknown): void {
    this.#end = { error };
    this.#notify();
  }

  /** The events from an index on, until the log is closed. */
  async *read(from: number): AsyncGenerator<RemoteEvent, void> {
    for (let next = from; ;) {
      const event = this.#events[this.#place(next)];
      if (event && next < this.#first) {
        const count = this.#first - next;
        next = this.#first;
        yield { type: "events-dropped", index: next - 1, agent: event.agent, count };
      } else if (event) {
        next = event.index + 1;
        yield event;
      } else if (this.#end) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else await (this.#change ??= new Promise((resolve) => (this.#wake = resolve)));
    }
  }

  /** Where the first event with that index or a higher one is, or would be. */
  #place(index: number): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.index ?? index) < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #notify(): void {
    this.#wake?.();
    this.#change = this.#wake = undefined;
  }
}
