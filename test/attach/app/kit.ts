function traced<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
  _context: ClassMethodDecoratorContext,
): (this: This, ...args: Args) => Result {
  return function (this: This, ...args: Args): Result {
    return method.apply(this, args);
  };
}

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
