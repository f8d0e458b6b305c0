/** Spans of what goes on elsewhere: another request, another process, another server. */
import { createServer, type RequestListener } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterAll, afterEach, expect, test } from "vitest";
import { z } from "zod";
import { Agent, run, type RunState } from "skein";
import { mcp } from "skein/mcp";
import { memorySession, sqliteSession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { traceAll } from "skein/tracing";
import { newFile, testRuns } from "../durable/test-runs.ts";
import { useSdk } from "./current-sdk.ts";
import { agentOf, callOf, textTool } from "./scripted-runs.ts";

const recorder = useSdk();
afterAll(traceAll());

const charging = () =>
  agentOf(
    "Clerk",
    [{ toolCalls: [callOf("charge")] }, "Charged."],
    [textTool("charge", ({ text: said }) => said, { approval: true })],
  );

const resumed = `invoke_agent Clerk (paused)
  chat scripted (CLIENT)
  execute_tool charge (waiting)
invoke_agent Clerk (completed, -> invoke_agent Clerk)
  execute_tool charge (success)
  chat scripted (CLIENT)`;

/** What the spans say the conversation is. */
function conversations(): readonly unknown[] {
  return [...new Set(recorder.ended.map(({ attributes }) => attributes["gen_ai.conversation.id"]))];
}

test("a durable run that another process resumes has a link to the span before, and the same ids", async () => {
  const file = newFile();
  const agent = charging();
  const first = testRuns(file, { agents: [agent] });
  void first.work();
  const { pending } = await (await first.start(agent, "Charge it", { id: "order-7" })).result();
  await first.close();
  const second = testRuns(file, { agents: [agent] });
  void second.work();
  await second.get("order-7").decide([{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" }]);
  expect(await second.get("order-7").result()).toMatchObject({ status: "completed" });
  expect(recorder.tree()).toBe(resumed);
  expect(conversations()).toEqual(["order-7"]);
  const ids = recorder.ended.flatMap(({ attributes }) => attributes["skein.run.id"] ?? []);
  expect(ids).toEqual(["order-7", "order-7"]);
});

test("a run that goes on from its session is linked, a new one in the same conversation is not", async () => {
  const session = sqliteSession(":memory:", "ann");
  const agent = charging();
  const { pending } = await run(agent, "Charge it", { session });
  const approvals = [{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" }] as const;
  await run(agent, [], { session, approvals });
  expect(recorder.tree()).toBe(resumed);
  expect(conversations()).toEqual(["ann"]);
  recorder.clear();
  await run(agentOf("Clerk", ["Hello."]), "Hi", { session });
  expect(recorder.tree()).toBe("invoke_agent Clerk (completed)\n  chat scripted (CLIENT)");
});

test("an agent within a run that pauses is linked to its own span", async () => {
  const top = agentOf("Top", [
    { toolCalls: [{ toolName: "clerk", arguments: { input: "?" } }] },
    "Done.",
  ]).with({
    tools: [charging().asTool()],
  });
  const { state, pending } = await run(top, "Hi", { session: memorySession() });
  await run(top, state, { approvals: [{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" }] });
  expect(recorder.tree()).toBe(`invoke_agent Top (paused)
  chat scripted (CLIENT)
  execute_tool clerk (waiting)
    invoke_agent Clerk (paused)
      chat scripted (CLIENT)
      execute_tool charge (waiting)
invoke_agent Top (completed, -> invoke_agent Top)
  execute_tool clerk (success)
    invoke_agent Clerk (completed, -> invoke_agent Clerk)
      execute_tool charge (success)
      chat scripted (CLIENT)
  chat scripted (CLIENT)`);
});

test.each(["00-0-0-01", "00-00000000000000000000000000000000-0000000000000000-01", "x".repeat(900)])(
  "a state whose note does not name a span (%.20s) leads to no link",
  async (traceparent) => {
    const { state } = await run(charging(), "Charge it");
    const forged: RunState = { ...state, notes: { traceparent } };
    recorder.clear();
    await run(charging(), forged);
    expect(recorder.ended.flatMap(({ links }) => links)).toEqual([]);
  },
);

/** A server with the tool `echo`, and the `_meta` of each call that it has received. */
async function serveEcho(): Promise<{ readonly url: string; readonly metas: string[]; close(): void }> {
  const metas: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "echo", version: "1.0.0" });
    const inputSchema = z.object({ text: z.string() });
    server.registerTool("echo", { description: "Says it", inputSchema }, async (input, context) => {
      metas.push(JSON.stringify(context));
      return { content: [{ type: "text", text: input.text }] };
    });
    return server;
  });
  const handle = toNodeHandler(handler);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the adapter's types do not say that what is absent may be undefined
  const server = createServer(handle as RequestListener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/mcp`, metas, close };
}

let stop: () => void = () => {};
afterEach(() => stop());

test("a call of an MCP server's tool says which span it belongs to; without tracing it does not", async () => {
  const server = await serveEcho();
  const tools = mcp({ url: server.url });
  stop = () => {
    void tools.close?.();
    server.close();
  };
  const turns = () => new ScriptedModel([{ toolCalls: [callOf("echo", "hello")] }, "Done."]);
  await run(new Agent({ name: "A", model: turns(), tools: [tools] }), "Hi");
  const span = recorder.ended.find(({ name }) => name === "execute_tool echo")?.spanContext();
  expect(server.metas[0]).toContain(`"traceparent":"00-${span?.traceId}-${span?.spanId}-01"`);
  await run(new Agent({ name: "A", model: turns(), tools: [tools] }), "Hi", { tracing: false });
  expect(server.metas[1]).not.toContain("traceparent");
});
