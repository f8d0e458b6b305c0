import { expect, test } from "vitest";
import { Agent, executeToolCalls, invalidate, run, tool, toolset, type ToolResult } from "skein";
import { ScriptedModel } from "skein/testing";
import { HeldWork, transient, workCalls, workTool, type WorkInput } from "./test-calls.ts";

const textsOf = (results: readonly ToolResult[]): unknown[] =>
  results.map(({ content: [part] }) => (part?.type === "text" ? part.text : part));

test("a person decides on every call, also where the result is remembered", async () => {
  let calls = 0;
  const work = workTool(() => `${++calls}`, { approval: true, cache: { scope: "shared" } });
  const call = { toolName: "work", arguments: { id: "a" } };
  const model = new ScriptedModel([{ toolCalls: [call] }, { toolCalls: [call] }, "done"]);
  const agent = new Agent({ name: "A", model, tools: [work] });
  let result = await run(agent, "go");
  for (const executed of [1, 1]) {
    expect(result.status).toBe("paused");
    const approvals = result.pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
    }));
    result = await run(agent, result.state, { approvals });
    expect(calls).toBe(executed);
  }
  expect(result).toMatchObject({ status: "completed", text: "done" });
});

test("a call that a person refuses leaves nothing to remember", async () => {
  const work = workTool(() => "ok", { approval: true, cache: { scope: "shared" } });
  const call = { toolName: "work", arguments: { id: "a" } };
  const agent = new Agent({ name: "A", tools: [work] });
  const paused = await run(agent, "go", { model: new ScriptedModel([{ toolCalls: [call] }]) });
  const approvals = paused.pending.map(({ approvalId = "" }) => ({ approvalId, decision: "deny" as const }));
  await run(agent, paused.state, { approvals, model: new ScriptedModel(["well then"]) });
  const again = await run(agent, "go", { model: new ScriptedModel([{ toolCalls: [call] }]) });
  expect(again.status).toBe("paused");
});

test("what is remembered is answered without a place in the queue", async () => {
  const held = new HeldWork();
  const work = workTool(held.execute, { cache: { scope: "shared" }, serialize: true, concurrency: 1 });
  const first = executeToolCalls(workCalls("known"), [work]);
  (await held.at(0)).end("ok");
  await first;
  const slow = executeToolCalls(workCalls("slow"), [work]);
  const { end } = await held.at(1);
  expect(textsOf(await executeToolCalls(workCalls("known"), [work]))).toEqual(["ok"]);
  end("ok");
  await slow;
});

test("those who wait for an equal call profit from its retries", async () => {
  let attempts = 0;
  const work = workTool(
    () => {
      if (++attempts < 3) throw transient("again");
      return "ok";
    },
    { cache: true, retries: { times: 2, delay: 1 } },
  );
  expect(textsOf(await executeToolCalls(workCalls("a", "a", "a"), [work]))).toEqual(["ok", "ok", "ok"]);
  expect(attempts).toBe(3);
});

test("a place in the queue is held through the retries of its call", async () => {
  const starts: string[] = [];
  const work = workTool(
    ({ id }) => {
      starts.push(id);
      if (starts.length < 3) throw transient("again");
      return "ok";
    },
    { serialize: true, retries: { times: 2, delay: 1 } },
  );
  await executeToolCalls(workCalls("a", "b"), [work]);
  expect(starts).toEqual(["a", "a", "a", "b"]);
});

test("results that do not fit their schema are not remembered", async () => {
  let calls = 0;
  const work = tool<WorkInput>({
    name: "work",
    input: { type: "object" },
    output: { type: "object" },
    execute: () => (++calls === 1 ? "no object" : { calls }),
    cache: { scope: "shared" },
    validateOutput: true,
  });
  const outcomes = [];
  for (const _ of [1, 2, 3]) outcomes.push((await executeToolCalls(workCalls("a"), [work]))[0]?.outcome);
  expect(outcomes).toEqual(["error", "success", "success"]);
  expect(calls).toBe(2);
});

test("a remembered result ends the run just as a new one does", async () => {
  const work = workTool(({ id }) => id, { cache: { scope: "shared" }, final: true });
  for (const _ of [1, 2]) {
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "work", arguments: { id: "a" } }] }]);
    expect((await run(new Agent({ name: "A", model, tools: [work] }), "go")).text).toBe("a");
  }
});

test("a wrapped tool shares its queues and results with the tool itself", async () => {
  const held = new HeldWork();
  const work = workTool(held.execute, { cache: { scope: "shared" }, serialize: true });
  const wrapped = toolset(work).withTimeout(5_000).prefixed("my");
  const call = (id: string) => ({ toolCallId: "1", toolName: "my_work", arguments: JSON.stringify({ id }) });
  const results = [executeToolCalls([call("a")], [wrapped]), executeToolCalls(workCalls("b"), [work])];
  for (const index of [0, 1]) {
    const { id, end } = await held.at(index);
    end(id.toUpperCase());
  }
  await Promise.all(results);
  expect(held.most).toBe(1);
  expect(textsOf(await executeToolCalls([call("a")], [wrapped]))).toEqual(["A"]);
  await invalidate(work);
  const repeated = executeToolCalls([call("a")], [wrapped]);
  (await held.at(2)).end("new");
  expect(textsOf(await repeated)).toEqual(["new"]);
});

test("a wrapper's own limit is its own", async () => {
  const held = new HeldWork();
  const work = workTool(held.execute, { concurrency: 1 });
  const wider = toolset(work).withPolicy({ concurrency: 2 });
  const results = [executeToolCalls(workCalls("a", "b"), [wider]), executeToolCalls(workCalls("c"), [work])];
  await held.at(2);
  for (const { end } of held.begun) end("ok");
  await Promise.all(results);
  expect(held.most).toBe(3);
});
