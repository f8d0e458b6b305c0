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
  #waiting: EventReader[] = [];

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
  read(from: number): AsyncIterableIterator<RunEvent, void> {
    return new EventReader(this, Math.max(0, from));
  }

  /** The first event with that index or a higher one, if it is there already. */
  firstFrom(index: number): RunEvent | undefined {
    return this.#events[this.#place(index)];
  }

  /** Has a reader answered as soon as there is more to read. */
  notify(reader: EventReader): void {
    this.#waiting.push(reader);
  }

  /** How the log ended; `undefined` while events may come. */
  get end(): LogEnd | undefined {
    return this.#closed ? { error: this.#error } : undefined;
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
    for (const reader of waiting) reader.answer();
  }
}

/** How a log ended: with an error, unless that is `undefined`. */
interface LogEnd {
  readonly error: unknown;
}

type ReadEvent = IteratorResult<RunEvent, void>;

const finished: ReadEvent = { done: true, value: undefined };

/** One reader of a log. Bench row "stream(), every event read": an async generator makes an event twice as dear. */
class EventReader implements AsyncIterableIterator<RunEvent, void> {
  readonly #log: EventLog;
  /** The index of the next event; `undefined` once the reader is done. */
  #next: number | undefined;
  /** The requests that wait for an event, in their order. */
  #requests: PromiseWithResolvers<ReadEvent>[] = [];

  constructor(log: EventLog, from: number) {
    this.#log = log;
    this.#next = from;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<ReadEvent> {
    if (this.#requests.length === 0) {
      const event = this.#take();
      if (event) return Promise.resolve({ done: false, value: event });
      if (this.#next === undefined) return Promise.resolve(finished);
    }
    const request = Promise.withResolvers<ReadEvent>();
    this.#requests.push(request);
    if (this.#log.end) this.answer();
    else if (this.#requests.length === 1) this.#log.notify(this);
    return request.promise;
  }

  return(): Promise<ReadEvent> {
    this.#next = undefined;
    this.answer();
    return Promise.resolve(finished);
  }

  /** Answers the requests that wait, as far as there are events for them. */
  answer(): void {
    let answered = 0;
    for (const { resolve, reject } of this.#requests) {
      const event = this.#take();
      const { end } = this.#log;
      if (event) resolve({ done: false, value: event });
      else if (this.#next === undefined) resolve(finished);
      else if (!end) break;
      else {
        this.#next = undefined;
        if (end.error === undefined) resolve(finished);
        else reject(end.error);
      }
      answered++;
    }
    this.#requests = this.#requests.slice(answered);
    if (this.#requests.length > 0) this.#log.notify(this);
  }

  /** The next event, if it is there. */
  #take(): RunEvent | undefined {
    const next = this.#next;
    const event = next === undefined ? undefined : this.#log.firstFrom(next);
    if (next === undefined || !event) return undefined;
    const { agent, index } = event;
    const isGap = index > next;
    this.#next = isGap ? index : index + 1;
    // It has the last of their numbers, so that a reader who leaves here continues behind them.
    return isGap ? { index: index - 1, type: "events-dropped", agent, count: index - next } : event;
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
