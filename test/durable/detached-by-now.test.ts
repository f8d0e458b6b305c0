/** An agent as a tool is a durable run of its own in one build, and a part of the run around it in another: each call goes on as it began. */
import { Agent, type Tool, tool } from "skein";
import { memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { approving, caller, noInput } from "./detached-desk.ts";
import { testRuns, until } from "./test-runs.ts";

function world(): { effects: string[]; desk: (detached: boolean) => Agent; clerk: Agent } {
  const effects: string[] = [];
  const does = (name: string, approval: boolean): Tool =>
    tool({ name, input: noInput, approval, execute: () => void effects.push(name) });
  const clerk = new Agent({
    name: "Clerk",
    tools: [does("look", false), does("pay", true)],
    model: new FunctionModel(({ messages }) => {
      const toolName = ["look", "pay"][messages.filter(({ role }) => role === "tool").length];
      return toolName === undefined ? "It is paid." : { toolCalls: [{ toolName }] };
    }),
  });
  const asTool = (detached: boolean): Tool => clerk.asTool(detached ? { detached } : {});
  const desk = (detached: boolean): Agent =>
    caller("Desk", [asTool(detached)], [["clerk", { input: "Pay." }]]);
  return { effects, desk, clerk };
}

test.each([
  [true, false],
  [false, true],
])("detached: %s, and %s by now", async (before, now) => {
  const { effects, desk, clerk } = world();
  const store = memoryStore();
  const first = testRuns(store, { agents: [desk(before), clerk], version: "1" });
  void first.work();
  expect(await (await first.start("Desk", "Go", { id: "r" })).result()).toMatchObject({ status: "paused" });
  await first.close({ drain: 0 });
  const next = testRuns(store, { agents: [desk(now), clerk], version: "2" });
  const { pending } = await next.get("r").state();
  await next.get("r").decide(approving(pending.flatMap(({ approvalId }) => approvalId ?? [])));
  void next.work();
  await until(async () => (await next.get("r").state()).status === "completed");
  const { text, warnings } = await next.get("r").result();
  expect([text, warnings]).toEqual(["It is paid.", []]);
  expect(effects).toEqual(["look", "pay"]);
  expect((await next.list()).length).toBe(before ? 2 : 1);
});
