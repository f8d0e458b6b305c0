/** An agent that is a tool has another name in the next build while a call within it waits: what it has done is not done again. */
import { readFileSync } from "node:fs";
import {
  type Agent,
  AgentNotFoundError,
  run,
  type RunOptions,
  type RunResult,
  type RunState,
  type Tool,
} from "skein";
import { expect, test } from "vitest";
import { boss, clerk, decide, effects, keepers, plain } from "./test-nested.ts";

/** Goes on with what a run has paused for, which was approved. */
function goOn(agent: Agent, paused: RunResult, options: RunOptions): Promise<RunResult> {
  const approvals = decide(paused);
  return run(agent, options.session ? [] : plain(paused.state), { ...options, approvals });
}

const seller = (): Tool => clerk("Seller").asTool({ name: "clerk" });
const replaced = (): readonly Tool[] => [
  clerk("Seller").asTool(),
  { ...seller(), annotations: { deprecated: { use: "seller" } } },
];

test.each(keepers)(
  "with %s, the run says which agent is missing, and goes on where it is",
  async (_, keeper) => {
    for (const tools of [[seller()], replaced()]) {
      effects.length = 0;
      const options = keeper();
      const paused = await run(boss(), "go", options);
      const resumed = goOn(boss(tools), paused, options);
      await expect(resumed).rejects.toThrow(AgentNotFoundError);
      await expect(resumed).rejects.toThrow('the agent "Clerk"');
      expect(effects).toEqual(["look"]);
      expect((await goOn(boss(), paused, options)).status).toBe("completed");
      expect(effects).toEqual(["look", "pay 5", "note"]);
    }
  },
);

/** Of a version that named the place of an agent as a tool by the agent. */
const earlier: RunState = JSON.parse(
  readFileSync(new URL("state-with-named-place.json", import.meta.url), "utf8"),
);

test("a state that names the place by the agent goes on", async () => {
  const approvals = earlier.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
  }));
  const renamed = run(boss([seller()]), earlier, { approvals });
  await expect(renamed).rejects.toThrow('the agent "Clerk"');
  expect(effects).toEqual([]);
  const done = await run(boss(), earlier, { approvals });
  expect([done.status, done.warnings]).toEqual(["completed", []]);
  expect(effects).toEqual(["pay 5", "note"]);
});
