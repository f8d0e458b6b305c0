import * as fc from "fast-check";
import { expect, test } from "vitest";
import { randomRuns } from "../kit/test-random-runs.ts";
import { expectChatCompletion } from "./test-random.ts";

test("random runs are what the official client reads as Chat Completions", { timeout: 60_000 }, async () => {
  const property = fc.asyncProperty(randomRuns, (plan) => expectChatCompletion(plan, undefined));
  await expect(fc.assert(property, { numRuns: 300, seed: 1 })).resolves.toBeUndefined();
});

test("so are those whose process has died in the middle of a turn", { timeout: 60_000 }, async () => {
  const at = fc.double({ min: 0, max: 0.999, noNaN: true });
  const property = fc.asyncProperty(randomRuns, at, expectChatCompletion);
  await expect(fc.assert(property, { numRuns: 200, seed: 2 })).resolves.toBeUndefined();
});
