import type { Readable } from "node:stream";
import type { ByteSource } from "../../base/stream/bytes.ts";

/** How many bytes wait for their reader before the socket is stopped. */
const mostWaiting = 256 * 1024;

/** The bytes of an answer of `node:http`, without a promise for each piece. */
export function incomingBytes(stream: Readable): ByteSource {
  return new IncomingBytes(stream);
}

class IncomingBytes implements ByteSource {
  readonly #stream: Readable;
  #pieces: Uint8Array[] = [];
  #position = 0;
  #waiting = 0;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  #waiter: PromiseWithResolvers<void> | undefined;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on("data", this.#onData);
    stream.on("end", this.#onEnd);
    stream.on("error", this.#onError);
    stream.on("close", this.#onClose);
  }

  take(): Uint8Array | null | undefined {
    const piece = this.#pieces[this.#position];
    if (piece === undefined) return this.#isOver && !this.#failure ? null : undefined;
    this.#position++;
    this.#waiting -= piece.byteLength;
    if (this.#position === this.#pieces.length) {
      this.#pieces = [];
      this.#position = 0;
      if (this.#stream.isPaused()) this.#stream.resume();
    }
    return piece;
  }

  wait(): Promise<void> {
    if (this.#position < this.#pieces.length) return Promise.resolve();
    if (this.#failure) return Promise.reject(this.#failure.error);
    if (this.#isOver) return Promise.resolve();
    this.#waiter ??= Promise.withResolvers();
    return this.#waiter.promise;
  }

  cancel(): void {
    this.#pieces = [];
    this.#position = 0;
    this.#settle();
    this.#stream.destroy();
  }

  readonly #onData = (piece: Uint8Array): void => {
    if (this.#isOver) return;
    this.#pieces.push(piece);
    this.#waiting += piece.byteLength;
    if (this.#waiting > mostWaiting) this.#stream.pause();
    this.#wake();
  };

  readonly #onEnd = (): void => this.#settle();

  readonly #onError = (error: unknown): void => {
    if (!this.#isOver) this.#settle({ error });
  };

  /** A body that is closed before its end says so by an error; should it not, its end is none. */
  readonly #onClose = (): void => {
    if (!this.#isOver) this.#settle({ error: new Error("the connection was closed") });
  };

  #settle(failure?: { readonly error: unknown }): void {
    this.#isOver = true;
    this.#failure ??= failure;
    this.#wake();
  }

  #wake(): void {
    const waiter = this.#waiter;
    if (!waiter) return;
    this.#waiter = undefined;
    if (this.#failure) waiter.reject(this.#failure.error);
    else waiter.resolve();
  }
}
