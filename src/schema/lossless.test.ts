import { describe, expect, test } from "vitest";
import { isJsonNumber, keepsDigits, numberFromText, respelledNumbers, textFromNumber } from "./lossless.ts";

test("a number in JSON has no other form", () => {
  for (const text of ["0", "-0", "10", "1.50", "-1e5", "1E+5", "0.1e-7"])
    expect(isJsonNumber(text)).toBe(true);
  for (const text of ["", "+1", "01", "1.", ".5", "1e", "0x1", "1,0", " 1", "1 ", "NaN", "--1"])
    expect(isJsonNumber(text)).toBe(false);
});

describe("the number that a text spells", () => {
  test.each([
    ["7", 7],
    ["-1.50", -1.5],
    ["1e3", 1_000],
    ["0.000", 0],
    ["100", 100],
    ["9007199254740992", 9_007_199_254_740_992],
    ["12e-1", 1.2],
  ])("%s is read", (text, number) => {
    expect(numberFromText(text)).toBe(number);
  });

  test.each(["1,000", "007", "", "9007199254740993", "1e999", "0.1000000000000000055", "1e-400", "x"])(
    "%s is none, or would lose digits",
    (text) => {
      expect(numberFromText(text)).toBeUndefined();
    },
  );

  test("has 40 characters at most", () => {
    expect(numberFromText(`1.${"0".repeat(38)}`)).toBe(1);
    expect(numberFromText(`1.${"0".repeat(39)}`)).toBeUndefined();
  });
});

describe("a number that was read", () => {
  test.each([
    ["7", 7, true],
    ["0.0", 0, true],
    ["0e7", 0, true],
    ["1e-400", 0, false],
    ["0.00001e-400", 0, false],
    ["9007199254740993", 9_007_199_254_740_992, false],
    ["1e16", 1e16, true],
    ["0.1000000000000000055", 0.1, true],
    ["1e999", Infinity, false],
  ])("%s is what was written: %d, %s", (text, number, keeps) => {
    expect(keepsDigits(text, number)).toBe(keeps);
  });

  test("is not compared by its digits where the text has 400 characters", () => {
    const text = (length: number) => `1${"0".repeat(20)}.${"0".repeat(length - 22)}`;
    expect(keepsDigits(text(399), 1e20)).toBe(true);
    expect(keepsDigits(text(400), 1e20)).toBe(false);
  });
});

describe("the text of a number", () => {
  test.each([
    [7, "7"],
    [-0.5, "-0.5"],
    [9_007_199_254_740_991, "9007199254740991"],
    [0.123456789012345, "0.123456789012345"],
    [0.000123456789012345, "0.000123456789012345"],
    [12.3456789012345, "12.3456789012345"],
    [1.5e-7, "1.5e-7"],
  ])("%d is sure to be %s", (number, text) => {
    expect(textFromNumber(number, new Set())).toBe(text);
  });

  test.each([9_007_199_254_740_992, 0.1234567890123456, 12.34567890123456, Infinity, Number.NaN])(
    "%d may have been another",
    (number) => {
      expect(textFromNumber(number, new Set())).toBeUndefined();
    },
  );

  test("is unknown where it was written in another way", () => {
    expect(textFromNumber(1, new Set([1]))).toBeUndefined();
    expect(textFromNumber(1, new Set([2]))).toBe("1");
  });
});

test("numbers that JavaScript spells in another way are found in JSON, and in JSON within texts", () => {
  const respelled = (json: string): readonly number[] => [...respelledNumbers(json)];
  expect(respelled('{"a":1.10,"b":[1.0, 1e3,+3],"c": .25}')).toEqual([1.1, 1, 1_000, 3, 0.25]);
  expect(respelled('{"a":1.1,"b":[1,1000,-3],"c":0.5}')).toEqual([]);
  expect(respelled(String.raw`{"a":"{\"b\": 2.50}"}`)).toEqual([2.5]);
  expect(respelled('{"a":"v1.10","b":"1.10"}')).toEqual([]);
});
