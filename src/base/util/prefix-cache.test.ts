import { expect, test } from "vitest";
import { PrefixCache } from "./prefix-cache.ts";

interface Item {
  text: string;
}

const items = (...texts: string[]): Item[] => texts.map((text) => ({ text }));

test("what has grown is taken up where it was left, once", () => {
  const kept = new PrefixCache<Item, string>(({ text }) => text);
  const [first, second, third] = [{ text: "a" }, { text: "b" }, { text: "c" }];
  kept.store([first, second], "two");
  const taken = kept.checkout([first, second, third]);
  expect(taken).toMatchObject({ state: "two", items: [first, second] });
  expect(kept.checkout([first, second, third])).toBeUndefined();
});

test("a stored entry is found up to its length at that time", () => {
  const kept = new PrefixCache<Item, string>(({ text }) => text);
  const [first, second, third] = [{ text: "a" }, { text: "b" }, { text: "c" }];
  kept.store([first], "one");
  kept.store([first, second], "two", kept.checkout([first, second]));
  expect(kept.peek([first, second])).toBe("two");
  expect(kept.checkout([first, second, third])).toMatchObject({ state: "two", items: [first, second] });
});

test("the same list, a shorter one and another beginning are worked on again", () => {
  const kept = new PrefixCache<Item, string>(({ text }) => text);
  const [first, second, third] = [{ text: "a" }, { text: "b" }, { text: "c" }];
  kept.store([first, second], "two");
  expect(kept.checkout([first, second])).toBeUndefined();
  expect(kept.checkout([second, third])).toBeUndefined();
  expect(kept.checkout([{ text: "a" }, second, third])).toBeUndefined();
  expect(kept.checkout([first, first, second, third])).toBeUndefined();
  expect(kept.checkout([])).toBeUndefined();
});

test("an item that was changed in place is noticed", () => {
  const kept = new PrefixCache<Item, string>(({ text }) => text);
  const list = items("a", "b");
  kept.store(list, "two");
  const [first] = list;
  if (first) first.text = "changed";
  expect(kept.checkout([...list, { text: "c" }])).toBeUndefined();
});

test("a list that its owner adds to afterwards is known as it was", () => {
  const kept = new PrefixCache<Item, string>(({ text }) => text);
  const list = items("a", "b");
  kept.store(list, "two");
  list.push({ text: "c" });
  expect(kept.checkout(list)).toMatchObject({ state: "two", items: list.slice(0, 2) });
});

test("looking at what came of a list leaves it where it is", () => {
  const kept = new PrefixCache<Item, string>(({ text }) => text);
  const list = items("a", "b");
  kept.store(list, "two");
  expect(kept.peek(list)).toBe("two");
  expect(kept.peek(list.slice(1))).toBeUndefined();
  expect(kept.checkout([...list, { text: "c" }])?.state).toBe("two");
});
