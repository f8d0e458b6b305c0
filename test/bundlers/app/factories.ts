/** Tools about one unit. */
export function makeTools(unit: string): {
  convert(amount: number): string;
  round: (amount: number, digits?: number) => string;
} {
  return {
    /** Convert an amount. */
    convert(amount: number): string {
      return `${amount} ${unit}`;
    },
    /**
     * Round an amount.
     * @param digits - Digits after the point @minimum 0
     */
    round: (amount: number, digits = 2): string => `${amount.toFixed(digits)} ${unit}`,
  };
}

export class MathKit {
  readonly #offset: number;

  constructor(offset: number) {
    this.#offset = offset;
  }

  /** Add two numbers. */
  add(a: number, b: number): number {
    return a + b + this.#offset;
  }

  /** Negate a number. */
  negate = (value: number): number => this.#offset - value;

  private log(symbol: symbol): string {
    return String(symbol);
  }

  describe(): string {
    return this.log(Symbol("kit"));
  }
}
