import { expect, test } from "vitest";
import { progressValue } from "./progress-value.ts";

test.each([undefined, null, 0, "half", true, { done: 1, of: [2, { at: "$" }] }])(
  "%j stays what it is",
  (value) => {
    expect(progressValue(value)).toEqual(value);
  },
);

test("what a tool does to a value later is its own business", () => {
  const rows = [1];
  const reported = progressValue(rows);
  rows.push(2);
  expect(reported).toEqual([1]);
});

test("what JSON lacks is written as in a result", () => {
  const parent: { child?: unknown } = {};
  parent.child = parent;
  expect(progressValue(parent)).toEqual({ child: "[circular]" });
  expect(progressValue({ at: new Date(0) })).toEqual({ at: "1970-01-01T00:00:00.000Z" });
});

test("cuts long text, with a notice", () => {
  const text = progressValue("x".repeat(3_000_000));
  expect(text).toHaveLength(1_048_576 + "\n[1951424 of 3000000 characters left out]\n".length);
  const rows = progressValue(Array.from({ length: 500_000 }, (_, row) => ({ row })));
  if (typeof rows !== "string") throw new TypeError("the value was not cut");
  expect(rows.length).toBeLessThan(2_000_000);
  expect(rows).toMatch(/\[the value was left out from \$\[\d+\](?:\.row)? on, because it is too long\]$/);
});

test("what cannot be read is a sentence", () => {
  const value = {
    get broken(): never {
      throw new Error("no sk-abc123456");
    },
  };
  expect(progressValue(value)).toBe("[cannot be written as JSON: no [redacted]]");
});
