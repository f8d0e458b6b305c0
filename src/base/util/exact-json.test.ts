import { expect, test } from "vitest";
import { parseExactJson } from "./exact-json.ts";

test.each([
  ['{"id":1234567890123456789}', { id: "1234567890123456789" }],
  [
    "[9007199254740991,9007199254740992,-9007199254740993]",
    [9_007_199_254_740_991, "9007199254740992", "-9007199254740993"],
  ],
  ["1e400", "1e400"],
  ["[1e-400,-1e-400,0.0,0e-999,-0,1e-320]", ["1e-400", "-1e-400", 0, 0, -0, 1e-320]],
  ["1.2345678e-320", "1.2345678e-320"],
  [
    "[9007199254740993.0,12345678901234567.89,1.234567890123456789,0.1234567890123456789e5]",
    ["9007199254740993.0", "12345678901234567.89", "1.234567890123456789", "0.1234567890123456789e5"],
  ],
  ["123456789012345.678901", "123456789012345.678901"],
  ["[0.10000000000000001,0.30000000000000004,1.10]", [0.1, 0.1 + 0.2, 1.1]],
  ["0.00000000000000000000000001", 1e-26],
  ["[1e20,1.50000000000000000000,0.1]", [1e20, 1.5, 0.1]],
  [
    String.raw`{"1234567890123456789":"1234567890123456789 \" 1234567890123456789 \\","b":1234567890123456789}`,
    { "1234567890123456789": '1234567890123456789 " 1234567890123456789 \\', b: "1234567890123456789" },
  ],
])("numbers of %s that JavaScript cannot hold are texts", (text, value) => {
  expect(parseExactJson(text)).toEqual(value);
});

test.each(["{1234567890123456789:1}", "01234567890123456789", "1234567890123456789x", ""])(
  "%s is not JSON",
  (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  },
);

test("long texts and many numbers are read in time", () => {
  const text = JSON.stringify({
    long: '\\"x'.repeat(3_000_000),
    list: Array.from({ length: 100_000 }, (_, at) => at),
  });
  const start = performance.now();
  expect(parseExactJson(`[1234567890123456789,${text}]`)).toEqual(["1234567890123456789", JSON.parse(text)]);
  expect(performance.now() - start).toBeLessThan(40_000);
});

test("a number of a million digits is read in time", () => {
  const digits = `1.${"0".repeat(1_000_000)}1`;
  expect(parseExactJson(`[${digits}]`)).toEqual([digits]);
});
