/** A limit of calls that was reached within a tool ends a durable run, also where that tool has slept since. */
import { Agent, run, tool } from "skein";
import { memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { noInput } from "./detached-desk.ts";
import { testRuns } from "./test-runs.ts";

const send = tool({ name: "send", input: noInput, execute: () => "sent" });

/** Asks for `both` once, which calls another tool, and sleeps whether it could or not. */
function desk(sleep: number) {
  const codes: unknown[] = [];
  const both = tool({
    name: "both",
    input: noInput,
    execute: async (_, context) => {
      const code = await context.call("send", {}).catch((error: { code: unknown }) => error.code);
      await context.sleep("a while", sleep);
      codes.push(code);
      return String(code);
    },
  });
  let answers = 0;
  const model = new FunctionModel(({ messages }) => {
    answers++;
    return messages.length === 1 ? { toolCalls: [{ toolName: "both", arguments: {} }] } : "Done.";
  });
  const agent = new Agent({ name: "Desk", model, tools: [both, send] });
  return { agent, codes, answersOf: () => answers };
}

test.each([1, 1_100])("a tool that sleeps for %i ms after it has gone beyond the limit", async (sleep) => {
  const { agent, codes, answersOf } = desk(sleep);
  const plain = await run(agent, "Go", { maxToolCalls: 1 });
  expect(plain.status).toBe("max-tool-calls");
  const app = testRuns(memoryStore(), { agents: [agent], runOptions: { maxToolCalls: 1 } });
  void app.work();
  const handle = await app.start(agent, "Go");
  expect(await handle.result()).toMatchObject({ status: "failed", ended: "max-tool-calls" });
  expect([codes, answersOf()]).toEqual([["call-limit", "call-limit"], 2]);
  await handle.retry();
  expect(await handle.result()).toMatchObject({ status: "completed", text: "Done." });
  expect(answersOf()).toBe(3);
});

test("a tool that goes beyond the limit of an agent within and sleeps", async () => {
  const { agent, answersOf } = desk(1_100);
  const outer = new FunctionModel(({ messages }) => {
    const result = messages.at(-1);
    if (result?.role !== "tool") return { toolCalls: [{ toolName: "desk", arguments: { input: "Go" } }] };
    return JSON.stringify(result.result.content);
  });
  const lead = new Agent({ name: "Lead", model: outer, tools: [agent.asTool({ maxToolCalls: 1 })] });
  const app = testRuns(memoryStore(), { agents: [lead] });
  void app.work();
  const report = await (await app.start(lead, "Go")).result();
  expect(report.text).toContain("limit of 1 tool call before");
  expect(answersOf()).toBe(1);
});
