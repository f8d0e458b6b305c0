import OpenAI from "openai";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Agent, tool, type ToolContext } from "skein";
import { mcpHandler } from "skein/mcp";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { inTwoPieces, openServer, until } from "./open-server.ts";

const json = { "content-type": "application/json" };

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
}

const empty = { type: "object", properties: {} } as const;

/** An agent that calls its tool once. */
function calling(toolName: string, tools: readonly ReturnType<typeof tool>[]): Agent {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName }] } : "Done.",
  );
  return new Agent({ name: "Desk", model, tools: [...tools] });
}

test("what a tool of the server waits for is not for a client to answer", async () => {
  const sell = tool({
    name: "sell",
    description: "Sells a lamp.",
    input: empty,
    execute: async (_input, { waitFor }: ToolContext) => ({ payment: await waitFor("payment") }),
  });
  const { server, url } = await openServer({ desk: calling("sell", [sell]) });
  await post(`${url}/runs/desk`, { input: "A lamp", id: "a" });
  const handle = server.runs.get("local/a");
  const { pending } = await handle.result();
  const [call] = pending;
  const shown = await (await fetch(`${url}/runs/a`)).text();
  expect(shown).not.toMatch("payment");
  const forged = { toolCallId: call?.toolCallId, content: { euros: 1_000_000 } };
  expect((await post(`${url}/runs/a/resolve`, forged)).status).toBe(409);
  expect((await post(`${url}/runs/a/resolve`, { ...forged, toolCallId: "payment" })).status).toBe(409);
  await handle.resolve("payment", { euros: 40 });
  expect((await handle.result()).status).toBe("completed");
});

test("a message that was passed on to a run which works is read once, however often it is sent", async () => {
  const { agent, goOn } = inTwoPieces("One, two.", "Three.");
  const { server, url } = await openServer({ desk: agent }, { busy: "steer" });
  const send = (input: string, id: string) => post(`${url}/runs/desk`, { input, session: "s", id });
  await send("Count", "m1");
  await until(async () => (await (await fetch(`${url}/sessions/s`)).json()).run.status === "running");
  await Promise.all([send("Faster!", "m2"), send("Faster!", "m2")]);
  await send("Faster!", "m2");
  goOn();
  await server.runs.get("local/m1").result();
  await send("Faster!", "m2");
  const { messages } = await server.runs.get("local/m1").state();
  expect(messages.filter(({ role }) => role === "user")).toHaveLength(2);
});

test("an id stands for one conversation", async () => {
  const { url } = await openServer({ desk: calling("none", []) });
  expect((await post(`${url}/runs/desk`, { input: "One", session: "a", id: "m" })).status).toBe(202);
  expect((await post(`${url}/runs/desk`, { input: "One", session: "b", id: "m" })).status).toBe(409);
});

test("a request of an OpenAI client that is sent again with its key is one run", async () => {
  let payments = 0;
  const pay = tool({ name: "pay", description: "Pays.", input: empty, execute: () => `${++payments}` });
  const { url } = await openServer({ desk: calling("pay", [pay]) });
  const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
  const options = { headers: { "idempotency-key": "k1" } };
  const messages = [{ role: "user" as const, content: "Pay" }];
  const chat = () => client.chat.completions.create({ model: "desk", messages }, options);
  await Promise.all([chat(), chat()]);
  await chat();
  expect(payments).toBe(1);
  const respond = () => client.responses.create({ model: "desk", input: "Pay" }, options);
  const first = await respond();
  expect([(await respond()).id, payments]).toEqual([first.id, 2]);
});

test("a response in the background is read at once, and its conversation is busy", async () => {
  const { agent, goOn } = inTwoPieces("One, two.");
  const { url } = await openServer({ desk: agent });
  const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
  const { id } = await client.responses.create({ model: "desk", input: "Count", background: true });
  await until(async () => (await client.responses.retrieve(id)).status === "in_progress");
  const next = client.responses.create({ model: "desk", input: "More", previous_response_id: id });
  await expect(next).rejects.toMatchObject({ status: 409 });
  goOn();
  await until(async () => (await client.responses.retrieve(id)).status === "completed");
  expect((await client.responses.cancel(id)).status).toBe("completed");
});

test("messages to a run that waits are bounded", async () => {
  const wait = tool({ name: "wait", description: "Waits.", input: empty, execute: () => "", approval: true });
  const { url } = await openServer({ desk: calling("wait", [wait]) });
  await post(`${url}/runs/desk`, { input: "Go", id: "a" });
  const statuses = [];
  for (let count = 0; count < 3; count++)
    statuses.push((await post(`${url}/runs/a/queue`, { message: "x".repeat(2_000_000) })).status);
  expect(statuses).toEqual([202, 202, 400]);
});

test("an MCP session belongs to the user who has opened it", async () => {
  const mcp = await mcpHandler({ agents: [calling("none", [])] });
  const { url } = await openServer(calling("none", []), {
    mcp,
    authorize: (request) => {
      const user = request.headers.get("x-user");
      if (user === null) return 401;
      return user === "limited" ? { user, agents: ["Desk"] } : { user };
    },
  });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { "x-user": "ann" } },
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const session = transport.sessionId ?? "";
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const headers = { accept: "application/json, text/event-stream", "mcp-session-id": session };
  const ask = async (user: string): Promise<number> =>
    (await post(`${url}/mcp`, list, { ...headers, "x-user": user })).status;
  expect([session === "", await ask("ann"), await ask("bob"), await ask("limited")]).toEqual([
    false,
    200,
    404,
    403,
  ]);
  await client.close();
  await mcp.close();
});

test("a server that closes waits for answers that it does not keep", async () => {
  const model = new FunctionModel(
    () => new Promise<string>((resolve) => setTimeout(resolve, 1_500, "Late.")),
  );
  const { server, url } = await openServer({ desk: new Agent({ name: "Desk", model }) });
  const answered = post(`${url}/v1/chat/completions`, {
    model: "desk",
    messages: [{ role: "user", content: "Hi" }],
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await server.close();
  const { choices } = await (await answered).json();
  expect(choices[0].message.content).toBe("Late.");
});

test("a client that asks an agent for a task which is not there is not an error of the server", async () => {
  const errors: unknown[] = [];
  const { url } = await openServer(
    { desk: calling("none", []) },
    { protocols: ["a2a"], onError: (error) => errors.push(error) },
  );
  const version = { "A2A-Version": "1.0" };
  const rest = await fetch(`${url}/a2a/desk/tasks/nothing`, { headers: version });
  const rpc = await post(
    `${url}/a2a/desk`,
    { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "nothing" } },
    version,
  );
  expect([rest.status, (await rpc.json()).error.code, errors]).toEqual([404, -32_001, []]);
});

test("several results of a client are one step: its stream has the whole answer", async () => {
  const own = (name: string) => tool({ name, description: "The client's own.", input: empty });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { toolCalls: [{ toolName: "one" }, { toolName: "two" }, { toolName: "three" }] }
      : "All is done.",
  );
  const desk = new Agent({ name: "Desk", model, tools: ["one", "two", "three"].map(own) });
  const { server, url } = await openServer({ desk });
  await post(`${url}/runs/desk`, { input: "Go", session: "s", id: "a" });
  const { pending } = await server.runs.get("local/a").result();
  const results = pending.map(({ toolCallId }) => ({ toolCallId, content: "done" }));
  const answered = await post(`${url}/runs/desk`, { session: "s", results }, { accept: "text/event-stream" });
  const text = await answered.text();
  expect([pending.length, text.match(/"type":"run-end"/g)?.length]).toEqual([3, 1]);
  expect(text).toMatch("All is done.");
});

test("a message does not give up what a tool waits for: the run reads it once that has come", async () => {
  const sell = tool({
    name: "sell",
    description: "Sells a lamp.",
    input: empty,
    execute: async (_input, { waitFor }: ToolContext) => ({ payment: await waitFor("payment") }),
  });
  const { server, url } = await openServer({ desk: calling("sell", [sell]) });
  await post(`${url}/runs/desk`, { input: "A lamp", session: "s", id: "a" });
  const handle = server.runs.get("local/a");
  expect((await handle.result()).status).toBe("paused");
  expect(await (await post(`${url}/runs/desk`, { input: "Well?", session: "s" })).json()).toMatchObject({
    id: "a",
    status: "paused",
  });
  await handle.resolve("payment", { euros: 40 });
  await handle.result();
  const { messages } = await handle.state();
  expect(messages.slice(0, 4).map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
});

test("an id is refused by its form before anything is remembered by it", async () => {
  const { agent, goOn } = inTwoPieces("One, two.", "Three.");
  const { url } = await openServer({ desk: agent }, { busy: "steer" });
  await post(`${url}/runs/desk`, { input: "Count", session: "s" });
  const long = await post(`${url}/runs/desk`, { input: "Faster!", session: "s", id: "x".repeat(1_000_000) });
  goOn();
  expect([long.status, (await long.json()).error.code]).toEqual([400, "invalid-name"]);
});
