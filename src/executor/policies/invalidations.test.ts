import { expect, test } from "vitest";
import { Agent, executeToolCalls, invalidate, stream, tool, type ToolResult } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { countingTool, HeldWork, inTurn, workCalls, workTool } from "./test-calls.ts";

const shared = { cache: { scope: "shared" } } as const;

const call = (args: Record<string, string>): ScriptedToolCall => ({ toolName: "work", arguments: args });

test("invalidate forgets all results of a tool, or those of calls with some arguments", async () => {
  const { tool: work, count } = countingTool(shared);
  const all = workCalls({ id: "a", group: "g" }, { id: "a", group: "h" }, { id: "b", group: "g" });
  const makeAll = () => executeToolCalls(all, [work]);
  await makeAll();
  await makeAll();
  expect(count()).toBe(3);
  await invalidate(work, { id: "a" });
  await makeAll();
  expect(count()).toBe(5);
  await invalidate(work, { group: "g", id: "b" });
  await makeAll();
  await makeAll();
  expect(count()).toBe(6);
  await invalidate(work);
  await makeAll();
  expect(count()).toBe(9);
  await invalidate(work, { id: "nobody" });
  await makeAll();
  expect(count()).toBe(9);
});

test("invalidate reaches what a run remembers, while it goes on", async () => {
  const { tool: work, count } = countingTool({ cache: true });
  const forgetting = tool({
    name: "forget",
    input: { type: "object" },
    execute: () => invalidate(work, { id: "a" }),
  });
  const turns = [call({ id: "a" }), call({ id: "a" }), { toolName: "forget" }, call({ id: "a" })];
  const model = new ScriptedModel([...turns.map((turn) => ({ toolCalls: [turn] })), "done"]);
  await stream(new Agent({ name: "A", model, tools: [work, forgetting] }), "go").result;
  expect(count()).toBe(2);
});

test("a call under way when it is invalidated answers only those who waited before", async () => {
  const held = new HeldWork();
  const work = workTool(held.execute, shared);
  const before = executeToolCalls(workCalls("a", "a"), [work]);
  const old = await held.at(0);
  await invalidate(work, { id: "a" });
  const after = executeToolCalls(workCalls("a"), [work]);
  (await held.at(1)).end("new");
  const textOf = (results: readonly ToolResult[]) => results.map(({ content }) => content[0]);
  expect(textOf(await after)).toMatchObject([{ text: "new" }]);
  old.end("old");
  expect(textOf(await before)).toMatchObject([{ text: "old" }, { text: "old" }]);
  expect(textOf(await inTurn(work, "a"))).toMatchObject([{ text: "new" }]);
  expect(held.ids).toEqual(["a", "a"]);
});

test("after many invalidations, an entry that none of them reached is found", async () => {
  const { tool: work, count } = countingTool(shared);
  await inTurn(work, "old");
  for (let index = 0; index < 2_000; index++) await invalidate(work, { id: `${index}` });
  await inTurn(work, "new", "new");
  expect(count()).toBe(2);
  // Further back than is remembered: forgotten rather than wrong.
  await inTurn(work, "old");
  expect(count()).toBe(3);
});

test("invalidate refuses a tool that has no cache", async () => {
  await expect(invalidate(workTool(() => "", {}))).rejects.toMatchObject({
    code: "invalid-tool",
    message: expect.stringContaining("cache: true"),
  });
});
