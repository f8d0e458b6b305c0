import { afterAll, describe, expect, test } from "vitest";
import { holdout } from "./holdout.ts";
import { examples, type Outcome, play } from "./play.ts";
import { table } from "./table.ts";

describe.each([
  ["200 sentences, on which the rules were tuned,", table, 200, 0.9],
  ["60 further sentences", holdout, 60, 0.85],
] as const)("of %s", (_, sentences, count, leastShare) => {
  const outcomes: Outcome[] = [];

  // `SHOW_SENTENCES=1` lists what is not understood, with what happened instead.
  afterAll(() => {
    if (process.env["SHOW_SENTENCES"] === undefined) return;
    for (const { isRight, isNonsense, description } of outcomes)
      if (!isRight) process.stdout.write(`${isNonsense ? "!!" : "  "} ${description}\n`);
    process.stdout.write(`-- ${outcomes.filter(({ isRight }) => isRight).length} of ${outcomes.length}\n`);
  });

  test.each(examples)("%s has some", async (example) => {
    const rows = sentences[example] ?? [];
    outcomes.push(...(await play(example, rows)));
    expect(rows.length).toBeGreaterThan(2);
  });

  test("the offline model understands most", () => {
    expect(outcomes.length).toBeGreaterThanOrEqual(count);
    const right = outcomes.filter(({ isRight }) => isRight).length;
    expect(right / outcomes.length, `${right} of ${outcomes.length}`).toBeGreaterThanOrEqual(leastShare);
  });

  test("the offline model calls no tool that was not asked for, and none with arguments that make no sense", () => {
    expect(outcomes.filter(({ isNonsense }) => isNonsense).map(({ description }) => description)).toEqual([]);
  });
});
