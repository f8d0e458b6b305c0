import { HttpAgent, type Message } from "@ag-ui/client";
import OpenAI from "openai";
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
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
