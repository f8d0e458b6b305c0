import { expect, test } from "vitest";
import { Server } from "@modelcontextprotocol/server";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { Agent } from "../../../agent/agent.ts";
import { run } from "../../../run/run.ts";
import { ScriptedModel } from "../../../testing/scripted-model.ts";
import { toolset } from "../../../tool/toolset.ts";
import { defaultsOf, withoutDefaulted } from "./defaults.ts";
import { mcp } from "./mcp.ts";
import { callTools, textOf } from "./test-servers.ts";

const text = { type: "string" };
const scale = { type: "string", enum: ["css", "device"], default: "css" };

test("what has a default is not demanded, and the rest is", () => {
  const schema = { type: "object", properties: { scale, file: text }, required: ["scale", "file"] } as const;
  expect(withoutDefaulted(schema)).toEqual({
    schema: { ...schema, required: ["file"] },
    defaults: { scale: { value: "css" } },
  });
});

test.each([
  {},
  { required: ["file"], properties: { file: text, scale } },
  { required: "scale", properties: { scale } },
  { required: ["scale"], properties: { scale: true } },
  { required: ["constructor"], properties: { scale } },
])("a schema that demands nothing with a default stays as it is: %j", (schema) => {
  expect(withoutDefaulted(schema)).toEqual({ schema, defaults: {} });
  expect(withoutDefaulted(schema).schema).toBe(schema);
});

test("a default may be named as what objects have", () => {
  const { defaults } = withoutDefaulted(
    JSON.parse('{"properties":{"__proto__":{"default":1}},"required":["__proto__"]}'),
  );
  expect(Object.entries(defaults)).toEqual([["__proto__", { value: 1 }]]);
  expect(defaultsOf({ properties: [] })).toEqual({});
});

test("a call without what is required and has a default reaches the server with the default", async () => {
  const server = new Server({ name: "pictures", version: "1" }, { capabilities: { tools: {} } });
  const inputSchema = {
    type: "object" as const,
    properties: { scale, file: text },
    required: ["scale", "file"],
  };
  server.setRequestHandler("tools/list", () => ({ tools: [{ name: "shoot", inputSchema }] }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(params.arguments) }],
  }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await using tools = mcp({ transport: ours, protocol: "legacy" });
  expect((await tools.tools())[0]?.inputSchema.jsonSchema["required"]).toEqual(["file"]);
  const [filled, given, missing] = await callTools(
    tools,
    ["shoot", { file: "a.png" }],
    ["shoot", { file: "a.png", scale: "device" }],
    ["shoot", { scale: "css" }],
  );
  expect(textOf(filled)).toBe('{"file":"a.png","scale":"css"}');
  expect(textOf(given)).toBe('{"file":"a.png","scale":"device"}');
  expect(missing).toMatchObject({ outcome: "invalid-arguments" });
});

test("a person who approves a call sees the defaults that the server gets", async () => {
  const server = new Server({ name: "bank", version: "1" }, { capabilities: { tools: {} } });
  const inputSchema = {
    type: "object" as const,
    properties: { to: text, amount: { type: "number", default: 1_000 } },
    required: ["to", "amount"],
  };
  server.setRequestHandler("tools/list", () => ({ tools: [{ name: "pay", inputSchema }] }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(params.arguments) }],
  }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await using bank = mcp({ transport: ours, protocol: "legacy" });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: { to: "Bob" } }] }, "Done."]);
  const agent = new Agent({ name: "Clerk", model, tools: [toolset(bank).withApproval()] });
  const { pending, state } = await run(agent, "Pay Bob");
  expect(pending[0]?.input).toEqual({ to: "Bob", amount: 1_000 });
  const approvals = [{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" as const }];
  const { messages } = await run(agent, state, { approvals });
  expect(JSON.stringify(messages)).toContain(String.raw`{\"to\":\"Bob\",\"amount\":1000}`);
});
