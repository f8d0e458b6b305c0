import { expect, test } from "vitest";
import { parseCallArguments } from "./json-values.ts";

test.each([600, 20_000])(
  "arguments nested %d levels deep are sent as text, which any request can hold",
  (levels) => {
    const text = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    expect(parseCallArguments(text)).toEqual({ invalid_arguments: text });
  },
);

test("arguments that tools take are sent as they are, wherever brackets stand", () => {
  const value = { list: [[{ a: "[".repeat(1000) }]], wide: Array.from({ length: 1000 }, () => [{}]) };
  expect(parseCallArguments(JSON.stringify(value))).toEqual(value);
});
