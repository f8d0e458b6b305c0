import { expect, test } from "vitest";
import { Agent, executeToolCalls, run, toolkit } from "skein";
import { ScriptedModel } from "skein/testing";
import { HeldWork, workCalls, workTool } from "./test-calls.ts";

test("as many calls as allowed run at once, the others begin in their order", async () => {
  const work = new HeldWork();
  const results = executeToolCalls(workCalls("a", "b", "c", "d"), [
    workTool(work.execute, { concurrency: 2 }),
  ]);
  (await work.at(1)).end("B");
  (await work.at(2)).end("C");
  (await work.at(3)).end("D");
  (await work.at(0)).end("A");
  expect((await results).map(({ content }) => content[0])).toMatchObject(
    ["A", "B", "C", "D"].map((text) => ({ text })),
  );
  expect(work.ids).toEqual(["a", "b", "c", "d"]);
  expect(work.most).toBe(2);
});

test("the limit holds over all runs and agents that list the tool", async () => {
  const work = new HeldWork();
  const tool = workTool(work.execute, { concurrency: 1 });
  const runs = ["a", "b", "c"].map((id) => {
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "work", arguments: { id } }] }, "done"]);
    return run(new Agent({ name: id, model, tools: { work: tool } }), "go");
  });
  for (const index of [0, 1, 2]) (await work.at(index)).end("ok");
  expect((await Promise.all(runs)).map(({ text }) => text)).toEqual(["done", "done", "done"]);
  expect(work.most).toBe(1);
});

test("the tools of a kit share its limit", async () => {
  const held = new HeldWork();
  const context = { signal: new AbortController().signal };
  class Desk {
    open(id: string): Promise<unknown> {
      return held.execute({ id }, context as never);
    }
    close(id: string): Promise<unknown> {
      return held.execute({ id }, context as never);
    }
  }
  const calls = ["open", "close", "open"].map((toolName, index) => ({
    toolCallId: `${index}`,
    toolName,
    arguments: `{"id":"${index}"}`,
  }));
  const results = executeToolCalls(calls, toolkit(new Desk(), { concurrency: 2 }));
  for (const index of [0, 1, 2]) (await held.at(index)).end("ok");
  expect(await results).toHaveLength(3);
  expect(held.most).toBe(2);
});

test("a call that is cancelled while it waits never begins, and those behind it go on", async () => {
  const work = new HeldWork();
  const tool = workTool(work.execute, { concurrency: 1 });
  const controller = new AbortController();
  const first = executeToolCalls(workCalls("first"), [tool]);
  const { end } = await work.at(0);
  const given = executeToolCalls(workCalls("given up"), [tool], { signal: controller.signal });
  const last = executeToolCalls(workCalls("last"), [tool]);
  controller.abort();
  expect(await given).toMatchObject([{ outcome: "cancelled", isError: true }]);
  end("ok");
  (await work.at(1)).end("ok");
  expect([...(await first), ...(await last)]).toMatchObject([{ outcome: "success" }, { outcome: "success" }]);
  expect(work.ids).toEqual(["first", "last"]);
});
