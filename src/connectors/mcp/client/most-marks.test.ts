import { expect, test } from "vitest";
import { mostMarks } from "./most-marks.ts";

test("a message may have one for each 64 bytes that it may have, and some in any case", () => {
  expect([mostMarks(16_777_216), mostMarks(6_400_064), mostMarks(10)]).toEqual([262_144, 100_001, 65_536]);
});
