/** A map that holds so many entries, and so much in all: what was not used for longest goes first. */
export class Lru<V> {
  readonly #maxEntries: number;
  readonly #maxSize: number;
  readonly #entries = new Map<string, { readonly value: V; readonly size: number }>();
  /** Kept from one removal to the next: an iterator that begins anew steps over all that were removed since. */
  #oldest = this.#entries.keys();
  #size = 0;

  /**
   * @param maxEntries the most entries.
   * @param maxSize the most that the sizes of all entries may come to.
   */
  constructor(maxEntries: number, maxSize: number) {
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
  }

  /** The value under `key`, which counts as used. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value, unless it alone is larger than all may be. */
  set(key: string, value: V, size: number): void {
    this.delete(key);
    if (size > this.#maxSize) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    while (this.#entries.size > this.#maxEntries || this.#size > this.#maxSize) this.#dropOldest();
  }

  /** Forgets the value under `key`. */
  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }

  #dropOldest(): void {
    const next = this.#oldest.next();
    if (!next.done) return this.delete(next.value);
    // An iterator that has come to the end stays there, whatever comes later.
    this.#oldest = this.#entries.keys();
  }
}
