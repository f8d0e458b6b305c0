/** Replays, started over the data routes: what they execute, and what they answer from the run before. */
import { run } from "skein";
import { expect, test } from "vitest";
import type { ModelStep } from "../../src/studio/records.ts";
import { openData } from "./data.ts";
import { cases, Counted, replay, shapeOf } from "./replay-cases.ts";

test.each(cases)(
  "a replay executes nothing, and with a tool ticked exactly its calls: $what",
  async (each) => {
    const tools = new Counted();
    const agent = each.agent(tools);
    const page = await openData([agent]);
    await run(agent, "Go.", { runId: "first", ...(each.context && { context: each.context }) });
    const first = await page.run("first");
    const before = { ...tools.counts };

    const repeated = await replay(page, "first");
    expect(shapeOf(repeated)).toEqual(shapeOf(first));
    expect(tools.counts).toEqual(before);
    expect(repeated).toMatchObject({ replayOf: { runId: "first", turn: 1 }, question: "Go." });

    const ticked = await replay(page, "first", { execute: [each.tick] });
    const executed = Object.entries(tools.counts).map(([name, count]) => [name, count - (before[name] ?? 0)]);
    expect(Object.fromEntries(executed.filter(([, count]) => count !== 0))).toEqual(each.executed);
    expect(ticked.status).toBe(first.status);

    // From each of its turns.
    const turns = first.steps.filter(
      (step): step is ModelStep => step.kind === "model" && step.parent === undefined,
    );
    const counts = { ...tools.counts };
    for (const { id } of turns) {
      const later = await replay(page, "first", { step: id });
      expect(later.steps.findLast(({ kind }) => kind === "model")).toMatchObject({
        text: turns.at(-1)?.text,
        agent: turns.at(-1)?.agent,
      });
    }
    expect(tools.counts).toEqual(counts);
  },
);
