import { expect, test } from "vitest";
import { hashOf } from "./hash.ts";

test("a text has the hash of its bytes, the same one in every process, and no other has it", () => {
  expect(hashOf("skein ä")).toBe(hashOf(Buffer.from("skein ä")));
  expect(hashOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223");
  expect(hashOf("abd")).not.toBe(hashOf("abc"));
});
