/** Collects the head and the tail of a stream: two thirds and one third of so much as is kept. */
export class BoundedOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Buffer[] = [];
  #headSize = 0;
  #tail: Buffer = Buffer.alloc(0);
  #size = 0;

  constructor(limit: number) {
    this.#headLimit = Math.ceil((limit * 2) / 3);
    this.#tailLimit = limit - this.#headLimit;
  }

  /** How many bytes came. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    const first = chunk.subarray(0, this.#headLimit - this.#headSize);
    this.#headSize += first.length;
    if (first.length > 0) this.#head.push(first);
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    const tail = Buffer.concat([this.#tail, rest.subarray(-this.#tailLimit || rest.length)]);
    this.#tail = tail.subarray(Math.max(0, tail.length - this.#tailLimit));
  }

  /** The bytes; `undefined` where some were left out. */
  get bytes(): Buffer | undefined {
    const all = Buffer.concat([...this.#head, this.#tail]);
    return all.length === this.#size ? all : undefined;
  }

  /** The text, with a line for what was left out. */
  get text(): string {
    const head = Buffer.concat(this.#head);
    const missing = this.#size - head.length - this.#tail.length;
    if (missing === 0) return Buffer.concat([head, this.#tail]).toString();
    return `${head.toString()}\n[${missing} of ${this.#size} bytes left out]\n${this.#tail.toString()}`;
  }
}
