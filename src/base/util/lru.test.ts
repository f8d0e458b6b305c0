import { expect, test } from "vitest";
import { Lru } from "./lru.ts";

const keysOf = (lru: Lru<string>, ...keys: string[]): string[] =>
  keys.filter((key) => lru.get(key) !== undefined);

test("what was not used for longest goes first", () => {
  const lru = new Lru<string>(2, Infinity);
  lru.set("a", "A", 1);
  lru.set("b", "B", 1);
  expect(lru.get("a")).toBe("A");
  lru.set("c", "C", 1);
  expect(keysOf(lru, "a", "b", "c")).toEqual(["a", "c"]);
});

test("limits the total size", () => {
  const lru = new Lru<string>(Infinity, 10);
  lru.set("a", "A", 4);
  lru.set("b", "B", 4);
  lru.set("c", "C", 4);
  expect(keysOf(lru, "a", "b", "c")).toEqual(["b", "c"]);
  lru.set("b", "less", 1);
  lru.set("d", "D", 5);
  expect(keysOf(lru, "b", "c", "d")).toEqual(["b", "c", "d"]);
});

test("what is larger than all may be is not kept, and displaces only what it replaces", () => {
  const lru = new Lru<string>(10, 10);
  lru.set("a", "A", 4);
  lru.set("b", "B", 4);
  lru.set("a", "huge", 11);
  expect(keysOf(lru, "a", "b")).toEqual(["b"]);
});

test("what is deleted makes room, and an emptied map serves again", () => {
  const lru = new Lru<string>(1, 10);
  for (const key of ["a", "b", "c"]) {
    lru.set(key, key, 10);
    lru.delete(key);
    lru.delete(key);
  }
  lru.set("d", "D", 10);
  lru.set("e", "E", 10);
  expect(keysOf(lru, "a", "b", "c", "d", "e")).toEqual(["e"]);
});

test("keeps the order of use through all operations", () => {
  const lru = new Lru<number>(3, Infinity);
  // The same by hand: the keys in the order of their use, the oldest first.
  let order: string[] = [];
  const wrong: number[] = [];
  for (let step = 0; step < 2_000; step++) {
    const key = `k${(step * 7 + (step % 11) * 5) % 6}`;
    const rest = order.filter((other) => other !== key);
    if (step % 5 === 4) {
      lru.delete(key);
      order = rest;
    } else if (step % 3 === 0) {
      lru.set(key, step, 1);
      order = [...rest, key].slice(-3);
    } else {
      const isKept = order.includes(key);
      if ((lru.get(key) !== undefined) !== isKept) wrong.push(step);
      order = isKept ? [...rest, key] : rest;
    }
  }
  expect(wrong).toEqual([]);
  expect(order.length).toBeGreaterThan(0);
  expect(["k0", "k1", "k2", "k3", "k4", "k5"].filter((key) => lru.get(key) !== undefined)).toEqual(
    order.toSorted(),
  );
});
