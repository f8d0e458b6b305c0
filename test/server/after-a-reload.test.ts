import { HttpAgent, type Message } from "@ag-ui/client";
import OpenAI from "openai";
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { connect } from "skein/client";
import { inTwoPieces, until } from "./open-server.ts";
import { listening, refunds } from "./serving.ts";

/** An agent one of whose tools the program that reads its answers executes. */
function painter(): Agent {
  const paint = tool({
    name: "paint",
    description: "Paints the page.",
    input: { type: "object", properties: { color: { type: "string" } } },
  });
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== "tool") return { toolCalls: [{ toolName: "paint", arguments: { color: "blue" } }] };
    return JSON.stringify(last.result.content);
  });
  return new Agent({ name: "Painter", model, tools: [paint] });
}

test("a page that is loaded again has the thread of the server, and what waits in it", async () => {
  const { url } = await listening({ desk: refunds("Desk") });
  const path = `${url}/ag-ui/desk`;
  const empty = await (await fetch(`${path}/t`)).json();
  expect(empty).toEqual({ threadId: "t", messages: [], pending: [], isWorking: false });
  const before = new HttpAgent({ url: path, threadId: "t" });
  before.addMessage({ id: "m1", role: "user", content: "My money!" });
  await before.runAgent();
  const { messages, pending, isWorking } = await (await fetch(`${path}/t`)).json();
  expect(isWorking).toBe(false);
  const contentOf = (each: Pick<Message, "role" | "content">) => [each.role, each.content];
  expect(messages.map(contentOf)).toEqual(before.messages.map(contentOf));
  expect(messages[1].toolCalls).toMatchObject([{ function: { name: "refund" } }]);
  const after = new HttpAgent({ url: path, threadId: "t", initialMessages: messages });
  const interruptId = pending[0].approvalId;
  expect(interruptId).toBe(before.pendingInterrupts[0]?.id);
  await after.runAgent({ resume: [{ interruptId, status: "resolved", payload: { approved: true } }] });
  expect(after.messages.at(-1)?.content).toBe("Done.");
  expect((await fetch(`${url}/ag-ui/nobody/t`)).status).toBe(404);
});

test("an agent's call that no program of the server executes is the client's, over Responses too", async () => {
  const { url } = await listening({ painter: painter() });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x" });
  const first = await client.responses.create({ model: "painter", input: "Blue, please." });
  const [call] = first.output;
  if (call?.type !== "function_call") throw new Error("A call was expected.");
  expect([first.status, call.name, call.arguments]).toEqual(["completed", "paint", '{"color":"blue"}']);
  const second = await client.responses.create({
    model: "painter",
    previous_response_id: first.id,
    input: [{ type: "function_call_output", call_id: call.call_id, output: "painted" }],
  });
  expect(second.output_text).toContain("painted");
});

test("an answer under way has its beginning behind the index that the session names", async () => {
  const { agent, goOn } = inTwoPieces("Hello there.", "And again.");
  const { url, server } = await listening({ desk: agent });
  const client = connect(url);
  const before = client.stream("desk", "Hi", { id: "r1", session: "c1" });
  await before.text().next();
  const { messages, run, after } = await client.session("c1");
  expect(messages.map(({ role }) => role)).toEqual(["user"]);
  goOn();
  const texts = async (from: number | undefined): Promise<string> => {
    const events = await Array.fromAsync(
      client.follow(run?.id ?? "", from === undefined ? {} : { after: from }),
    );
    return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  };
  expect(await texts(after)).toBe("Hello there.");
  // Once it is in the messages, nothing of it is behind the index.
  await until(async () => (await server.runs.list({ status: "completed" })).length === 1);
  const ended = await client.session("c1");
  expect(ended.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(await server.runs.get("local/r1").state()).toMatchObject({ after: ended.after });
  const last = (await Array.fromAsync(client.follow("r1"))).at(-1);
  expect(ended.after).toBe(last?.index);
});

test("useChat: the answer of a run that waits has the run's id, and a stopped call is not at work", async () => {
  const { url, server } = await listening({ desk: refunds("Desk") });
  const first = { id: "m1", role: "user", parts: [{ type: "text", text: "My money!" }] };
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ id: "c1", messages: [first] });
  await (await fetch(`${url}/chat/desk`, { method: "POST", headers, body })).text();
  const load = async (): Promise<{ readonly id: string; readonly parts: unknown }> =>
    (await (await fetch(`${url}/chat/desk/c1`)).json()).messages.at(-1);
  const { id } = await load();
  const [run] = await server.runs.list();
  expect(`local/${id}`).toBe(run?.id);
  await fetch(`${url}/chat/desk/c1/stop`, { method: "POST" });
  expect((await load()).parts).toContainEqual(
    expect.objectContaining({
      type: "tool-refund",
      state: "output-error",
      errorText: "refund has no result.",
    }),
  );
});

test("Responses: one that was cancelled while it waited is cancelled", async () => {
  const { url } = await listening({ desk: refunds("Desk") });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x" });
  const { id } = await client.responses.create({ model: "desk", input: "My money!" });
  expect((await client.responses.cancel(id)).status).toBe("cancelled");
  expect((await client.responses.retrieve(id)).status).toBe("cancelled");
});
