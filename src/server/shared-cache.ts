import { Lru } from "../base/util/lru.ts";

/** What is limited in a cache, over all users. */
interface Limits {
  readonly entries: number;
  /** What the sizes of all entries may come to. */
  readonly size: number;
}

/**
 * A cache that users share: when it is full, the user who has most in it loses what was not used for longest. So nobody makes it forget what
 * is another's.
 */
export class SharedCache<V> {
  readonly #limits: Limits;
  readonly #onDrop: (key: string, value: V) => void;
  readonly #shares = new Map<string, Lru<V>>();
  #length = 0;
  #size = 0;

  /** @param onDrop - Learns what was dropped to make room. */
  constructor(limits: Limits, onDrop: (key: string, value: V) => void = () => {}) {
    this.#limits = limits;
    this.#onDrop = onDrop;
  }

  /** The value of a user under `key`, which counts as used. */
  get(user: string, key: string): V | undefined {
    return this.#shares.get(user)?.get(key);
  }

  /** Keeps a value of a user, unless it alone is larger than all may be. */
  set(user: string, key: string, value: V, size = 1): void {
    const share = this.#shares.get(user) ?? new Lru<V>(Infinity, this.#limits.size);
    this.#shares.set(user, share);
    this.#change(user, share, () => share.set(key, value, size));
    while (this.#length > this.#limits.entries) this.#dropOf(this.#heaviest(({ length }) => length));
    while (this.#size > this.#limits.size) this.#dropOf(this.#heaviest((each) => each.size));
  }

  /** Forgets the value of a user under `key`. */
  delete(user: string, key: string): void {
    const share = this.#shares.get(user);
    if (share) this.#change(user, share, () => share.delete(key));
  }

  #dropOf(user: string): void {
    const share = this.#shares.get(user);
    if (!share) return;
    this.#change(user, share, () => {
      const dropped = share.deleteOldest();
      if (dropped) this.#onDrop(dropped.key, dropped.value);
    });
  }

  #heaviest(weigh: (share: Lru<V>) => number): string {
    let heaviest = "";
    let most = -1;
    for (const [user, share] of this.#shares)
      if (weigh(share) > most) [heaviest, most] = [user, weigh(share)];
    return heaviest;
  }

  #change(user: string, share: Lru<V>, change: () => void): void {
    const { length, size } = share;
    change();
    this.#length += share.length - length;
    this.#size += share.size - size;
    if (share.length === 0) this.#shares.delete(user);
  }
}
