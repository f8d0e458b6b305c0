import { expect, test } from "vitest";
import { parsePythonCall } from "./python-call.ts";

test.each([
  ["ls()", "ls", [], {}],
  ["Files.sort('a b.txt', -1.5)", "Files.sort", ["a b.txt", -1.5], {}],
  ["f(a=1_000, b = 2e3,)", "f", [], { a: 1000, b: 2000 }],
  ["f(a=True, b=False, c=None)", "f", [], { a: true, b: false, c: null }],
  [`f(a=[1, (2, 'x')], b={'k': {"l": []}})`, "f", [], { a: [1, [2, "x"]], b: { k: { l: [] } } }],
  [
    String.raw`f(a='it\'s\n', b="q\"", c='\d', d='\u00e9')`,
    "f",
    [],
    { a: "it's\n", b: 'q"', c: "\\d", d: "é" },
  ],
  ["f(__proto__=1)", "f", [], JSON.parse('{"__proto__":1}')],
])("%s", (text, name, positional, named) => {
  expect(parsePythonCall(text)).toEqual({ name, positional, named });
});

test.each([
  ["", "a name"],
  ["f", "("],
  ["f(", "a value"],
  ["f(1", ","],
  ["f(x)", "a value"],
  ["f('a)", "the end of a text"],
  ["f() + 1", "the end"],
  [`f(${"[".repeat(200)}`, "less nesting"],
])("%s is not a call: %s is missing", (text, wanted) => {
  expect(() => parsePythonCall(text)).toThrow(`bfcl(): expected ${wanted} at character`);
});
