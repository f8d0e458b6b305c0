import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bodyText, lasting } from "./wire-text.ts";

test("a body is the text that JSON.stringify makes of it", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.object()), (fields, items) => {
      const body = { ...fields, left: undefined, messages: items };
      const expected = JSON.stringify(body);
      expect(bodyText(body)).toBe(expected);
      expect(bodyText({ ...body, messages: lasting(items) })).toBe(expected);
      expect(bodyText({ ...body, messages: lasting([...items]) })).toBe(expected);
    }),
  );
});

test("only the items of lists that say so are written once", () => {
  const item = { role: "user", content: "before" };
  expect(bodyText({ messages: [item] })).toContain("before");
  item.content = "after";
  expect(bodyText({ messages: [item] })).toContain("after");
  const list = lasting([item]);
  expect(bodyText({ messages: list })).toContain("after");
  item.content = "later";
  expect(bodyText({ messages: list })).toContain("after");
  expect(bodyText({ messages: lasting([item, item]) })).toMatch(/after.*later/);
});

test("of a list longer than 4,194,304 characters nothing is kept", () => {
  const item = { role: "user", content: "x".repeat(4_194_304) };
  const list = lasting([item]);
  expect(bodyText({ messages: list })).toContain("xxx");
  item.content = "short";
  expect(bodyText({ messages: list })).toContain("short");
});
