import { expect, test } from "vitest";
import { pieceMasker } from "./secret-pieces.ts";

const secret = "a1b2c3d4e5f6";
const shown = (text: string, ...secrets: string[]): string =>
  pieceMasker(secrets.length > 0 ? secrets : [secret])(text, (piece) => `<${piece}>`);

test("eight characters of a secret are a piece of it, seven are not", () => {
  expect(shown("x a1b2c3d4 x 4e5f6 b2c3d4e5")).toBe("x <a1b2c3d4> x 4e5f6 <b2c3d4e5>");
  expect(shown("a1b2c3d")).toBe("a1b2c3d");
  expect(shown("a1b2c3d4")).toBe("<a1b2c3d4>");
  expect(pieceMasker([secret])("x a1b2c3d4 x")).toBe("x [redacted] x");
});

test("pieces that touch or overlap are one, others are apart", () => {
  expect(shown("!a1b2c3d4e5f6!")).toBe("!<a1b2c3d4e5f6>!");
  expect(shown("a1b2c3d4c3d4e5f6.a1b2c3d4")).toBe("<a1b2c3d4c3d4e5f6>.<a1b2c3d4>");
});

test("a secret of fewer than eight characters has no pieces", () => {
  expect(shown("a1b2c3d a1b2c3d4", "a1b2c3d")).toBe("a1b2c3d a1b2c3d4");
  expect(shown("a1b2c3d4", "a1b2c3d4")).toBe("<a1b2c3d4>");
});

test.each([
  ["correct-horse", "correct-hors", "correct-hor"],
  ["Correct horse", "Correct hors", "Correct hor"],
  ["CORRECT_HORSE", "CORRECT_HORS", "CORRECT_HOR"],
  ["a.b:c/d-e_f g", "a.b:c/d-e_f ", "a.b:c/d-e_f"],
])("of %j, which may be words, twelve characters are a piece: %j, and not %j", (words, piece, shorter) => {
  expect(shown(`! ${words} !`, words)).toBe(`! <${words}> !`);
  expect(shown(piece, words)).toBe(`<${piece}>`);
  expect(shown(shorter, words)).toBe(shorter);
  for (const rest of [words.slice(-8), words.slice(-11)]) expect(shown(rest, words)).toBe(rest);
});

test.each(["correctHorse", "hhcORRECTHORSE", "correct1horse", "correct+horse", "ÄÖÜäöüßÄÖÜäöü"])(
  "%j is not one of the words of a text: eight characters are a piece",
  (random) => {
    const middle = random.slice(2, 10);
    expect(shown(`(${middle})`, random)).toBe(`(<${middle}>)`);
  },
);

test("of a secret, the first 4,096 characters are looked for", () => {
  const long = Array.from({ length: 1000 }, (_, index) => String(index + 10_000)).join("");
  expect(shown(long.slice(4088, 4096), long)).toBe(`<${long.slice(4088, 4096)}>`);
  expect(shown(long.slice(4089, 4097), long)).toBe(long.slice(4089, 4097));
});
