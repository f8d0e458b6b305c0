/** The bytes of a body as they come. One reader only, and calls of `wait` must not overlap. */
export interface ByteSource {
  /** The next piece if it is there, `null` at the end, `undefined` where it must be waited for. */
  take(): Uint8Array | null | undefined;
  /** Resolves when `take` has a piece or the end, also after `cancel`. Rejects with whatever broke the body. */
  wait(): Promise<void>;
  /** The rest is not wanted. */
  cancel(reason?: unknown): void;
}

/** The bytes of a web stream. It is locked from then on. */
export function bytesOf(body: ReadableStream<Uint8Array>): ByteSource {
  return new StreamBytes(body.getReader());
}

class StreamBytes implements ByteSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #piece: Uint8Array | null | undefined;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  take(): Uint8Array | null | undefined {
    const piece = this.#piece;
    if (piece) this.#piece = undefined;
    return piece;
  }

  async wait(): Promise<void> {
    const { done, value } = await this.#reader.read();
    this.#piece = done ? null : value;
  }

  cancel(reason?: unknown): void {
    // A stream that cannot be cancelled is left alone: nobody reads it any more.
    this.#reader.cancel(reason).catch(() => {});
  }
}
