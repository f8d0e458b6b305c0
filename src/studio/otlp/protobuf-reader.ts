/** Thrown where bytes are not a message, or one that nobody means well with. */
export class ProtobufError extends Error {}

/** Reads the wire format of protobuf (protobuf.dev/programming-guides/encoding), never beyond the bytes that are there. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The number of the next field, and how its value is written. */
  tag(): { readonly field: number; readonly wireType: number } {
    const tag = this.varint();
    return { field: Math.floor(tag / 8), wireType: tag % 8 };
  }

  /** A 64-bit integer; beyond 2^53 the nearest number. */
  varint(): number {
    // The first seven bytes, and those behind them: a number has 53 bits.
    let low = 0;
    let high = 0;
    for (let count = 0; count < 10; count++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new ProtobufError("The message ends within a number.");
      if (count < 7) low += (byte & 0x7f) * 128 ** count;
      else high += (byte & 0x7f) * 128 ** (count - 7);
      // Negative integers are the upper half of the unsigned ones.
      if (byte < 0x80) return (high >= 2 ** 14 ? high - 2 ** 15 : high) * 2 ** 49 + low;
    }
    throw new ProtobufError("A number has more than 10 bytes.");
  }

  /** An unsigned integer of 8 bytes; beyond 2^53 the nearest number. */
  fixed64(): number {
    const at = this.#skip(8);
    return this.#view.getUint32(at, true) + this.#view.getUint32(at + 4, true) * 2 ** 32;
  }

  double(): number {
    return this.#view.getFloat64(this.#skip(8), true);
  }

  /** A text, bytes or a message, without a copy. */
  bytes(): Uint8Array {
    const length = this.varint();
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Passes over the value of a field. Groups, which proto3 does not have, are refused. */
  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#skip(8);
    else if (wireType === 2) this.bytes();
    else if (wireType === 5) this.#skip(4);
    else throw new ProtobufError(`Wire type ${wireType} is not valid.`);
  }

  #skip(length: number): number {
    const at = this.#at;
    if (length < 0 || length > this.#bytes.length - at)
      throw new ProtobufError("A field is longer than the message.");
    this.#at += length;
    return at;
  }
}
