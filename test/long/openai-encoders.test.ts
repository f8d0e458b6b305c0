/** The encoders of Chat Completions and Responses over many random runs, with OpenAI's official client as the judge. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expectChatCompletion } from "../../src/protocols/chat-completions/test-random.ts";
import { randomRuns } from "../../src/protocols/kit/test-random-runs.ts";
import { expectResponse } from "../../src/protocols/responses/test-random.ts";

const { SEED: seed = "1" } = process.env;
const at = fc.option(fc.double({ min: 0, max: 0.999, noNaN: true }), { nil: undefined });

test.each([
  ["Chat Completions", expectChatCompletion],
  ["Responses", expectResponse],
])(
  "10,000 random runs are what the official client reads as %s",
  { timeout: 1_800_000 },
  async (_, check) => {
    const property = fc.asyncProperty(randomRuns, at, check);
    await expect(fc.assert(property, { numRuns: 10_000, seed: Number(seed) })).resolves.toBeUndefined();
  },
);
