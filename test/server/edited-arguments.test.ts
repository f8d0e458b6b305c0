/** A person's edit that cannot be read is refused: the call must not be made as it was not approved. */
import { expect, test } from "vitest";
import { refunds, request, served } from "./serving.ts";

const edited = { order: 8 };
const server = (): ReturnType<typeof served> =>
  served({ desk: refunds() }, { protocols: ["native", "ag-ui", "ui-messages", "a2a", "responses"] });

async function answer(
  app: ReturnType<typeof served>,
  path: string,
  body?: unknown,
): Promise<[number, string]> {
  const headers = { "a2a-version": "1.0" };
  const response = await app.fetch(request(body === undefined ? "GET" : "POST", path, body, headers));
  return [response.status, await response.text()];
}

/** Starts a run that waits for a decision. */
async function waiting(app: ReturnType<typeof served>): Promise<string> {
  await app
    .fetch(request("POST", "/runs/desk", { id: "r1", input: "Go" }, { accept: "text/event-stream" }))
    .then((each) => each.text());
  const [, text] = await answer(app, "/runs/r1");
  return /"approvalId":"(\w+)"/.exec(text)?.[1] ?? "";
}

test.each([
  [{ editedArgs: edited }, "decisions[0].editedArgs is unknown: the field is called arguments."],
  [{ args: edited }, "decisions[0].args is unknown: the field is called arguments."],
  [{ input: edited }, "decisions[0].input is unknown: the field is called arguments."],
  [
    { colour: "red" },
    "decisions[0].colour is unknown: the fields are approvalId, decision, reason, arguments.",
  ],
  [{ arguments: null }, "decisions[0].arguments must be an object"],
])("Skein's own: %j", async (extra, message) => {
  const app = server();
  const approvalId = await waiting(app);
  const decisions = [{ approvalId, decision: "approve", ...extra }];
  const [status, text] = await answer(app, "/runs/r1/decide", { decisions });
  expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  expect((await answer(app, "/runs/r1"))[1]).toContain(approvalId);
});

test.each([
  [
    { payload: { approved: true, arguments: edited } },
    "resume[0].payload.arguments is unknown: the field is called editedArgs.",
  ],
  [{ payload: { approved: true, editedArguments: edited } }, "the field is called editedArgs."],
  [{ payload: { approved: true, editedArgs: null } }, "resume[0].payload.editedArgs must be an object"],
  [
    { payload: { approved: true }, editedArgs: edited },
    "resume[0].editedArgs is unknown: the field is called payload.editedArgs.",
  ],
])("AG-UI: %j", async (extra, message) => {
  const resume = [{ interruptId: "a", status: "resolved", ...extra }];
  const body = {
    threadId: "t",
    runId: "r",
    messages: [],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
    resume,
  };
  expect(await answer(server(), "/ag-ui/desk", body)).toEqual([400, expect.stringContaining(message)]);
});

test.each([
  [{ call_1: edited }, "approvalArguments.call_1 is not the id of an approval in the messages"],
  [{ a: null }, "approvalArguments.a must be an object"],
])("useChat: %j", async (approvalArguments, message) => {
  const part = {
    type: "tool-refund",
    toolCallId: "call_1",
    state: "approval-responded",
    input: { order: 7 },
    approval: { id: "a", approved: true },
  };
  const messages = [
    { id: "m1", role: "user", parts: [{ type: "text", text: "Go" }] },
    { id: "m2", role: "assistant", parts: [part] },
  ];
  const body = { id: "c1", messages, approvalArguments };
  expect(await answer(server(), "/chat/desk", body)).toEqual([400, expect.stringContaining(message)]);
});

test("useChat: edits of earlier approvals may still be sent", async () => {
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "Go" }] }];
  const body = { id: "c1", messages, approvalArguments: { ["0".repeat(64)]: edited } };
  expect((await answer(server(), "/chat/desk", body))[0]).toBe(200);
});

test("A2A and Responses: a decision with an unknown field", async () => {
  const app = server();
  const data = { decisions: [{ approvalId: "a", decision: "approve", editedArgs: edited }] };
  const message = { messageId: "m1", role: "ROLE_USER", parts: [{ data }] };
  const call = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  expect((await answer(app, "/a2a/desk", call))[1]).toContain(
    "editedArgs is unknown: the field is called arguments",
  );
  const item = { type: "mcp_approval_response", approval_request_id: "a", approve: true, arguments: "{}" };
  const [status, text] = await answer(app, "/v1/responses", {
    model: "desk",
    previous_response_id: "resp_1",
    input: [item],
  });
  expect([status, text]).toEqual([400, expect.stringContaining("input[0].arguments is unknown")]);
});
