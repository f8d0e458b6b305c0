import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Agent, tool } from "skein";
import { mcpHandler } from "skein/mcp";
import type { ServeOptions } from "skein/server";
import { FunctionModel, ScriptedModel } from "skein/testing";
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

const anything = { type: "object", properties: {} } as const;

/** An agent that calls its tool once, and says what came of it. */
function clerk(execute: (input: unknown, context: { readonly context: unknown }) => unknown): Agent {
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== "tool") return { toolCalls: [{ toolName: "work", arguments: {} }] };
    return last.result.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
  });
  return new Agent({ name: "Desk", model, tools: [tool({ name: "work", input: anything, execute })] });
}

async function clientOf(url: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return client;
}

test("tools get the context of authorize, in place of one value for all", async () => {
  const desk = clerk((_, { context }) => JSON.stringify(context));
  for (const context of [undefined, { customer: "nobody" }]) {
    const mcp = await mcpHandler({ agents: [desk], ...(context && { context }) });
    const authorize: ServeOptions["authorize"] = () => ({ user: "ann", context: { customer: "ann" } });
    const { url } = await openServer({ desk }, { mcp, authorize });
    const client = await clientOf(url);
    const { content } = await client.callTool({ name: "desk", arguments: { input: "Hi" } });
    expect(content).toEqual([{ type: "text", text: '{"customer":"ann"}' }]);
    await client.close();
    await mcp.close();
  }
});

test("calls are counted: a user has a number of them, others wait, and close() waits for them", async () => {
  let working = 0;
  let most = 0;
  let release = Promise.withResolvers<void>();
  const desk = clerk(async () => {
    most = Math.max(most, (working += 1));
    await release.promise;
    working -= 1;
    return "done";
  });
  const mcp = await mcpHandler({ agents: [desk] });
  const { url, server } = await openServer({ desk }, { mcp, perUser: { runs: 2 }, maxRuns: 1 });
  const client = await clientOf(url);
  const call = (): Promise<unknown> => client.callTool({ name: "desk", arguments: { input: "go" } });
  const first = [call(), call()];
  await expect.poll(() => working).toBe(1);
  const third = await call().catch((error: unknown) => String(error));
  expect(JSON.stringify(third)).toContain("2 runs of yours are under way");
  release.resolve();
  expect(await Promise.all(first)).toMatchObject([
    { content: [{ text: "done" }] },
    { content: [{ text: "done" }] },
  ]);
  expect(most).toBe(1);

  release = Promise.withResolvers<void>();
  const last = call();
  await expect.poll(() => working).toBe(1);
  let hasClosed = false;
  const closed = server.close({ drain: 30_000 }).then(() => (hasClosed = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(hasClosed).toBe(false);
  release.resolve();
  expect(await last).toMatchObject({ content: [{ text: "done" }] });
  await closed;
  await mcp.close();
});
