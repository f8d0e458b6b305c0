import { assert, asyncProperty } from "fast-check";
import { expect, test } from "vitest";
import { anyRun, expectNoViolation } from "./test-random-runs.ts";

test("the official client has nothing against 300 random runs, and ends with their messages", async () => {
  const checked = assert(asyncProperty(anyRun, expectNoViolation), { numRuns: 300, seed: 1 });
  await expect(checked).resolves.toBeUndefined();
}, 60_000);
