import { expect, test } from "vitest";
import { SharedCache } from "./shared-cache.ts";

test("who has most loses what they have used least recently", () => {
  const dropped: string[] = [];
  const cache = new SharedCache<number>({ entries: 3, size: 100 }, (key) => dropped.push(key));
  cache.set("anna", "a", 1);
  for (const key of ["b1", "b2"]) cache.set("bob", key, 2);
  expect(cache.get("bob", "b1")).toBe(2);
  for (const key of ["b3", "b4", "b5"]) cache.set("bob", key, 2);
  expect(dropped).toEqual(["b2", "b1", "b3"]);
  expect(cache.get("anna", "a")).toBe(1);
  expect(cache.get("bob", "a")).toBeUndefined();
});

test("sizes count over all users, and what was replaced or deleted makes room", () => {
  const dropped: string[] = [];
  const cache = new SharedCache<string>({ entries: 100, size: 10 }, (key) => dropped.push(key));
  cache.set("anna", "a", "A", 4);
  cache.set("bob", "b", "B", 6);
  cache.set("bob", "b", "less", 2);
  cache.set("carl", "c", "C", 4);
  expect(dropped).toEqual([]);
  cache.delete("carl", "c");
  cache.delete("carl", "c");
  cache.set("bob", "b2", "B2", 3);
  expect(dropped).toEqual([]);
  cache.set("dora", "d", "D", 2);
  expect(dropped).toEqual(["b"]);
  expect(cache.get("anna", "a")).toBe("A");
});

test("what is larger than all may be is not kept, and displaces nothing", () => {
  const cache = new SharedCache<string>({ entries: 2, size: 10 });
  cache.set("anna", "a", "A", 10);
  cache.set("bob", "b", "huge", 11);
  expect([cache.get("anna", "a"), cache.get("bob", "b")]).toEqual(["A", undefined]);
});
