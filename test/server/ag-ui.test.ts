import { HttpAgent, type Message } from "@ag-ui/client";
import { Agent, tool } from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { openServer } from "./open-server.ts";

function agentOf(url: string, threadId: string): HttpAgent {
  return new HttpAgent({ url: `${url}/ag-ui/desk`, threadId });
}

function say(agent: HttpAgent, content: string): void {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
}

function lastText(messages: readonly Message[]): unknown {
  return messages.at(-1)?.content;
}

/** Refund an order. */
function refund(order: number) {
  return `Refunded ${order}.`;
}

test("a thread is a conversation that the server has", async () => {
  const model = new FunctionModel(({ messages }) => `${messages.length} messages`);
  const { url } = await openServer({ desk: new Agent({ name: "Desk", model }) });
  const agent = agentOf(url, "t1");
  say(agent, "One");
  await agent.runAgent();
  say(agent, "Two");
  await agent.runAgent();
  expect(lastText(agent.messages)).toBe("3 messages");
});

test("a call that a person decides on is an interrupt, and is answered by resuming", async () => {
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "user") return { toolCalls: [{ toolName: "refund", arguments: { order: 7 } }] };
    return last?.role === "tool" ? `It is ${last.result.outcome}.` : "Done.";
  });
  const desk = new Agent({ name: "Desk", model, tools: [tool(refund, { approval: true })] });
  const { url } = await openServer({ desk });
  const agent = agentOf(url, "t2");
  say(agent, "Money back!");
  await agent.runAgent();
  const [interrupt] = agent.pendingInterrupts;
  expect(interrupt).toMatchObject({ reason: "tool_call" });
  await agent.runAgent({
    resume: [{ interruptId: interrupt?.id ?? "", status: "resolved", payload: { approved: true } }],
  });
  expect(lastText(agent.messages)).toBe("It is success.");
});

test("a tool of the page is executed by the page", async () => {
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "tool"
      ? "It is blue now."
      : { toolCalls: [{ toolName: "paint", arguments: { color: "blue" } }] };
  });
  const { url } = await openServer({ desk: new Agent({ name: "Desk", model }) });
  const agent = agentOf(url, "t3");
  const tools = [
    {
      name: "paint",
      description: "Paints the page.",
      parameters: { type: "object", properties: { color: { type: "string" } } },
    },
  ];
  say(agent, "Blue, please.");
  await agent.runAgent({ tools });
  const message = agent.messages.at(-1);
  const call = message?.role === "assistant" ? message.toolCalls?.[0] : undefined;
  expect(call?.function.name).toBe("paint");
  agent.addMessage({ id: "r1", role: "tool", toolCallId: call?.id ?? "", content: "painted" });
  await agent.runAgent({ tools });
  expect(lastText(agent.messages)).toBe("It is blue now.");
});

test("what the page tells of itself reaches the model", async () => {
  const model = new FunctionModel(({ messages }) => JSON.stringify(messages));
  const { url } = await openServer({ desk: new Agent({ name: "Desk", model }) });
  const agent = agentOf(url, "t4");
  say(agent, "Where am I?");
  await agent.runAgent({ context: [{ description: "Page", value: "checkout" }] });
  expect(lastText(agent.messages)).toMatch("Page: checkout");
});

test("an attachment that no model could be sent is a 400 that names its place", async () => {
  const { url } = await openServer({
    desk: new Agent({ name: "Desk", model: new FunctionModel(() => "Hi.") }),
  });
  const source = { type: "url", value: "http://a.test/a.png" };
  const content = [
    { type: "text", text: "What is it?" },
    { type: "image", source },
  ];
  const answer = await fetch(`${url}/ag-ui/desk`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ threadId: "t9", runId: "r9", messages: [{ id: "1", role: "user", content }] }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("messages[0].content[1].source.value must be an https: address");
});
