import { expect, test } from "vitest";
import { resolvePointer } from "./references.ts";

const list = Array.from({ length: 200 }, (_, index) => index);
const root = { list, "a/b": { "~": 1 }, "50%": 2 };

test.each([
  ["#", root],
  ["#/list/0", 0],
  ["#/list/1", 1],
  ["#/list/10", 10],
  ["#/list/123", 123],
  ["#/a~1b/~0", 1],
  ["#/50%", 2],
  ["#/50%25", 2],
])("%s names a part", (reference, part) => {
  expect(resolvePointer(root, reference)).toBe(part);
});

test.each([
  "",
  "list",
  "/list",
  "#list",
  "#/list/01",
  "#/list/0x1",
  "#/list/1e1",
  "#/list/-1",
  "#/list/length",
])("%j names nothing", (reference) => {
  expect(resolvePointer(root, reference)).toBeUndefined();
});
