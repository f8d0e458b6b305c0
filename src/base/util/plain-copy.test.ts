import { expect, test } from "vitest";
import { plainCopy } from "./plain-copy.ts";

test("a copy is equal, and nothing of it is the same object", () => {
  const value = { a: [{ b: [1, "two", null] }], c: undefined };
  const copy = plainCopy(value);
  expect(copy).toStrictEqual(value);
  Object.assign(copy.a[0] ?? {}, { b: "changed" });
  copy.a.length = 0;
  expect(value).toEqual({ a: [{ b: [1, "two", null] }] });
});

test("what is more than plain is kept by reference", () => {
  const [date, map] = [new Date(0), new Map()];
  const copy = plainCopy({ date, list: [map] });
  expect(copy.date).toBe(date);
  expect(copy.list[0]).toBe(map);
});

test("a key named __proto__ stays a key", () => {
  const copy = plainCopy(JSON.parse('{ "__proto__": { "admin": true } }'));
  expect(Object.keys(copy)).toEqual(["__proto__"]);
  expect(copy.admin).toBeUndefined();
});
