import { afterEach, expect, test, vi } from "vitest";
import { digest } from "./digest.ts";

afterEach(() => vi.restoreAllMocks());

const withoutNode = () => vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);

test.each([true, false])("digests are SHA-256 and HMAC-SHA256, with Node: %s", async (withNode) => {
  if (!withNode) withoutNode();
  // FIPS 180-2, B.1, and RFC 4231, 4.3.
  expect(await digest("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(await digest("what do ya want for nothing?", "Jefe")).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("half of a character has the same digest with and without Node", async () => {
  const texts = ["\ud800", "a\udfff", "é€😀"];
  const withNode = await Promise.all(texts.map(async (text) => digest(text, text)));
  withoutNode();
  expect(await Promise.all(texts.map(async (text) => digest(text, text)))).toEqual(withNode);
});

test("what is done after digests is done in their order", async () => {
  const order: number[] = [];
  const texts = ["x".repeat(1_000_000), "x", "x".repeat(100_000), ""];
  await Promise.all(texts.map(async (text) => digest(text).then(() => order.push(text.length))));
  expect(order).toEqual(texts.map(({ length }) => length));
});
