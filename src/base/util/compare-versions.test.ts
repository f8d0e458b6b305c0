import { expect, test } from "vitest";
import { compareVersions } from "./compare-versions.ts";

test.each([
  ["1", "2"],
  ["2", "10"],
  ["1.9.0", "1.10.0"],
  ["1", "1.1"],
  ["1.0.0-beta", "1.0.0"],
  ["1.0.0-beta.2", "1.0.0-beta.11"],
  ["2025-01-31", "2025-02-01"],
])("%s is older than %s", (older, newer) => {
  expect(compareVersions(older, newer)).toBeLessThan(0);
  expect(compareVersions(newer, older)).toBeGreaterThan(0);
});

test("a version is as old as itself", () => {
  expect(compareVersions("1.2.3-rc.1", "1.2.3-rc.1")).toBe(0);
});
