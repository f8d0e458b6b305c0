import { expect, test } from "vitest";
import { mayActOn } from "./may-act.ts";

test.each(["stop", "tool-calls"])("after %s everything may be acted on, complete or not", (reason) => {
  expect(mayActOn(reason, ['{"a":', "no JSON"])).toBe(true);
});

test.each(["length", "content-filter", "error", "cancelled"])(
  "after %s nothing may be acted on, though it looks complete",
  (reason) => {
    expect(mayActOn(reason, ['{"a":1}'])).toBe(false);
    expect(mayActOn(reason, [])).toBe(false);
  },
);

test.each(["other", "eos", "", "constructor"])(
  "after %j whole JSON objects may be acted on, and nothing else",
  (reason) => {
    expect(mayActOn(reason, [])).toBe(true);
    expect(mayActOn(reason, ['{"a":1}', "{}"])).toBe(true);
    for (const text of ['{"a":1', "", "1", "null", '"text"', "[]"])
      expect(mayActOn(reason, ["{}", text])).toBe(false);
  },
);
