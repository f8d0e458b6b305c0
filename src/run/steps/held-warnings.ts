import type { ExecutionObserver } from "../../executor/types.ts";

/** Passes on what happens in a call, and holds its warnings, which may quote a result, until it is certain who may read that. */
export class HeldWarnings implements ExecutionObserver {
  readonly #observer: ExecutionObserver;
  #waiting: (readonly [message: string, discreet: string | undefined])[] | undefined = [];
  #isWithheld = false;

  constructor(observer: ExecutionObserver) {
    this.#observer = observer;
  }

  /** Passes on the warnings so far, and from then on each at once. Of a withheld result, only those without anything of it. */
  release(isWithheld: boolean): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#isWithheld = isWithheld;
    for (const warning of waiting) this.warn(...warning);
  }

  warn(message: string, discreet?: string): void {
    if (this.#waiting) this.#waiting.push([message, discreet]);
    else if (!this.#isWithheld) this.#observer.warn(message, discreet);
    else if (discreet !== undefined) this.#observer.warn(discreet);
  }

  start(...started: Parameters<ExecutionObserver["start"]>): void {
    this.#observer.start(...started);
  }

  progress(...reported: Parameters<ExecutionObserver["progress"]>): void {
    this.#observer.progress(...reported);
  }

  end(...ended: Parameters<ExecutionObserver["end"]>): void {
    this.#observer.end(...ended);
  }
}
