/** The longest name that every provider takes, for tools and for their arguments. */
const longestName = 64;

/** Gives out names that are legal for every provider, each one once. */
export class Names {
  readonly #usedNames = new Set<string>();
  /** The last number behind each name, so that many of one name are not counted again each time. */
  readonly #numbers = new Map<string, number>();
  readonly #illegal: RegExp;

  /** @param illegal what may not stand in a name. */
  constructor(illegal: RegExp) {
    this.#illegal = illegal;
  }

  /** The first wish that is free once it is made legal, else the last one with a number behind it. */
  take(...wishes: readonly [string, ...string[]]): string {
    const legal = wishes.map((wish) => this.#legal(wish));
    const free = legal.find((name) => !this.#usedNames.has(name)) ?? this.#numbered(legal.at(-1) ?? "");
    this.#usedNames.add(free);
    return free;
  }

  #legal(wish: string): string {
    const name = wish
      .replaceAll(this.#illegal, "_")
      .replaceAll(/_{2,}/g, "_")
      .replaceAll(/^_+|_+$/g, "");
    return name.slice(0, longestName) || "unnamed";
  }

  #numbered(name: string): string {
    for (let number = (this.#numbers.get(name) ?? 1) + 1; ; number++) {
      this.#numbers.set(name, number);
      const suffix = `_${number}`;
      const numbered = name.slice(0, longestName - suffix.length) + suffix;
      if (!this.#usedNames.has(numbered)) return numbered;
    }
  }
}

/** Names of tools: letters, digits, `_` and `-`. */
export function toolNames(): Names {
  return new Names(/[^\w-]+/g);
}

/** Names of arguments, in which providers allow dots, too. */
export function argumentNames(): Names {
  return new Names(/[^\w.-]+/g);
}
