/** The finished work on a list. It grows with the list: finished items are not copied again. */
export interface Progress<T, S> {
  /** The items that are finished. */
  readonly items: T[];
  readonly marks: unknown[];
  state: S;
}

/** Holds the progress of one list. A checkout leaves it empty: removing it from the map costs more. */
interface Slot<T, S> {
  progress: Progress<T, S> | undefined;
}

/**
 * Caches the work on lists that grow at their end, so that only new items cost work. An entry belongs to the last item of
 * its list, and is collected with it.
 */
export class PrefixCache<T extends object, S> {
  readonly #slots = new WeakMap<T, Slot<T, S>>();
  readonly #mark: ((item: T) => unknown) | undefined;

  /** @param mark - Returns a part of an item that must also be the same object for the entry to match. None by default. */
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
      const slot = item && this.#slots.get(item);
      if (!slot?.progress || !this.#begins(items, last + 1, slot.progress)) continue;
      const { progress } = slot;
      slot.progress = undefined;
      return progress;
    }
    return undefined;
  }

  /** The result of the work on exactly this list. It stays in the cache. */
  peek(items: readonly T[]): S | undefined {
    const last = items.at(-1);
    const progress = last && this.#slots.get(last)?.progress;
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
    this.#slots.set(last, { progress });
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
