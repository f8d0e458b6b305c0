/** Asynchronous checks of zod, wherever a schema of it may stand: each runs once, and one that rejects does not end the process. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Agent, executeToolCalls, run, tool } from "skein";
import { mcp, serveMcp } from "skein/mcp";
import { ScriptedModel } from "skein/testing";
import { z } from "zod";

const unhandled: unknown[] = [];
const note = (reason: unknown): unknown => unhandled.push(reason);
let checks = 0;
beforeEach(() => {
  checks = 0;
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

/** What only a service can check, which does not answer for `down`. */
const schema = z.object({
  id: z.string().refine(async (id) => {
    checks++;
    if (id === "down") throw new Error("no answer");
    return id === "good";
  }, "is not known"),
});
const read = tool({ name: "read", description: "Reads.", input: schema, execute: ({ id }) => `read ${id}` });
const call = (id: string) => ({ toolCallId: "a", toolName: "read", arguments: JSON.stringify({ id }) });

test.each([
  ["good", "success", "read good"],
  ["bad", "invalid-arguments", "is not known"],
  ["down", "invalid-arguments", "could not be checked: no answer"],
])("in the input of a tool: %s", async (id, outcome, words) => {
  const [result] = await executeToolCalls([call(id)], [read]);
  expect(result).toMatchObject({ outcome, content: [{ text: expect.stringContaining(words) }] });
  expect(checks).toBe(1);
});

test("in the input of a tool that is served", async () => {
  const serving = await serveMcp({ tools: [read] }, { transport: { http: { port: 0 } } });
  const client = mcp({ name: "desk", url: serving.url ?? "" });
  const tools = await client.tools({ context: {}, agent: undefined, messages: [] });
  for (const [id, isError] of [
    ["good", false],
    ["down", true],
    ["good", false],
  ] as const)
    expect(await executeToolCalls([call(id)], [...tools])).toMatchObject([{ isError }]);
  await client.close();
  await serving.close();
});

test("in the output of a tool", async () => {
  const write = tool({
    name: "read",
    input: { type: "object" },
    output: schema,
    execute: () => ({ id: "down" }),
    validateOutput: true,
  });
  expect(await executeToolCalls([call("x")], [write])).toMatchObject([
    { outcome: "error", content: [{ text: expect.stringContaining("no answer") }] },
  ]);
  expect(checks).toBe(1);
});

test("in the output of an agent", async () => {
  const model = new ScriptedModel(['{"id":"down"}', '{"id":"good"}']);
  const agent = new Agent({ name: "A", model, output: schema });
  expect(await run(agent, "Go.")).toMatchObject({ output: { id: "good" } });
  expect(checks).toBe(2);
});
