/** How far the work on a list has come. It grows with the list: finished items are not copied again. */
export interface Progress<T, S> {
  /** The items that are finished. */
  readonly items: T[];
  readonly marks: unknown[];
  state: S;
}

/** Holds the progress of one list. A checkout leaves it empty: removing it from the map costs more. */
interface Place<T, S> {
  progress: Progress<T, S> | undefined;
}

/**
 * Caches the work on lists that grow at their end, so that only new items cost work. An entry belongs to the last item of
 * its list, and is collected with it.
 */
export class PrefixCache<T extends object, S> {
  readonly #places = new WeakMap<T, Place<T, S>>();
  readonly #mark: ((item: T) => unknown) | undefined;

  /** @param mark - What of an item must still be the same object, as well as the item itself. Nothing by default. */
  constructor(mark?: (item: T) => unknown) {
    this.#mark = mark;
  }

  /**
   * Removes and returns the progress on the longest known prefix of a list. The caller extends it and stores it again; until
   * then, lists with the same prefix are worked on from the start.
   */
  checkout(items: readonly T[]): Progress<T, S> | undefined {
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

  /** The result of the work on exactly this list. It stays in the cache. */
  peek(items: readonly T[]): S | undefined {
    const last = items.at(-1);
    const progress = last && this.#places.get(last)?.progress;
    return progress && this.#begins(items, items.length, progress) ? progress.state : undefined;
  }

  /**
   * Stores the result of the work on a list.
   * @param earlier - What `checkout` returned for the list, if anything.
   */
  store(items: readonly T[], state: S, earlier?: Progress<T, S>): void {
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
