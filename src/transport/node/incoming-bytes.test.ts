import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { incomingBytes } from "./incoming-bytes.ts";

const textOf = (piece: Uint8Array | null | undefined): string | null | undefined =>
  piece ? Buffer.from(piece).toString() : piece;

test("pieces are there one after the other, then the end, again and again", async () => {
  const stream = new PassThrough();
  const bytes = incomingBytes(stream);
  expect(bytes.take()).toBeUndefined();
  stream.write("a");
  await bytes.wait();
  stream.end("b");
  expect(textOf(bytes.take())).toBe("a");
  await bytes.wait();
  expect(textOf(bytes.take())).toBe("b");
  await bytes.wait();
  expect([bytes.take(), bytes.take()]).toEqual([null, null]);
  await bytes.wait();
});

test("what came before a failure can be read, and then it is one", async () => {
  const stream = new PassThrough();
  const bytes = incomingBytes(stream);
  stream.write("a");
  await bytes.wait();
  stream.destroy(new Error("broken"));
  await new Promise(setImmediate);
  expect(textOf(bytes.take())).toBe("a");
  expect(bytes.take()).toBeUndefined();
  await expect(bytes.wait()).rejects.toThrow("broken");
});

test("a stream that is closed before its end has failed", async () => {
  const stream = new PassThrough();
  const bytes = incomingBytes(stream);
  const waiting = bytes.wait();
  stream.destroy();
  await expect(waiting).rejects.toThrow("the connection was closed");
});

test("cancelling ends the wait and the stream, without an error", async () => {
  const stream = new PassThrough();
  const bytes = incomingBytes(stream);
  const waiting = bytes.wait();
  bytes.cancel();
  await waiting;
  expect([bytes.take(), stream.destroyed]).toEqual([null, true]);
});

test("a stream is stopped while much waits for its reader, and goes on once that is read", async () => {
  const stream = new PassThrough({ highWaterMark: 1 << 20 });
  const bytes = incomingBytes(stream);
  const piece = Buffer.alloc(100_000);
  for (let count = 0; count < 5; count++) stream.write(piece);
  await new Promise(setImmediate);
  expect(stream.isPaused()).toBe(true);
  let read = 0;
  while (read < 500_000) {
    for (let next = bytes.take(); next; next = bytes.take()) read += next.length;
    if (read < 500_000) await bytes.wait();
  }
  expect(stream.isPaused()).toBe(false);
  bytes.cancel();
});
