import { Agent, tool } from "skein";
import { mcpHandler } from "skein/mcp";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { listening, request, served } from "./serving.ts";

/** Who somebody says they are. */
const named = (incoming: Request): { readonly user: string } => ({
  user: incoming.headers.get("x-user") ?? "nobody",
});

const perUser = { runs: 1_000, requestsPerMinute: 100_000 };

test("a keyed request of a user is one run while it works, whatever others send", async () => {
  const work = Promise.withResolvers<string>();
  let effects = 0;
  const add = tool({
    name: "add",
    input: { type: "object" },
    execute: () => {
      effects += 1;
      return work.promise;
    },
  });
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "user" && last.content === "Add") return { toolCalls: [{ toolName: "add" }] };
    return "Done.";
  });
  const server = served(
    { desk: new Agent({ name: "Desk", model, tools: [add] }) },
    { authorize: named, perUser },
  );
  const send = (user: string, key: string, content: string): Promise<Response> =>
    server.fetch(
      request(
        "POST",
        "/v1/chat/completions",
        { model: "desk", messages: [{ role: "user", content }] },
        { "x-user": user, "idempotency-key": key },
      ),
    );
  const first = send("anna", "order-7", "Add");
  await expect.poll(() => effects).toBe(1);
  const large = "x".repeat(3_900_000);
  for (let count = 0; count < 6; count++) expect((await send("bob", `b${count}`, large)).status).toBe(200);
  for (let count = 0; count < 1_100; count++) await send("bob", `s${count}`, "Hi");
  const second = send("anna", "order-7", "Add");
  work.resolve("Added.");
  const [one, other] = await Promise.all([first, second].map(async (each) => (await each).json()));
  expect(effects).toBe(1);
  expect(other.choices).toEqual(one.choices);
  // Nor is what has ended forgotten: bob has more to lose.
  await send("anna", "order-7", "Add");
  expect(effects).toBe(1);
});

test("a user who opens many MCP sessions ends none of another user", async () => {
  const agent = new Agent({ name: "Desk", description: "Answers.", model: new ScriptedModel([]) });
  const mcp = await mcpHandler({ agents: [agent] });
  const { url } = await listening({ desk: agent }, { mcp, authorize: named, perUser });
  const post = (user: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "x-user": user,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
    });
  const open = async (user: string): Promise<Record<string, string>> => {
    const clientInfo = { name: "test", version: "1.0.0" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const opened = await post(user, { method: "initialize", params });
    await opened.text();
    return { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  };
  const annas = await open("anna");
  const [first] = [await open("bob")];
  for (let count = 0; count < 1_100; count++) await open("bob");
  const listed = await post("anna", { method: "tools/list" }, annas);
  expect(await listed.text()).toContain("desk");
  expect((await post("bob", { method: "tools/list" }, first)).status).toBe(404);
  await mcp.close();
});
