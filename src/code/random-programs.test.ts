import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tool, type RunEvent, type ToolContext, type ToolPolicy } from "skein";
import type { CodeLimits } from "skein/code";
import { textsOf } from "./test-run.ts";

/** A part of a program, and how many calls it makes where nothing limits it. */
interface Part {
  readonly code: string;
  readonly calls: number;
}

const call: fc.Arbitrary<Part> = fc.integer({ min: 0, max: 3 }).map((n) => ({
  code: `await tools.count({ n: ${n} });`,
  calls: 1,
}));

const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 2 },
    call,
    fc.tuple(fc.integer({ min: 0, max: 4 }), tie("part")).map(([times, { code, calls }]) => ({
      code: `for (let i = 0; i < ${times}; i++) { ${code} }`,
      calls: times * calls,
    })),
    fc.array(tie("part"), { maxLength: 4 }).map((parts) => ({
      code: `await Promise.allSettled([${parts.map(({ code }) => `(async () => { ${code} })()`).join(", ")}]);`,
      calls: parts.reduce((sum, { calls }) => sum + calls, 0),
    })),
    tie("part").map(({ code, calls }) => ({ code: `try { ${code} } catch { ${code} }`, calls })),
  ),
}));

/** How many calls each program makes of those that a limit lets through, in the order of the programs. */
async function callsOf(parts: readonly Part[], limits: CodeLimits, policy: ToolPolicy): Promise<number[]> {
  const counts: number[] = [];
  const numbers = new Map<string, number>();
  const counter = tool({
    name: "count",
    input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    output: { type: "integer" },
    ...policy,
    execute: (_: unknown, { toolCallId }: ToolContext) => {
      // That of the program is in front.
      const number = numbers.get(toolCallId.split("/", 1)[0] ?? "") ?? -1;
      return (counts[number] = (counts[number] ?? 0) + 1);
    },
  });
  const onEvent = (event: RunEvent): void => {
    if (event.type !== "tool-start" || event.parentToolCallId !== undefined) return;
    numbers.set(event.toolCall.toolCallId, counts.push(0) - 1);
  };
  await textsOf(
    parts.map(({ code }) => code),
    [counter],
    { check: false, limits },
    { onEvent },
  );
  return counts;
}

test.each([
  [12, 8, {}, 600],
  [1, 8, {}, 100],
  [5, 1, {}, 100],
  [10, 3, { concurrency: 2 }, 200],
] as const)(
  "with a limit of %i calls, %i at once, random programs make each of their calls up to that, and not one more",
  { timeout: 300_000 },
  async (calls, parallel, policy, numRuns) => {
    const parts = fc.sample(part, { numRuns, seed: calls });
    const counts = await callsOf(parts, { calls, parallel }, policy);
    // Behind the limit, a program that tries again tries in vain.
    expect(counts).toEqual(parts.map((each) => Math.min(each.calls, calls)));
    expect(Math.max(...counts)).toBe(calls);
  },
);
