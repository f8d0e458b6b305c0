/** The longest time that `setTimeout` can wait, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Who has a deadline, which may move. */
export interface Attended {
  /**
   * Looks whether the deadline is over.
   * @param now - On the clock of `performance.now()`, like all times here.
   * @returns when to look again at the soonest; `undefined` if there is no need any more.
   */
  look(now: number): number | undefined;
}

/** One timer for many deadlines of which hardly any comes: a timer for each would be made and thrown away for nothing. */
export class SharedTimer {
  readonly #attended = new Set<Attended>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rings = Number.POSITIVE_INFINITY;

  /** Looks after somebody, at that time or before it. */
  attend(one: Attended, at: number): void {
    this.#attended.add(one);
    if (at < this.#rings) this.#set(at);
    else if (this.#attended.size === 1) this.#hold(true);
  }

  /** Looks after somebody no longer. What is left of the timer keeps no process alive. */
  leave(one: Attended): void {
    if (this.#attended.delete(one) && this.#attended.size === 0) this.#hold(false);
  }

  #set(at: number): void {
    clearTimeout(this.#timer);
    this.#rings = at;
    const wait = Math.min(Math.max(1, at - performance.now()), longestTimer);
    this.#timer = setTimeout(() => this.#look(), wait);
  }

  #look(): void {
    this.#rings = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const one of this.#attended) {
      const again = one.look(now);
      if (again === undefined) this.#attended.delete(one);
      else next = Math.min(next, again);
    }
    if (next < Number.POSITIVE_INFINITY) this.#set(next);
  }

  /** Browsers' timers are numbers, and hold nothing. */
  #hold(isHeld: boolean): void {
    if (typeof this.#timer !== "object") return;
    if (isHeld) this.#timer.ref();
    else this.#timer.unref();
  }
}
