import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expectSameMessage, randomRun } from "../../src/protocols/ui-messages/test-random-runs.ts";
import { shareOf } from "../effort.ts";

const { SEED: seed = "1" } = process.env;

const numRuns = shareOf(10_000);

test(`the AI SDK's client builds the message of the history from any of ${numRuns} random runs`, async () => {
  let chunks = 0;
  await fc.assert(
    fc.asyncProperty(randomRun, async (random) => {
      chunks += await expectSameMessage(random);
    }),
    { numRuns, seed: Number(seed) },
  );
  expect(chunks).toBeGreaterThan(10 * numRuns);
}, 600_000);
