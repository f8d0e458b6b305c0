import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expectSameMessage, randomRun } from "../../src/protocols/ui-messages/test-random-runs.ts";

const { SEED: seed = "1" } = process.env;

test("the AI SDK's client builds the message of the history from any of 10,000 random runs", async () => {
  let chunks = 0;
  await fc.assert(
    fc.asyncProperty(randomRun, async (random) => {
      chunks += await expectSameMessage(random);
    }),
    { numRuns: 10_000, seed: Number(seed) },
  );
  expect(chunks).toBeGreaterThan(100_000);
}, 600_000);
