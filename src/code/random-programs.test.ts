import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tool } from "skein";
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

test(
  "random programs make each of their calls, and not one more than the limit",
  { timeout: 120_000 },
  async () => {
    const limit = 12;
    const parts = fc.sample(part, { numRuns: 150, seed: 7 });
    let count = 0;
    const counts: number[] = [];
    const counter = tool({
      name: "count",
      input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      output: { type: "integer" },
      execute: () => ++count,
    });
    const mark = tool({
      name: "mark",
      input: { type: "object", properties: {} },
      output: { type: "null" },
      execute: () => {
        counts.push(count);
        count = 0;
        return null;
      },
    });
    const programs = parts.flatMap(({ code }) => [code, "await tools.mark();"]);
    await textsOf(programs, [counter, mark], { check: false, limits: { calls: limit } });
    // Behind the limit, a program that tries again tries in vain.
    expect(counts).toEqual(parts.map(({ calls }) => Math.min(calls, limit)));
    expect(Math.max(...counts)).toBe(limit);
  },
);
