/** How far work on a list has come. */
interface Progress<T, S> {
  readonly items: readonly T[];
  readonly marks: readonly unknown[] | undefined;
  readonly state: S;
}

/**
 * Keeps how far work on lists has come that grow at their end, so that only what is new is worked on. What is kept belongs
 * to the last item, and goes with it.
 */
export class Continuations<T extends object, S> {
  readonly #kept = new WeakMap<T, Progress<T, S>>();
  readonly #mark: ((item: T) => unknown) | undefined;

  /** @param mark - What of an item must still be the same object, beside the item itself. Nothing by default. */
  constructor(mark?: (item: T) => unknown) {
    this.#mark = mark;
  }

  /**
   * What the work on the longest known beginning of a list came to, and how long that is. It is the caller's from now on,
   * who adds to it: another list with the same beginning is worked on anew, and so is the same list.
   */
  take(items: readonly T[]): { readonly state: S; readonly from: number } | undefined {
    for (let last = items.length - 2; last >= 0; last--) {
      const item = items[last];
      const progress = item && this.#kept.get(item);
      if (!item || !progress || !this.#begins(items, last + 1, progress)) continue;
      this.#kept.delete(item);
      return { state: progress.state, from: last + 1 };
    }
    return undefined;
  }

  /** What the work on just this list came to. It stays where it is. */
  peek(items: readonly T[]): S | undefined {
    const last = items.at(-1);
    const progress = last && this.#kept.get(last);
    return progress && this.#begins(items, items.length, progress) ? progress.state : undefined;
  }

  /** Keeps what the work on a list came to. */
  keep(items: readonly T[], state: S): void {
    const last = items.at(-1);
    if (last)
      this.#kept.set(last, { items: items.slice(), marks: this.#mark && items.map(this.#mark), state });
  }

  #begins(items: readonly T[], length: number, progress: Progress<T, S>): boolean {
    if (progress.items.length !== length) return false;
    for (let index = 0; index < length; index++) {
      const item = items[index];
      if (!item || item !== progress.items[index]) return false;
      if (this.#mark && this.#mark(item) !== progress.marks?.[index]) return false;
    }
    return true;
  }
}
