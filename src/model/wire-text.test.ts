import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stringifyBody, cachedJson } from "./wire-text.ts";

test("a body is the text that JSON.stringify makes of it", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.object()), (fields, items) => {
      const body = { ...fields, left: undefined, messages: items };
      const expected = JSON.stringify(body);
      expect(stringifyBody(body)).toBe(expected);
      expect(stringifyBody({ ...body, messages: cachedJson(items) })).toBe(expected);
      expect(stringifyBody({ ...body, messages: cachedJson([...items]) })).toBe(expected);
      for (let count = 0; count < items.length; count++)
        expect(stringifyBody({ ...body, messages: cachedJson([...items], count) })).toBe(expected);
    }),
  );
});

test("only the items of lists that say so are written once", () => {
  const item = { role: "user", content: "before" };
  expect(stringifyBody({ messages: [item] })).toContain("before");
  item.content = "after";
  expect(stringifyBody({ messages: [item] })).toContain("after");
  const list = cachedJson([item]);
  expect(stringifyBody({ messages: list })).toContain("after");
  item.content = "later";
  expect(stringifyBody({ messages: list })).toContain("after");
  expect(stringifyBody({ messages: cachedJson([item, item]) })).toMatch(/after.*later/);
});

test("of a list longer than 4,194,304 characters nothing is kept", () => {
  const item = { role: "user", content: "x".repeat(4_194_304) };
  const list = cachedJson([item]);
  expect(stringifyBody({ messages: list })).toContain("xxx");
  item.content = "short";
  expect(stringifyBody({ messages: list })).toContain("short");
});

test("of a list of 4,194,304 characters all is kept", () => {
  const item = { role: "user", content: "" };
  const frame = JSON.stringify(item).length;
  item.content = "x".repeat(4_194_304 - frame);
  const list = cachedJson([item]);
  stringifyBody({ messages: list });
  item.content = "short";
  expect(stringifyBody({ messages: list })).toContain("xxx");
});

test("a list that grows has its first items written once", () => {
  const item = { role: "user", content: "before" };
  const short = cachedJson([item]);
  stringifyBody({ messages: short });
  item.content = "after";
  const long = cachedJson([item, { role: "user", content: "next" }]);
  expect(stringifyBody({ messages: long })).toBe(
    '{"messages":[{"role":"user","content":"before"},{"role":"user","content":"next"}]}',
  );
});

test("items behind those that never change are written each time", () => {
  const [first, last] = [{ content: "a" }, { content: "b" }];
  const send = (): string => stringifyBody({ messages: cachedJson([first, last], 1) });
  expect(send()).toBe('{"messages":[{"content":"a"},{"content":"b"}]}');
  first.content = "c";
  last.content = "d";
  expect(send()).toBe('{"messages":[{"content":"a"},{"content":"d"}]}');
  expect(stringifyBody({ messages: cachedJson([last, first], 0) })).toBe(
    '{"messages":[{"content":"d"},{"content":"c"}]}',
  );
});
