import { describe, expect, test } from "vitest";
import { result } from "../../../tool/result.ts";
import { tool } from "../../../tool/define.ts";
import { connected, revisions, served } from "./test-clients.ts";
import type { McpResource } from "./types.ts";

const resourceUri = "ui://weather/view.html";
const input = { type: "object" } as const;
const ui = { csp: { connectDomains: ["https://api.example"] }, prefersBorder: false };
const page: McpResource = { uri: resourceUri, ui, read: () => "<p>Weather</p>" };

const weather = tool({
  name: "weather",
  input,
  ui: { resourceUri },
  execute: () => result({ content: "18 degrees", meta: { icon: "sun" } }),
});

describe.each(revisions)("revision %s", (revision) => {
  test("a tool names the page that shows its calls, and its results have what is for that", async () => {
    const { url } = await served({ tools: [weather], resources: [page] });
    const { client } = await connected(url, revision);
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([{ name: "weather", _meta: { ui: { resourceUri } } }]);
    const { resources } = await client.listResources();
    expect(resources).toEqual([
      { uri: resourceUri, name: resourceUri, mimeType: "text/html;profile=mcp-app", _meta: { ui } },
    ]);
    const { contents } = await client.readResource({ uri: resourceUri });
    expect(contents).toEqual([
      { uri: resourceUri, mimeType: "text/html;profile=mcp-app", text: "<p>Weather</p>", _meta: { ui } },
    ]);
    const answer = await client.callTool({ name: "weather", arguments: {} });
    expect(answer).toMatchObject({ content: [{ type: "text", text: "18 degrees" }], _meta: { icon: "sun" } });
  });

  test("a tool of another server, whose page this one does not have, names none", async () => {
    const elsewhere = { ...weather, annotations: { ui: { resourceUri, server: "other" } } };
    const { url } = await served({ tools: [elsewhere] });
    const { client } = await connected(url, revision);
    const { tools } = await client.listTools();
    expect(tools[0]).not.toHaveProperty("_meta");
  });
});

test("a page that is not one is refused when the tool is made", () => {
  const make = (resourceUri: string): unknown => tool({ name: "a", input, ui: { resourceUri } });
  for (const uri of ["https://a.example/", "ui://", "ui://a b", `ui://${"x".repeat(1_000)}`])
    expect(() => make(uri)).toThrow(
      "resourceUri of ui of the tool a must be an address that begins with ui://",
    );
  expect(() => tool({ name: "a", input, ui: JSON.parse('{ "resourceUri": "ui://a", "csp": {} }') })).toThrow(
    "csp",
  );
});
