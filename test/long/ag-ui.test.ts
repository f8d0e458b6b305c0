/** Random runs, over their pauses, read by the official client of AG-UI: no event is out of order or in another form. */
import { assert, asyncProperty } from "fast-check";
import { expect, test } from "vitest";
import { anyRun, expectNoViolation } from "../../src/protocols/ag-ui/test-random-runs.ts";
import { shareOf } from "../effort.ts";

const { SEED: seed = "1" } = process.env;

const numRuns = shareOf(10_000);

test(`the official client has nothing against ${numRuns} random runs, and ends with their messages`, async () => {
  const checked = assert(asyncProperty(anyRun, expectNoViolation), {
    numRuns,
    seed: Number(seed),
  });
  await expect(checked).resolves.toBeUndefined();
}, 1_200_000);
