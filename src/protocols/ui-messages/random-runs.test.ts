import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expectSameMessage, randomRun } from "./test-random-runs.ts";

test("the AI SDK's client builds the message of the history from any run", async () => {
  let chunks = 0;
  await fc.assert(
    fc.asyncProperty(randomRun, async (random) => {
      chunks += await expectSameMessage(random);
    }),
    { numRuns: 200, seed: 1 },
  );
  expect(chunks).toBeGreaterThan(200);
});
