/** Approvals of agents that are runs of their own: clients know the run around them alone. */
import { HttpAgent } from "@ag-ui/client";
import { Agent, tool } from "skein";
import { connect } from "skein/client";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { listening, request, served } from "./serving.ts";

const orders = { type: "object", properties: { order: { type: "number" } }, required: ["order"] } as const;

/** An agent whose tool is another one, in a run of its own, whose call waits for a decision. */
function desk(): Agent {
  const paying = { toolCalls: [{ toolName: "pay", arguments: { order: 7 } }] };
  const pay = tool({
    name: "pay",
    approval: true,
    input: orders,
    execute: ({ order }: { readonly order: number }) => `Paid ${order}.`,
  });
  const payer = new Agent({
    name: "Payer",
    model: new FunctionModel(({ messages }) => answerTo(messages.at(-1)) ?? paying),
    tools: [pay],
  });
  const asking = { toolCalls: [{ toolName: "payer", arguments: { input: "Pay order 7." } }] };
  return new Agent({
    name: "Desk",
    model: new FunctionModel(({ messages }) => answerTo(messages.at(-1)) ?? asking),
    tools: [payer.asTool({ name: "payer", detached: true })],
  });
}

function answerTo(message: unknown): string | undefined {
  const text = JSON.stringify(message);
  if (!text.includes('"role":"tool"')) return undefined;
  return /Paid \d+\./.exec(text)?.[0] ?? "Not paid.";
}

test("skein/client: the run waits for them, and a decision on one goes to the run that waits", async () => {
  const { url } = await listening({ desk: desk() });
  const client = connect(url);
  const run = client.stream("desk", "Pay.", { session: "c1" });
  const { status, pending } = await run.result;
  expect(status).toBe("paused");
  expect(pending).toMatchObject([{ toolName: "pay", input: { order: 7 }, agent: "Payer" }]);
  expect((await client.session("c1")).pending).toEqual(pending);
  const approvalId = pending[0]?.approvalId ?? "";
  const next = await run.decide([{ approvalId, decision: "approve", arguments: { order: 9 } }]);
  expect((await next.result).text).toBe("Paid 9.");
});

test("skein/client: another message gives them up", async () => {
  const { url, server } = await listening({ desk: desk() });
  const client = connect(url);
  await client.stream("desk", "Pay.", { session: "c1" }).result;
  await client.stream("desk", "Pay another.", { session: "c1" }).result;
  const runs = await server.runs.list();
  expect(runs.map(({ agent, status }) => `${agent} ${status}`)).toEqual([
    "Payer paused",
    "Desk paused",
    "Payer cancelled",
    "Desk cancelled",
  ]);
});

test("useChat: the call is a part that waits, and gets its result", async () => {
  const server = served({ desk: desk() });
  const first = { id: "m1", role: "user", parts: [{ type: "text", text: "Pay." }] };
  const question = await server.fetch(request("POST", "/chat/desk", { id: "c1", messages: [first] }));
  const stream = await question.text();
  expect(stream).toContain('"type":"tool-approval-request"');
  const [, approvalId = ""] = /"approvalId":"(\w+)"/.exec(stream) ?? [];
  const [, toolCallId = ""] = /"approvalId":"\w+","toolCallId":"([^"]+)"/.exec(stream) ?? [];
  const part = {
    type: "tool-pay",
    toolCallId,
    input: { order: 7 },
    state: "approval-responded",
    approval: { id: approvalId, approved: true },
  };
  const messages = [first, { id: "m2", role: "assistant", parts: [{ type: "step-start" }, part] }];
  const answer = await server.fetch(request("POST", "/chat/desk", { id: "c1", messages }));
  const rest = await answer.text();
  expect(rest).toContain(`{"type":"tool-output-available","toolCallId":"${toolCallId}","output":"Paid 7."}`);
  expect(rest).not.toContain("error");
});

test("AG-UI: they are interrupts of the agent that asks", async () => {
  const { url } = await listening({ desk: desk() });
  const agent = new HttpAgent({ url: `${url}/ag-ui/desk`, threadId: "t1" });
  agent.addMessage({ id: "m1", role: "user", content: "Pay." });
  await agent.runAgent();
  const approvals = agent.pendingInterrupts.filter(({ reason }) => reason === "tool_call");
  expect(approvals).toMatchObject([{ message: "Allow the call of pay?", subagentRunId: expect.any(String) }]);
  const resume = agent.pendingInterrupts.map(({ id }) => ({
    interruptId: id,
    status: "resolved" as const,
    payload: { approved: true },
  }));
  await agent.runAgent({ resume });
  expect(agent.messages.at(-1)?.content).toBe("Paid 7.");
});

test("A2A and Responses: the task and the response ask for them", async () => {
  const { url } = await listening({ desk: desk() }, { protocols: ["a2a", "responses"] });
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { "content-type": "application/json", "a2a-version": "1.0" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return response.json();
  };
  const send = (text: string, ids: object): Promise<unknown> => {
    const message = { role: "ROLE_USER", parts: [{ text }], ...ids };
    return post("/a2a/desk", { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } });
  };
  const asked = JSON.stringify(await send("Pay.", { messageId: "m1" }));
  expect(asked).toContain("TASK_STATE_INPUT_REQUIRED");
  const [, taskId = ""] = /"task":\{"id":"(\w+)"/.exec(asked) ?? [];
  expect(JSON.stringify(await send("approve", { messageId: "m2", taskId }))).toContain("Paid 7.");

  const waiting = JSON.stringify(await post("/v1/responses", { model: "desk", input: "Pay." }));
  const [, item = ""] = /\{"id":"(\w+)","type":"mcp_approval_request"/.exec(waiting) ?? [];
  const [, id = ""] = /"id":"(resp_\w+)"/.exec(waiting) ?? [];
  const input = [{ type: "mcp_approval_response", approval_request_id: item, approve: false }];
  const after = await post("/v1/responses", { model: "desk", previous_response_id: id, input });
  expect(JSON.stringify(after)).toContain("Not paid.");
});
