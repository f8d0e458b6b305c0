/** A decorator of either kind, the standard's or TypeScript's own. */
function traced(..._parts: readonly unknown[]): void {}

export class MathKit {
  private readonly offset: number;

  constructor(offset: number) {
    this.offset = offset;
  }

  /** Add two numbers. */
  @traced
  add(a: number, b: number): number {
    return a + b + this.offset;
  }

  /** Negate a number. */
  negate = (value: number): number => this.offset - value;
}
