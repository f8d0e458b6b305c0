import { assert, bigInt, property, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { decodeTraceRequest } from "./decode-protobuf.ts";
import { ProtobufError, ProtobufReader } from "./protobuf-reader.ts";

/** A 64-bit integer as protobuf writes it. */
function written(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return new Uint8Array(bytes);
}

test("64-bit integers are read exactly up to 2^53, and as the nearest number beyond", () => {
  const values = bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  assert(
    property(values, (value) => {
      expect(new ProtobufReader(written(value)).varint()).toBe(Number(value));
    }),
  );
  for (const value of [0n, -1n, 127n, 128n, 2n ** 53n, -(2n ** 53n), 2n ** 49n - 1n, -(2n ** 63n)])
    expect(new ProtobufReader(written(value)).varint()).toBe(Number(value));
});

/** What became of bytes: a message, or the error. */
function decoded(bytes: Uint8Array): unknown {
  try {
    return decodeTraceRequest(bytes);
  } catch (error) {
    return error;
  }
}

test("any bytes are a request or a ProtobufError", () => {
  assert(
    property(uint8Array({ maxLength: 200 }), (bytes) => {
      const value = decoded(bytes);
      expect(value instanceof ProtobufError || !(value instanceof Error)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
