/** How far work on a list has come. It grows with the list: what has been worked on is not copied again. */
export interface Progress<T, S> {
  /** What has been worked on. */
  readonly items: T[];
  readonly marks: unknown[];
  state: S;
}

/** Where progress is kept. What was taken leaves an empty place: to take a place away costs more. */
interface Place<T, S> {
  progress: Progress<T, S> | undefined;
}

/**
 * Keeps how far work on lists has come that grow at their end, so that only what is new is worked on. What is kept belongs
 * to the last item, and goes with it.
 */
export class Continuations<T extends object, S> {
  readonly #places = new WeakMap<T, Place<T, S>>();
  readonly #mark: ((item: T) => unknown) | undefined;

  /** @param mark - What of an item must still be the same object, beside the item itself. Nothing by default. */
  constructor(mark?: (item: T) => unknown) {
    this.#mark = mark;
  }

  /**
   * What the work on the longest known beginning of a list came to. It is the caller's from now on, who adds to it and gives
   * it back: another list with the same beginning is worked on from the start, and so is the same list.
   */
  take(items: readonly T[]): Progress<T, S> | undefined {
    for (let last = items.length - 2; last >= 0; last--) {
      const item = items[last];
      const place = item && this.#places.get(item);
      if (!place?.progress || !this.#begins(items, last + 1, place.progress)) continue;
      const { progress } = place;
      place.progress = undefined;
      return progress;
    }
    return undefined;
  }

  /** What the work on just this list came to. It stays where it is. */
  peek(items: readonly T[]): S | undefined {
    const last = items.at(-1);
    const progress = last && this.#places.get(last)?.progress;
    return progress && this.#begins(items, items.length, progress) ? progress.state : undefined;
  }

  /**
   * Keeps what the work on a list came to.
   * @param earlier - What `take` gave for the list, if it gave anything.
   */
  keep(items: readonly T[], state: S, earlier?: Progress<T, S>): void {
    const last = items.at(-1);
    if (!last) return;
    const progress = earlier ?? { items: [], marks: [], state };
    progress.state = state;
    for (let index = progress.items.length; index < items.length; index++) {
      const item = items[index];
      if (!item) continue;
      progress.items.push(item);
      if (this.#mark) progress.marks.push(this.#mark(item));
    }
    this.#places.set(last, { progress });
  }

  #begins(items: readonly T[], length: number, { items: earlierItems, marks }: Progress<T, S>): boolean {
    if (earlierItems.length !== length) return false;
    for (let index = 0; index < length; index++) {
      const item = items[index];
      if (!item || item !== earlierItems[index]) return false;
      if (this.#mark && this.#mark(item) !== marks[index]) return false;
    }
    return true;
  }
}
