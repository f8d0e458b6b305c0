import { expect, test } from "vitest";
import { fileSession } from "./file-session.ts";
import { sqliteSession } from "./sqlite-session.ts";

test.each(["user-\ud800", "user-\udfff"])(
  "halves of characters name no conversation: a store would write all of them as one",
  (id) => {
    const expected = expect.objectContaining({
      code: "invalid-option",
      message: expect.stringContaining(JSON.stringify(id)),
    });
    expect(() => sqliteSession(":memory:", id)).toThrow(expected);
    expect(() => sqliteSession(id, "user")).toThrow(expected);
    expect(() => fileSession(id)).toThrow(expected);
  },
);

test("whole characters do, whatever their number of halves", () => {
  expect(() => fileSession("user-\u{1F600}.jsonl")).not.toThrow();
});
