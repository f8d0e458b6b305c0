/** Bytes of `maxMessageBytes` for each bracket, comma and colon: what is made of a value costs many times its bytes. */
const bytesOfMark = 64;

/** These are allowed in any case: a piece of the network may hold many small messages. */
const leastMarks = 65_536;

/** The most brackets, commas and colons outside of texts that a message of at most `maxMessageBytes` may have. */
export function mostMarks(maxMessageBytes: number): number {
  return Math.max(leastMarks, Math.ceil(maxMessageBytes / bytesOfMark));
}

const [quote, comma, colon, bracket, backslash, brace] = new TextEncoder().encode('",:[\\{');

/** Counts what separates the values of JSON before anything is made of them, in pieces of any size. */
export class MarkCounter {
  #count = 0;
  #isText = false;
  #isEscaped = false;

  /** The brackets, commas and colons so far. */
  get count(): number {
    return this.#count;
  }

  /** Goes on with the next bytes. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isText = false;
      } else if (byte === quote) this.#isText = true;
      else if (byte === comma || byte === colon || byte === bracket || byte === brace) this.#count++;
    }
  }

  /** Begins with another message. */
  reset(): void {
    this.#count = 0;
    this.#isText = this.#isEscaped = false;
  }
}
