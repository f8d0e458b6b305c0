import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { formatArguments, screenOn, shorten } from "./text.ts";

test("text that fits is left whole, and longer text is cut at the limit with an ellipsis", () => {
  expect(shorten("a b", 3)).toBe("a b");
  expect(shorten("abcd", 3)).toBe("ab…");
  expect(shorten("  a\n\tb  ", 3)).toBe("a b");
});

test("characters beyond the basic plane are not cut in half", () => {
  expect(shorten("🙂🙂🙂", 2)).toBe("🙂…");
});

test("an argument called __proto__ is shown like any other", () => {
  expect(formatArguments('{"__proto__":1,"a":null}')).toBe("__proto__: 1, a: null");
});

test("a stream that is no terminal has no colours and a usual width", () => {
  const screen = screenOn(new PassThrough());
  expect(screen.paint("red", "plain")).toBe("plain");
  expect(screen.columns).toBe(100);
});
