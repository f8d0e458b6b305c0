/** Gives each call an id that no other call has: results are told apart by it. */
export class UniqueIds {
  readonly #used: ReadonlySet<string>;
  readonly #claimed = new Set<string>();
  /** Up to where the numbers behind an id are used: an answer may have thousands of calls of one id. */
  readonly #counts = new Map<string, number>();
  readonly #fit: (id: string) => string;

  /**
   * @param used - Ids that nothing else may have: those of the history's calls.
   * @param fit - Writes an id as its reader accepts it; unchanged by default. Ids that differ in their ends must stay different.
   */
  constructor(used: ReadonlySet<string> = new Set(), fit: (id: string) => string = (id) => id) {
    this.#used = used;
    this.#fit = fit;
  }

  /** `id` itself if it is free (some providers count from `call_0` in every answer), else a new one. */
  claim(id: string): string {
    const stem = id === "" ? "call" : id;
    let free = this.#fit(id === "" ? `call_${this.#used.size + this.#claimed.size}` : id);
    if (this.#isUsed(free)) {
      let count = this.#counts.get(stem) ?? 1;
      do free = this.#fit(`${stem}_${(count += 1)}`);
      while (this.#isUsed(free));
      this.#counts.set(stem, count);
    }
    this.#claimed.add(free);
    return free;
  }

  #isUsed(id: string): boolean {
    return this.#used.has(id) || this.#claimed.has(id);
  }
}
