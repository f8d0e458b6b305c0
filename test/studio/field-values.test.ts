/** What the texts of fields mean: a value that is exactly what was typed, or nothing that could be used. */
import { expect, test } from "vitest";
import { draftOf, readJson, readNumber, withReading } from "../../studio/field-values.ts";

test.each([
  ["10.05", 10.05],
  ["0.05", 0.05],
  ["1.00", 1],
  ["12.50", 12.5],
  ["1e2", 100],
  ["-0", -0],
  [" 7 ", 7],
  ["9007199254740991", 9_007_199_254_740_991],
  ["", undefined],
])("the number %j is %j", (text, value) => {
  expect(readNumber(text, false)).toEqual({ value });
});

test.each(["007", "5.", ".5", "1,5", "1 000", "0x10", "abc", "Infinity", "NaN", "٣"])(
  "%j is not a number",
  (text) => {
    expect(readNumber(text, false)).toEqual({ issue: "This is not a number, such as 10.05." });
  },
);

test.each(["9007199254740993", "1e400", "1e-400", "0.1000000000000000055511151231257827"])(
  "the number %s would be rounded",
  (text) => {
    expect(readNumber(text, false)).toMatchObject({ issue: expect.stringContaining("rounded") });
    expect(readJson(`{"n": [${text}]}`)).toMatchObject({ issue: expect.stringContaining("rounded") });
  },
);

test("an integer has no fraction", () => {
  expect(readNumber("1.5", true)).toEqual({ issue: "This is not an integer." });
  expect(readNumber("1.0", true)).toEqual({ value: 1 });
});

test.each(["{", '{"k": 5', "bare", "[1,]", "'x'"])("%j is not JSON", (text) => {
  expect(readJson(text)).toEqual({ issue: "This is not JSON." });
});

test.each(['{"k": 1, "k": 2}', '{"__proto__": 5}', `${"[".repeat(20_000)}${"]".repeat(20_000)}`])(
  "JSON that loses something has no meaning",
  (text) => {
    expect(readJson(text)).toMatchObject({ issue: expect.stringContaining("key twice") });
  },
);

test("JSON is read as it stands, digits in texts included", () => {
  expect(readJson('{"a": "1e400 \\" 9007199254740993", "b": [1.05, null]}')).toEqual({
    value: { a: '1e400 " 9007199254740993', b: [1.05, null] },
  });
  expect(readJson("  ")).toEqual({ value: undefined });
});

test("a field without a meaning is noted until it has one again", () => {
  const first = draftOf({ amount: 1 });
  const unclear = withReading(first, "amount", { issue: "This is not JSON." });
  expect([...unclear.issues]).toEqual([["amount", "This is not JSON."]]);
  const clear = withReading(unclear, "amount", { value: 2 });
  expect(clear).toEqual({ value: { amount: 2 }, issues: new Map() });
  expect(withReading(clear, "amount", { value: undefined }).value).toEqual({});
});

test("a parameter may be called __proto__", () => {
  const { value } = withReading(draftOf({}), "__proto__", { value: 1 });
  expect(Object.entries(value)).toEqual([["__proto__", 1]]);
});
