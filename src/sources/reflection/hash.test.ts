import { expect, test } from "vitest";
import { hashOf } from "./hash.ts";

test("texts that differ in one letter, in their order or in their length have different hashes", () => {
  const texts = Array.from({ length: 50_000 }, (_, index) => {
    const number = index.toString(36);
    const mirrored = number.split("").toReversed().join("");
    return [
      `const a = ${number};`,
      `const a = "${mirrored}";`,
      `${" ".repeat(index % 100)}${number}`,
      `${number} ${number}`,
    ];
  }).flat();
  const hashes = new Set(texts.map((text) => hashOf(text)));
  expect(hashes.size).toBe(new Set(texts).size);
});

test("every change of one byte, wherever it stands, changes the hash", () => {
  const bytes = new Uint8Array(512);
  const hashes = new Set([hashOf(bytes)]);
  for (const at of bytes.keys()) {
    for (const value of [1, 2, 64, 128, 255]) {
      bytes[at] = value;
      hashes.add(hashOf(bytes));
    }
    bytes[at] = 0;
  }
  expect(hashes.size).toBe(1 + bytes.length * 5);
});

test("a text has the hash of its bytes, and the same one in every process", () => {
  expect(hashOf("skein")).toBe(hashOf(Buffer.from("skein")));
  expect(hashOf("")).toBe("0-0-0");
});
