import { expect, test } from "vitest";
import { readDocument } from "./read-document.ts";

const fence = "```";

/** A million characters each, on which a reader that goes back would spend hours. */
const hostile: Readonly<Record<string, string>> = {
  "comments that are not closed": "/*\n".repeat(350_000),
  "comments and nothing else": "#\n".repeat(500_000),
  "comments in an object": `{${"//x\n".repeat(250_000)}`,
  quotes: '"'.repeat(1_000_000),
  "single quotes": "'".repeat(1_000_000),
  "opening braces": "{".repeat(1_000_000),
  "opening brackets": "[".repeat(1_000_000),
  "closing brackets": `{"a":1${"] ".repeat(500_000)}`,
  spaces: `{${" ".repeat(1_000_000)}`,
  commas: `{${",".repeat(1_000_000)}`,
  colons: ":   ".repeat(250_000),
  fences: fence.repeat(350_000),
  backslashes: String.raw`{"a":"${"\\".repeat(1_000_000)}`,
  "escaped quotes": String.raw`{\"a${String.raw`\"`.repeat(500_000)}`,
  "zeros in a number": `{"a":1${"0".repeat(1_000_000)}1}`,
  "zeros in a fraction": `{"a":0.${"0".repeat(1_000_000)}1,}`,
  "a key without an end": `{${"a".repeat(1_000_000)}`,
  "empty objects": "{}".repeat(500_000),
  "one key again and again": `{${'"a":[1,2],'.repeat(100_000)}}`,
  "prose like members": `${"a: 1 b, ".repeat(125_000)}{}`,
};

test.each(Object.entries(hostile))("%s, a million of them, are answered in linear time", (_title, text) => {
  expect(readDocument(text)).toHaveProperty("ok");
  expect(readDocument(JSON.stringify(text))).toHaveProperty("ok");
});

test.each([
  ['{\n  "a": 1,\n  "b": two\n}', "line 3, column 8"],
  ['Here it is:\n{"a": x}', "line 2, column 7"],
  [`${fence}json\n{"a": "x\n${fence}`, "line 2, column 7"],
  ['{"a":1}\n{"a":2}', "line 2, column 1"],
  ['{"a":1}\nfoo="bar"', "line 1, column 8"],
  ["'{\"a\":}'", "line 1, column 6 of the text in the string"],
])("%j: a problem says where", (text, where) => {
  const read = readDocument(text);
  expect(read.ok ? "" : read.problem).toMatch(new RegExp(String.raw`^not valid JSON: .+ \(${where}\)$`));
});

test("a document is at most three times a string in a string", () => {
  const encoded = (times: number): string => (times === 0 ? '{"a":1}' : JSON.stringify(encoded(times - 1)));
  expect(readDocument(encoded(3))).toEqual({ ok: true, value: { a: 1 } });
  expect(readDocument(encoded(4))).toEqual({ ok: true, value: '{"a":1}' });
});

test("objects have the usual prototype, for any keys", () => {
  const read = readDocument("{__proto__: {x: 1}, constructor: 1, 'b': {\"__proto__\": null}}");
  const { value } = read.ok ? read : { value: undefined };
  expect(value).toStrictEqual({ constructor: 1, b: {} });
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});
