import { got } from "../../row.ts";

/** Has functions of every kind that a class can have. */
export class Greeter {
  readonly word: string;
  /** Greets as a field. */
  readonly field = (name: string): void => got(this.word, name);

  constructor(word: string) {
    this.word = word;
  }

  /** Greets without an instance. */
  static create(name: string): void {
    got(name);
  }

  /** Greets as an instance. @param name - Whom */
  greet(name: string): void {
    got(this.word, name);
  }

  async greetLater(name: string, times = 1): Promise<{ times: number }> {
    got(this.word, name, times);
    return { times };
  }
}

/** Has some of another class, and some of its own. */
export class Host extends Greeter {
  #guests = 0;

  /** Greets like a host. */
  override greet(name: string): void {
    got(`${this.word}!`, name);
  }

  /** Lets guests in. @param guests - How many @minimum 1 */
  letIn(guests: number): number {
    this.#guests += guests;
    got(guests);
    return this.#guests;
  }

  private secret(key: symbol): void {
    got(key);
  }

  protected forFamily(name: string): void {
    this.secret(Symbol(name));
  }
}
