import { expect, test } from "vitest";
import { PrefixCache } from "./prefix-cache.ts";

interface Item {
  text: string;
}

const items = (...texts: string[]): Item[] => texts.map((text) => ({ text }));

test("a longer list continues from its stored beginning, once", () => {
  const cache = new PrefixCache<Item, string>(({ text }) => text);
  const [first, second, third] = [{ text: "a" }, { text: "b" }, { text: "c" }];
  cache.store([first, second], "two");
  const entry = cache.checkout([first, second, third]);
  expect(entry).toMatchObject({ state: "two", items: [first, second] });
  expect(cache.checkout([first, second, third])).toBeUndefined();
});

test("a stored entry is found up to its length at that time", () => {
  const cache = new PrefixCache<Item, string>(({ text }) => text);
  const [first, second, third] = [{ text: "a" }, { text: "b" }, { text: "c" }];
  cache.store([first], "one");
  cache.store([first, second], "two", cache.checkout([first, second]));
  expect(cache.peek([first, second])).toBe("two");
  expect(cache.checkout([first, second, third])).toMatchObject({ state: "two", items: [first, second] });
});

test("the same list, a shorter one and another beginning are worked on again", () => {
  const cache = new PrefixCache<Item, string>(({ text }) => text);
  const [first, second, third] = [{ text: "a" }, { text: "b" }, { text: "c" }];
  cache.store([first, second], "two");
  expect(cache.checkout([first, second])).toBeUndefined();
  expect(cache.checkout([second, third])).toBeUndefined();
  expect(cache.checkout([{ text: "a" }, second, third])).toBeUndefined();
  expect(cache.checkout([first, first, second, third])).toBeUndefined();
  expect(cache.checkout([])).toBeUndefined();
});

test("an item that was changed in place is noticed", () => {
  const cache = new PrefixCache<Item, string>(({ text }) => text);
  const list = items("a", "b");
  cache.store(list, "two");
  const [first] = list;
  if (first) first.text = "changed";
  expect(cache.checkout([...list, { text: "c" }])).toBeUndefined();
});

test("a list that its owner adds to afterwards is known as it was", () => {
  const cache = new PrefixCache<Item, string>(({ text }) => text);
  const list = items("a", "b");
  cache.store(list, "two");
  list.push({ text: "c" });
  expect(cache.checkout(list)).toMatchObject({ state: "two", items: list.slice(0, 2) });
});

test("looking at what came of a list leaves it where it is", () => {
  const cache = new PrefixCache<Item, string>(({ text }) => text);
  const list = items("a", "b");
  cache.store(list, "two");
  expect(cache.peek(list)).toBe("two");
  expect(cache.peek(list.slice(1))).toBeUndefined();
  expect(cache.checkout([...list, { text: "c" }])?.state).toBe("two");
});
