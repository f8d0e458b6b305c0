import { afterAll, describe, expect, test } from "vitest";
import { examples, type Outcome, play } from "./play.ts";
import { table } from "./table.ts";

/** The share of the sentences that must be understood. */
const leastShare = 0.79;

const outcomes: Outcome[] = [];

afterAll(() => {
  if (process.env["SHOW_SENTENCES"] === undefined) return;
  for (const { isRight, isNonsense, description } of outcomes)
    if (!isRight) process.stdout.write(`${isNonsense ? "!!" : "  "} ${description}\n`);
});

describe("the offline model", () => {
  test.each(examples)("plays %s", async (example) => {
    const rows = table[example] ?? [];
    expect(rows.length).toBeGreaterThan(10);
    outcomes.push(...(await play(example, rows)));
  });

  test("understands most of at least 200 sentences", () => {
    expect(outcomes.length).toBeGreaterThanOrEqual(200);
    const right = outcomes.filter(({ isRight }) => isRight).length;
    expect(right / outcomes.length, `${right} of ${outcomes.length}`).toBeGreaterThanOrEqual(leastShare);
  });
});
