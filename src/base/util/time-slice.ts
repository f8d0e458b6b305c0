/** Steps, and milliseconds, after which timers and signals get their turn. */
const sliceSteps = 256;
const sliceMs = 10;

/** Sees that a loop which may never truly wait cannot keep timers and signals from their turn. */
export class TimeSlice {
  #steps = 0;
  #start = performance.now();

  /** To be awaited after each step of the loop; `undefined` while there is time left. */
  next(): Promise<void> | undefined {
    this.#steps++;
    return this.#steps % sliceSteps > 0 && performance.now() - this.#start < sliceMs
      ? undefined
      : this.#pause();
  }

  async #pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#start = performance.now();
  }
}
