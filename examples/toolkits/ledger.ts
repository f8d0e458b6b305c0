/** The expenses of a month, in euros. Its public methods are tools. */
export class Ledger {
  readonly #entries: { readonly what: string; readonly euros: number }[] = [];
  #isClosed = false;

  /**
   * Add an expense to the ledger.
   * @param what - What was bought
   * @param euros - What it cost, in euros @exclusiveMinimum 0
   */
  add(what: string, euros: number): string {
    this.addAll([{ what, euros }]);
    return `${what} for ${euros} euros is in the ledger.`;
  }

  /** List all expenses. */
  list(): readonly { readonly what: string; readonly euros: number }[] {
    return [...this.#entries];
  }

  /** Tell the total of all expenses. */
  total(): number {
    return round(this.#entries.reduce((sum, { euros }) => sum + euros, 0));
  }

  /** Close the month: nothing can be added any more. */
  closeMonth(): string {
    this.#assertOpen();
    this.#isClosed = true;
    return `The month is closed with ${this.total()} euros.`;
  }

  /**
   * Add all of them or, if the month is closed, none.
   * @internal - and therefore no tool
   */
  addAll(entries: readonly { readonly what: string; readonly euros: number }[]): void {
    this.#assertOpen();
    this.#entries.push(...entries.map(({ what, euros }) => ({ what, euros: round(euros) })));
  }

  /** Whether nothing can be added any more. No method, so no tool either. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new Error("the month is closed");
  }
}

function round(euros: number): number {
  return Math.round(euros * 100) / 100;
}
