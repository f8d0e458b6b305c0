import { expect, test } from "vitest";
import { mcp } from "./mcp.ts";
import { callTools, textOf } from "./test-servers.ts";
import type { McpToolset } from "./toolset.ts";

/** A server without a network, whose tools have these names and return this content. */
function serverOf(names: readonly string[], content: readonly object[]): McpToolset {
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "odd", version: "1" },
    },
    "tools/list": { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) },
    "tools/call": { content },
  };
  const fetch = async (_url: string | URL, init?: RequestInit): Promise<Response> => {
    if (init?.method !== "POST") return new Response(null, { status: 405 });
    const { id, method } = await new Response(init.body).json();
    const result = results[method];
    if (id === undefined || !result) return new Response(null, { status: 202 });
    return Response.json({ jsonrpc: "2.0", id, result });
  };
  return mcp({ url: "https://mcp.example/mcp", name: "odd", protocol: "legacy", fetch });
}

test("content of an unknown type does not lose the rest of a result", async () => {
  const content = [
    { type: "hologram", data: 1 },
    { type: "text", text: "done" },
  ];
  const [result] = await callTools(serverOf(["act"], content), ["act"]);
  expect(textOf(result)).toBe('[content of the unknown type "hologram" left out]\ndone');
  expect(result?.isError).toBe(false);
});

test.each<object>([
  { type: "image", data: 5 },
  { type: "text" },
  { type: "resource", resource: {} },
  { type: "resource_link", uri: "file:///a", name: "a", title: 1 },
  { type: 1 },
])("a result with malformed content %j is refused in one sentence", async (block) => {
  const content = [{ type: "text", text: "fine" }, ...Array.from({ length: 20_000 }, () => block)];
  const [result] = await callTools(serverOf(["act"], content), ["act"]);
  expect(result?.isError).toBe(true);
  expect(textOf(result)).toContain("the server's result is malformed: content[1] is not what it has to be");
});

test("members of content that are not read may be malformed", async () => {
  const content = [{ type: "text", text: "done", annotations: 5, _meta: [] }];
  const [result] = await callTools(serverOf(["act"], content), ["act"]);
  expect([result?.isError, textOf(result)]).toEqual([false, "done"]);
});

test("tools without a name are left out, and reported as such", async () => {
  const warnings: string[] = [];
  const scope = { context: {}, agent: undefined, messages: [] };
  const warn = (message: string): void => void warnings.push(message);
  const listed = await serverOf(["act", ""], []).tools({ ...scope, warn });
  expect(listed.map(({ name }) => name)).toEqual(["act"]);
  expect(warnings).toEqual(['The MCP server "odd" lists a tool without a name, which is left out.']);
});
