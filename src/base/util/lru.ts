interface Entry<V> {
  readonly key: string;
  readonly value: V;
  readonly size: number;
  older: Entry<V> | undefined;
  newer: Entry<V> | undefined;
}

/** A map of limited length and total size: the least recently used entry goes first. */
export class Lru<V> {
  readonly #maxEntries: number;
  readonly #maxSize: number;
  // A list beside the map: moving a key to a map's end costs several times as much, and looking for its first key more still.
  readonly #entries = new Map<string, Entry<V>>();
  #oldest: Entry<V> | undefined;
  #newest: Entry<V> | undefined;
  #size = 0;

  /**
   * @param maxEntries the most entries.
   * @param maxSize the most that the sizes of all entries may come to.
   */
  constructor(maxEntries: number, maxSize: number) {
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
  }

  /** How many entries there are. */
  get length(): number {
    return this.#entries.size;
  }

  /** What the sizes of all entries come to. */
  get size(): number {
    return this.#size;
  }

  /** The value under `key`, which counts as used. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#unlink(entry);
    this.#link(entry);
    return entry.value;
  }

  /** Keeps a value, unless it alone is larger than all may be. */
  set(key: string, value: V, size: number): void {
    this.delete(key);
    if (size > this.#maxSize) return;
    const entry = { key, value, size, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#size += size;
    this.#link(entry);
    while (this.#entries.size > this.#maxEntries || this.#size > this.#maxSize) this.deleteOldest();
  }

  /** Forgets the value that was not used for longest. @returns it, with its key. */
  deleteOldest(): { readonly key: string; readonly value: V } | undefined {
    const oldest = this.#oldest;
    if (oldest) this.delete(oldest.key);
    return oldest;
  }

  /** Forgets the value under `key`. */
  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
    this.#unlink(entry);
  }

  #link(entry: Entry<V>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
  }

  #unlink({ older, newer }: Entry<V>): void {
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
  }
}
