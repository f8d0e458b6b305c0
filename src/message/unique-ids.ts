/** Gives each call an id that no other call has: results are told apart by it. */
export class UniqueIds {
  readonly #used: ReadonlySet<string>;
  readonly #claimed = new Set<string>();
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
    for (let count = 2; this.#used.has(free) || this.#claimed.has(free); count += 1)
      free = this.#fit(`${stem}_${count}`);
    this.#claimed.add(free);
    return free;
  }
}
