/** A call that a dead process has made counts for the calls that require it, also where a tool made it. */
import { Agent, run, tool, toolset, type ToolContext } from "skein";
import { expect, test } from "vitest";
import { calls, does, effects, empty } from "./test-nested.ts";
import { memoryJournal } from "./test-journal.ts";

const pay = tool({
  name: "pay",
  input: empty,
  requires: ["look"],
  execute: () => void effects.push("pay"),
});
const prepare = tool({
  name: "prepare",
  input: empty,
  execute: (_: unknown, { call }: ToolContext) => call("look", {}),
});

test("a toolset's tool that another tool called before a process died counts after that", async () => {
  const agent = new Agent({
    name: "Till",
    model: calls("prepare", "pay"),
    tools: [prepare, toolset([does("look"), pay])],
  });
  const journal = memoryJournal();
  const stored = journal.steps;
  await run(agent, "go", { journal, runId: "order-7" });
  expect(effects).toEqual(["look", "pay"]);
  // The process has died before the second call was made.
  for (const key of stored.keys()) if (/^turn-2\/tool|^turn-3/.test(key)) stored.delete(key);
  const resumed = await run(agent, "go", { journal, runId: "order-7" });
  expect([resumed.status, effects]).toEqual(["completed", ["look", "pay", "pay"]]);
});
