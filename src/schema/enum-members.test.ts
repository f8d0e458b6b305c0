import { expect, test } from "vitest";
import { enumMembersOf } from "./enum-members.ts";

test("a value is a member if it equals one, whatever the order of its keys", () => {
  const members = enumMembersOf([1, "a", null, { a: 1, b: [2] }, [3]]);
  for (const value of [1, "a", null, { b: [2], a: 1 }, [3]]) expect(members.has(value)).toBe(true);
  for (const value of ["1", "A", false, undefined, {}, { a: 1 }, [], [[3]], { a: 1, b: [2], c: 3 }])
    expect(members.has(value)).toBe(false);
  expect(enumMembersOf(["a"]).has({})).toBe(false);
});

test("what cannot be written is not a member", () => {
  const own: unknown[] = [];
  own.push(own);
  expect(enumMembersOf([[1], own]).has(own)).toBe(false);
});

test("a text is like a member but for its case and the spaces around it, if it is like one alone", () => {
  const members = enumMembersOf(["Red", " green", "Blue", "BLUE", 7]);
  expect(members.like(" RED\n")).toBe("Red");
  expect(members.like("Green")).toBe(" green");
  expect([members.like("blue"), members.like("7"), members.like("re d")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("the members of one list are worked out once", () => {
  const list = ["a"];
  expect(enumMembersOf(list)).toBe(enumMembersOf(list));
});
