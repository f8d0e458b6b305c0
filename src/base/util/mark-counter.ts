const [quote, comma, colon, bracket, backslash, brace] = [0x22, 0x2c, 0x3a, 0x5b, 0x5c, 0x7b];
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * Counts the brackets, commas and colons of JSON outside of texts before anything is made of them: what is made of a value costs many
 * times its bytes.
 */
export class MarkCounter {
  #count = 0;
  #isText = false;
  #isEscaped = false;

  /** The marks so far. */
  get count(): number {
    return this.#count;
  }

  /** Goes on with the next piece, of any size. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) this.#take(byte);
  }

  /** The same for characters. */
  addText(text: string): void {
    for (let at = 0; at < text.length; at++) this.#take(text.charCodeAt(at));
  }

  /** Begins with another text. */
  reset(): void {
    this.#count = 0;
    this.#isText = this.#isEscaped = false;
  }

  #take(code: number): void {
    // No text of JSON goes over a line: a quote in a line before it must not turn everything inside out.
    if (code === lineFeed || code === carriageReturn) this.#isText = this.#isEscaped = false;
    else if (this.#isEscaped) this.#isEscaped = false;
    else if (code === quote) this.#isText = !this.#isText;
    else if (this.#isText) this.#isEscaped = code === backslash;
    else if (code === comma || code === colon || code === bracket || code === brace) this.#count++;
  }
}
