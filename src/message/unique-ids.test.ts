import { expect, test } from "vitest";
import { UniqueIds } from "./unique-ids.ts";

test("each call gets an id of its own", () => {
  const ids = new UniqueIds(new Set(["call_0", "a"]));
  expect([ids.claim("b"), ids.claim("a"), ids.claim("a"), ids.claim("")]).toEqual([
    "b",
    "a_2",
    "a_3",
    "call_5",
  ]);
  expect(ids.claim("call_5")).toBe("call_5_2");
});

test("an id that is written differently does not meet another one", () => {
  const ids = new UniqueIds(new Set(["A"]), (id) => id.toUpperCase());
  expect(["a", "b", "B"].map((id) => ids.claim(id))).toEqual(["A_2", "B", "B_2"]);
});

test("thousands of calls of one id are numbered in linear time", () => {
  let attempts = 0;
  const ids = new UniqueIds(new Set(), (id) => {
    attempts += 1;
    return id;
  });
  const claimed = Array.from({ length: 5_000 }, () => ids.claim("same"));
  expect(new Set(claimed).size).toBe(5_000);
  expect(claimed.slice(0, 3)).toEqual(["same", "same_2", "same_3"]);
  expect(attempts).toBeLessThan(10_001);
});
