import { expect, test } from "vitest";
import { Continuations } from "./continuations.ts";

interface Item {
  text: string;
}

const items = (...texts: string[]): Item[] => texts.map((text) => ({ text }));

test("what has grown is taken up where it was left, once", () => {
  const kept = new Continuations<Item, string>(({ text }) => text);
  const [first, second, third] = [{ text: "a" }, { text: "b" }, { text: "c" }];
  kept.keep([first, second], "two");
  const taken = kept.take([first, second, third]);
  expect(taken).toMatchObject({ state: "two", items: [first, second] });
  expect(kept.take([first, second, third])).toBeUndefined();
});

test("what is given back is known as far as it has come then", () => {
  const kept = new Continuations<Item, string>(({ text }) => text);
  const [first, second, third] = [{ text: "a" }, { text: "b" }, { text: "c" }];
  kept.keep([first], "one");
  kept.keep([first, second], "two", kept.take([first, second]));
  expect(kept.peek([first, second])).toBe("two");
  expect(kept.take([first, second, third])).toMatchObject({ state: "two", items: [first, second] });
});

test("the same list, a shorter one and another beginning are worked on again", () => {
  const kept = new Continuations<Item, string>(({ text }) => text);
  const [first, second, third] = [{ text: "a" }, { text: "b" }, { text: "c" }];
  kept.keep([first, second], "two");
  expect(kept.take([first, second])).toBeUndefined();
  expect(kept.take([second, third])).toBeUndefined();
  expect(kept.take([{ text: "a" }, second, third])).toBeUndefined();
  expect(kept.take([first, first, second, third])).toBeUndefined();
  expect(kept.take([])).toBeUndefined();
});

test("an item that was changed in place is noticed", () => {
  const kept = new Continuations<Item, string>(({ text }) => text);
  const list = items("a", "b");
  kept.keep(list, "two");
  const [first] = list;
  if (first) first.text = "changed";
  expect(kept.take([...list, { text: "c" }])).toBeUndefined();
});

test("a list that its owner adds to afterwards is known as it was", () => {
  const kept = new Continuations<Item, string>(({ text }) => text);
  const list = items("a", "b");
  kept.keep(list, "two");
  list.push({ text: "c" });
  expect(kept.take(list)).toMatchObject({ state: "two", items: list.slice(0, 2) });
});

test("looking at what came of a list leaves it where it is", () => {
  const kept = new Continuations<Item, string>(({ text }) => text);
  const list = items("a", "b");
  kept.keep(list, "two");
  expect(kept.peek(list)).toBe("two");
  expect(kept.peek(list.slice(1))).toBeUndefined();
  expect(kept.take([...list, { text: "c" }])?.state).toBe("two");
});
