import { expect, test } from "vitest";
import { formatPath } from "./format-path.ts";

test.each([
  [[], "$"],
  [["items", 2, "price"], "$.items[2].price"],
  [["größe"], "$.größe"],
  [["unit price", "a.b", "", "0", 'say "hi"'], String.raw`$["unit price"]["a.b"][""]["0"]["say \"hi\""]`],
])("%j is written %s", (path, expected) => {
  expect(formatPath(path)).toBe(expected);
});
