import { unref } from "../base/util/unref.ts";
import { Heap } from "./memory/heap.ts";
import type { RunChange } from "./store.ts";

/** Of how many runs it is remembered when they are due: one beyond is noticed by the next look of a worker, within a second. */
const mostTimes = 10_000;

/** The longest wait, in milliseconds: then it is looked what is left of it. */
const longestTimer = 1_000_000_000;

/** When a run is due, in milliseconds since 1970. */
interface DueTime {
  readonly time: number;
}

/** When runs are due that this program has stored: a store reports that a run has changed, not that its time has come. */
export class DueTimes {
  readonly #times = new Heap<DueTime>((one, other) => one.time < other.time);
  #listener: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: DueTime | undefined;

  /** @param listener - Is called whenever a run is due. */
  listen(listener: () => void): void {
    this.#listener = listener;
    this.#start();
  }

  /** Nobody listens any more. */
  stop(): void {
    this.#listener = undefined;
    clearTimeout(this.#timer);
    this.#next = undefined;
  }

  /** Notes when a run is due, once that is stored. */
  note(due: NonNullable<RunChange["due"]>): void {
    const now = Date.now();
    const time = "at" in due ? due.at : now + due.in;
    // What is due already, the change itself reports.
    if (time <= now || this.#times.size >= mostTimes) return;
    this.#times.add({ time });
    this.#start();
  }

  #start(): void {
    const { first } = this.#times;
    if (!this.#listener || !first || first === this.#next) return;
    clearTimeout(this.#timer);
    this.#next = first;
    this.#timer = setTimeout(() => this.#look(), Math.min(first.time - Date.now(), longestTimer));
    // What waits for runs holds the process, if it is to.
    unref(this.#timer);
  }

  #look(): void {
    const now = Date.now();
    let isDue = false;
    for (let { first } = this.#times; first && first.time <= now; { first } = this.#times) {
      this.#times.delete(first);
      isDue = true;
    }
    this.#next = undefined;
    if (isDue) this.#listener?.();
    this.#start();
  }
}
