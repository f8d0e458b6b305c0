import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Agent } from "skein";
import { mcpHandler } from "skein/mcp";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { openServer } from "./open-server.ts";

const agent = (): Agent =>
  new Agent({ name: "Desk", description: "Answers.", model: new ScriptedModel(["Hello."]) });

test("agents are tools of MCP clients, behind the server's own door", async () => {
  const mcp = await mcpHandler({ agents: [agent()] });
  const { url } = await openServer(
    { desk: agent() },
    {
      mcp,
      authorize: (request) => (request.headers.get("authorization") === "Bearer ada" ? { user: "ada" } : 401),
    },
  );
  const connect = async (headers: Record<string, string>): Promise<Client> => {
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    );
    return client;
  };
  await expect(connect({})).rejects.toThrow(/401|Unauthorized/i);
  const client = await connect({ authorization: "Bearer ada" });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["desk"]);
  const result = await client.callTool({ name: "desk", arguments: { input: "Hi" } });
  expect(result.content).toEqual([{ type: "text", text: "Hello." }]);
  await client.close();
  await mcp.close();
});
