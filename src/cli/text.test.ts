import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { formatArguments, printable, screenOn, shorten } from "./text.ts";

test("text that fits is left whole, and longer text is cut at the limit with an ellipsis", () => {
  expect(shorten("a b", 3)).toBe("a b");
  expect(shorten("abcd", 3)).toBe("ab…");
  expect(shorten("  a\n\tb  ", 3)).toBe("a b");
});

test("wide characters count as two columns, marks as none, and nothing is cut in half", () => {
  expect(shorten("🙂🙂🙂", 4)).toBe("🙂…");
  expect(shorten("東京タワー", 10)).toBe("東京タワー");
  expect(shorten("東京タワー", 9)).toBe("東京タワ…");
  expect(shorten("e\u0301te\u0301", 3)).toBe("e\u0301te\u0301");
  expect(shorten("👩‍👩‍👧x", 3)).toBe("👩‍👩‍👧x");
});

test("neither control characters nor what turns text around is printable", () => {
  expect(printable("a\u001B[31m\u009B\rb\tc\r\nd\u202Ee\u2066f")).toBe("a[31mb\tc\ndef");
});

test("a plain screen has no colours, even on a terminal, and no line that is written over", () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 8, hasColors: () => true });
  const { isLive, isStyled, paint, columns } = screenOn(terminal, { plain: true });
  expect({ isLive, isStyled, text: paint("red", "a"), columns }).toEqual({
    isLive: false,
    isStyled: false,
    text: "a",
    columns: 16,
  });
  expect(screenOn(terminal).isLive).toBe(true);
});

test("an argument called __proto__ is shown like any other", () => {
  expect(formatArguments('{"__proto__":1,"a":null}')).toBe("__proto__: 1, a: null");
});

test("a stream that is not a terminal has no colours and a usual width", () => {
  const screen = screenOn(new PassThrough());
  expect(screen.paint("red", "plain")).toBe("plain");
  expect(screen.columns).toBe(100);
});

test("what hides in text is not printable, and what joins words and emoji is", () => {
  expect(printable("a\u200Bb\uFEFFc\u{E0045}\u3164\u00ADd\u2028e")).toBe("abcd\ne");
  expect(printable("👩‍👩‍👧 ❤️ می‌خواهم")).toBe("👩‍👩‍👧 ❤️ می‌خواهم");
});
