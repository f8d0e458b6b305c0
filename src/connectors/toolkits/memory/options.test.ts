import { memory } from "skein/toolkits";
import { expect, test } from "vitest";

test.each([
  ["nothing", () => memory(JSON.parse("null"))],
  ["a text", () => memory(JSON.parse('"memory.db"'))],
  ["no place", () => memory(JSON.parse("{}"))],
  ["an empty path", () => memory({ sqlite: "" })],
  ["two places", () => memory(JSON.parse('{ "sqlite": "a", "folder": "b" }'))],
  ["half a store", () => memory(JSON.parse('{ "list": 1 }'))],
  ["an owner that is a text", () => memory({ sqlite: "a" }, JSON.parse('{ "owner": "Ann" }'))],
])("%s is an error at once", (_, make) => {
  expect(make).toThrow(/memory\(\)/);
});
