import { expect, test } from "vitest";
import { tool, type Tool } from "skein";
import { resolveTools } from "../tool/register-tools.ts";
import { executeBatch } from "./execute-batch.ts";
import { executeCall } from "./execute-call.ts";
import type { CallFeatures, ExecutionScope } from "./types.ts";

const input = { type: "object", properties: {} } as const;
const callOf = (toolName: string, text = "{}") => ({ toolCallId: "c", toolName, arguments: text });

/** Where calls are executed, and which of the features that few calls need were asked for. */
async function scopeOf(tools: readonly Tool[]): Promise<{ scope: ExecutionScope; used: readonly string[] }> {
  const used: string[] = [];
  const features: CallFeatures = {
    withPolicies: (_, perform) => {
      used.push("withPolicies");
      return perform;
    },
    readBody: async () => used.push("readBody"),
    describeBug: async () => `described ${used.push("describeBug")}`,
    executeInOrder: async () => {
      used.push("executeInOrder");
      return [];
    },
    leaveCall: async ({ toolCallId }) => ({ left: { toolCallId, input: used.push("leaveCall") } }),
    waitForResult: () => Promise.reject(new Error("no tool calls another")),
    loadWaits: async () => (await import("./waits.ts")).waits,
  };
  const scope: ExecutionScope = {
    toolTable: await resolveTools(tools),
    context: {},
    agent: undefined,
    messages: [],
    runId: "r",
    signal: undefined,
    concurrency: undefined,
    observer: { start: () => {}, progress: () => {}, end: () => {}, warn: (text) => void used.push(text) },
    memory: new Map(),
    execute: executeCall,
    features,
    runAgent: () => Promise.reject(new Error("no agent is run")),
  };
  return { scope, used };
}

const named = (name: string, policy: object, execute: () => unknown = () => name): Tool =>
  tool({ name, input, ...policy, execute });

test("the code of policies is asked for by tools that have some, beside a timeout and strict arguments", async () => {
  const tools = [
    named("plain", {}),
    named("timed", { timeout: 1_000 }),
    named("strict", { strict: true }),
    named("both", { timeout: 1_000, strict: true }),
    named("kept", { timeout: 1_000, strict: true, cache: true }),
  ];
  const { scope, used } = await scopeOf(tools);
  const usedBy: unknown[] = [];
  for (const { name } of tools) {
    const before = used.length;
    expect(await executeCall(callOf(name), scope)).toMatchObject({ result: { content: [{ text: name }] } });
    usedBy.push([name, used.length - before]);
  }
  expect(usedBy).toEqual([
    ["plain", 0],
    ["timed", 0],
    ["strict", 0],
    ["both", 0],
    ["kept", 1],
  ]);
});

test("what a tool threw is described for its author, and nothing else is", async () => {
  const throwing = named("throwing", {}, () => {
    throw new TypeError("no");
  });
  const { scope, used } = await scopeOf([throwing, named("fine", {})]);
  await executeCall(callOf("fine"), scope);
  await executeCall(callOf("fine", "["), scope);
  await executeCall(callOf("unknown"), scope);
  expect(used).toEqual([]);
  expect(await executeCall(callOf("throwing"), scope)).toMatchObject({ result: { outcome: "error" } });
  expect(used).toEqual(["describeBug", "described 1"]);
});

test("a batch is put in order where a call may refer to another", async () => {
  const { scope, used } = await scopeOf([named("fine", {})]);
  expect(await executeBatch([callOf("fine"), callOf("fine")], scope)).toHaveLength(2);
  expect(used).toEqual([]);
  await executeBatch([callOf("fine"), callOf("fine", '{"a":{"$result":"1"}}')], scope);
  expect(used).toEqual(["executeInOrder"]);
});

test("a call of a tool without execute is left where something can wait for it", async () => {
  const { scope, used } = await scopeOf([tool({ name: "elsewhere", input })]);
  expect(await executeBatch([callOf("elsewhere")], scope)).toMatchObject([
    { result: { outcome: "not-executed" } },
  ]);
  expect(used).toEqual([]);
  const waiting = { ...scope, startWork: () => Promise.reject(new Error("no work is begun")) };
  expect(await executeBatch([callOf("elsewhere")], waiting)).toEqual([
    { left: { toolCallId: "c", input: 1 } },
  ]);
});
