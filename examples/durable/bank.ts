import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** A bank that is another program in real life: its book is a file. It makes a payment once for each key, however often it is asked to. */
export class Bank {
  readonly #book: string;

  constructor(book: string) {
    this.#book = book;
  }

  /** The payments that were made. */
  get payments(): readonly string[] {
    return existsSync(this.#book) ? readFileSync(this.#book, "utf8").trim().split("\n") : [];
  }

  /** Pays at once; to say so takes the bank a second. */
  async pay(euros: number, key: string): Promise<string> {
    const line = `${euros} euros ${key}`;
    const isNew = !this.payments.includes(line);
    if (isNew) appendFileSync(this.#book, `${line}\n`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return isNew ? `${euros} euros are paid.` : `${euros} euros were paid before.`;
  }
}
