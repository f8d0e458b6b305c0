/** The time of a run as it is drawn: pauses are shorter than they were, so that the work beside them can be seen. */
export class Scale {
  /** Milliseconds that are drawn. */
  readonly length: number;
  /** Milliseconds without pauses. */
  readonly worked: number;
  readonly #waits: readonly { readonly start: number; readonly end: number; readonly shown: number }[];

  /**
   * @param length - Milliseconds from the beginning to the end.
   * @param waits - The pauses, in their order.
   */
  constructor(length: number, waits: readonly { readonly start: number; readonly end: number }[]) {
    const waited = waits.reduce((sum, { start, end }) => sum + end - start, 0);
    this.worked = Math.max(1, length - waited);
    // A sixth of the work at most, and room for its hatch.
    const most = this.worked / 6;
    this.#waits = waits.map(({ start, end }) => ({ start, end, shown: Math.min(end - start, most) }));
    this.length = this.worked + this.#waits.reduce((sum, { shown }) => sum + shown, 0);
  }

  /** Where a moment is drawn. */
  at(time: number): number {
    let cut = 0;
    for (const { start, end, shown } of this.#waits) {
      if (time <= start) break;
      if (time < end) return start - cut + ((time - start) / (end - start)) * shown;
      cut += end - start - shown;
    }
    return Math.min(this.length, Math.max(0, time - cut));
  }

  /** Where ticks are drawn: each says how long it had worked by then. */
  ticks(most: number): readonly { readonly at: number; readonly worked: number }[] {
    const rough = this.worked / most;
    const unit = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
    const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => size >= rough) ?? unit * 10;
    const ticks = [];
    const labels = this.#waits.map(({ start, end }) => (this.at(start) + this.at(end)) / 2);
    for (let worked = 0; worked < this.worked; worked += step) {
      const at = this.at(this.#real(worked));
      // The length of a pause is written there.
      if (labels.every((label) => Math.abs(label - at) > this.length / 14)) ticks.push({ at, worked });
    }
    return ticks;
  }

  /** When so much was worked. */
  #real(worked: number): number {
    let time = worked;
    for (const { start, end } of this.#waits) if (time >= start) time += end - start;
    return time;
  }
}
