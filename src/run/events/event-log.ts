import type { RunEvent } from "../types.ts";

/**
 * The events of a run, numbered, for any number of readers. Writing never waits. Only the newest `capacity` events (at
 * least) are kept: a reader who falls further behind misses the oldest, and before those, all but the latest progress of
 * each call. An event in their place says how many.
 */
export class EventLog {
  readonly #capacity: number;
  /** In the order of their numbers, some of which are missing. */
  #events: RunEvent[] = [];
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
    // Making room for half of them keeps the cost of an event constant.
    if (this.#events.length >= this.#capacity * 2) {
      this.#events = latestProgress(this.#events).slice(-this.#capacity);
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
    for (let next = Math.max(0, from); ;) {
      const event = this.#events[this.#place(next)];
      if (event) {
        const { agent, index } = event;
        // It has the last of their numbers, so that a reader who leaves here goes on behind them.
        if (index > next) yield { index: index - 1, type: "events-dropped", agent, count: index - next };
        yield event;
        next = event.index + 1;
      } else if (this.#closed) break;
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#error !== undefined) throw this.#error;
  }

  /** Where the first event with that number or a higher one is. */
  #place(index: number): number {
    const events = this.#events;
    const [first, last] = [events[0]?.index ?? 0, events.at(-1)?.index ?? -1];
    // Where no number is missing, both are the place already.
    let low = Math.max(0, events.length - 1 - (last - index));
    let high = Math.min(events.length, Math.max(0, index - first));
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle]?.index ?? index) < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Of the progress of each call, the latest only. */
function latestProgress(events: readonly RunEvent[]): RunEvent[] {
  const calls = new Set<string>();
  const latest = events.toReversed().filter((event) => {
    if (event.type !== "tool-progress") return true;
    if (calls.has(event.toolCallId)) return false;
    calls.add(event.toolCallId);
    return true;
  });
  return latest.toReversed();
}
