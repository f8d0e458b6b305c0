import * as fc from "fast-check";
import { expect, test } from "vitest";
import { wellFormedJson } from "./well-formed-json.ts";

/** Texts in which halves of characters, backslashes and escapes meet. */
const texts = fc
  .array(fc.constantFrom("\\", "\\\\", "u", "d83d", "\\ud83d", "\ud83d", "\ude00", "😀", '"', "a"))
  .map((pieces) => pieces.join(""));

test("the value of a text is the same without halves of characters", () => {
  fc.assert(
    fc.property(texts, texts, (key, value) => {
      const clean = { [key.toWellFormed()]: [value.toWellFormed()] };
      expect(JSON.parse(wellFormedJson(JSON.stringify({ [key]: [value] })))).toEqual(clean);
    }),
    { numRuns: 2_000 },
  );
});

test("a character that is written as two escapes stays as it is", () => {
  for (const json of [String.raw`"\ud83d\ude00"`, String.raw`"\uD83D\uDE00"`, String.raw`"\\ud83d"`])
    expect(wellFormedJson(json)).toBe(json);
  expect(wellFormedJson(String.raw`"\ud83d\ud83d\ude00\ude00"`)).toBe(String.raw`"\ufffd\ud83d\ude00\ufffd"`);
});
