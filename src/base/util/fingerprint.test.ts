import { expect, test } from "vitest";
import { fingerprint } from "./fingerprint.ts";

test("equal texts have equal fingerprints, and different ones different", () => {
  const texts = Array.from({ length: 100_000 }, (_, index) => `{"order":${index}}`);
  expect(new Set(texts.map(fingerprint)).size).toBe(texts.length);
  expect(fingerprint('{"order":7}')).toBe(fingerprint('{"order":7}'));
  expect(fingerprint("")).toMatch(/^[0-9a-f]{16}$/);
  expect(fingerprint("ab")).not.toBe(fingerprint("ba"));
});
