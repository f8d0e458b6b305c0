/**
 * A queue by an order: its first item is there at once, and any item is added or taken out in a time that grows with the logarithm of
 * how many there are. What the order of an item depends on must not change while it is in the queue.
 */
export class Heap<T extends object> {
  readonly #isBefore: (one: T, other: T) => boolean;
  /** Each item comes before the two at twice its place. */
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item, unless it is there. */
  add(item: T): void {
    if (this.#places.has(item)) return;
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** Takes an item out, if it is there. */
  delete(item: T): void {
    const place = this.#places.get(item);
    if (place === undefined) return;
    this.#places.delete(item);
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#rise(last, place);
    this.#sink(last, this.#places.get(last) ?? place);
  }

  #rise(item: T, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = this.#items[above];
      if (!other || !this.#isBefore(item, other)) break;
      this.#put(other, place);
      place = above;
    }
    this.#put(item, place);
  }

  #sink(item: T, from: number): void {
    let place = from;
    for (;;) {
      const below = this.#smallerBelow(place);
      const other = this.#items[below];
      if (!other || !this.#isBefore(other, item)) break;
      this.#put(other, place);
      place = below;
    }
    this.#put(item, place);
  }

  #smallerBelow(place: number): number {
    const left = 2 * place + 1;
    const [one, other] = [this.#items[left], this.#items[left + 1]];
    return one && other && this.#isBefore(other, one) ? left + 1 : left;
  }

  #put(item: T, place: number): void {
    this.#items[place] = item;
    this.#places.set(item, place);
  }
}
