/** The encoders of Chat Completions and Responses over many random runs, with OpenAI's official client as the judge. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expectChatCompletion } from "../../src/protocols/chat-completions/test-random.ts";
import { randomRuns } from "../../src/protocols/kit/test-random-runs.ts";
import { expectResponse } from "../../src/protocols/responses/test-random.ts";
import { shareOf } from "../effort.ts";

const { SEED: seed = "1" } = process.env;
const at = fc.option(fc.double({ min: 0, max: 0.999, noNaN: true }), { nil: undefined });
const numRuns = shareOf(10_000);

test.each([
  ["Chat Completions", expectChatCompletion],
  ["Responses", expectResponse],
])(
  `${numRuns} random runs are what the official client reads as %s`,
  { timeout: 1_800_000 },
  async (_, check) => {
    const property = fc.asyncProperty(randomRuns, at, check);
    await expect(fc.assert(property, { numRuns, seed: Number(seed) })).resolves.toBeUndefined();
  },
);
