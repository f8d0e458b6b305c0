/** Users for whom `authorize` returns `decide: false`: they start runs and read them, and staff decide on what these wait for. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Agent, tool } from "skein";
import { mcpHandler } from "skein/mcp";
import { type ServedProtocol, serve, type SkeinServer } from "skein/server";
import { FunctionModel } from "skein/testing";
import OpenAI from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { openServer } from "./open-server.ts";
import { listening, outcome, refunds, request, served } from "./serving.ts";

const protocols = ["native", "chat-completions", "responses", "ui-messages", "ag-ui", "a2a"] as const;

/** A desk whose one batch has a refund, which staff approve, and a question for the page that the customer is on. */
function desk(): { readonly agent: Agent; readonly refunded: unknown[] } {
  const refunded: unknown[] = [];
  const input = { type: "object", properties: {} } as const;
  const refund = tool({ name: "refund", input, approval: true, execute: () => void refunded.push(true) });
  const where = tool({ name: "where", input });
  const calls = ["refund", "where"].map((toolName) => ({ toolName, arguments: {} }));
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: calls } : "It is done.",
  );
  return { agent: new Agent({ name: "Desk", model, tools: [refund, where] }), refunded };
}

/** A customer's run, which waits. */
async function waiting() {
  const { agent, refunded } = desk();
  const server = served(
    { desk: agent },
    { protocols, authorize: () => ({ user: "ann", decide: false }), allowedHosts: ["localhost"] },
  );
  const post = (path: string, body: unknown): Promise<Response> =>
    server.fetch(request("POST", path, body, { "a2a-version": "1.0" }));
  await post("/runs/desk", { id: "r", session: "s", input: "Money, please." });
  const run = server.runs.get("ann/r");
  const { pending } = await run.result();
  const [approvalId = ""] = pending.flatMap((call) => call.approvalId ?? []);
  const [toolCallId = ""] = pending.flatMap((call) => (call.approvalId === undefined ? call.toolCallId : []));
  return { server, post, run, refunded, approvalId, toolCallId };
}

/** A request that decides, by an approval's id. */
type Attempt = readonly [what: string, path: string, body: (approvalId: string) => unknown];

const decisions = (approvalId: string): object => ({ decisions: [{ approvalId, decision: "approve" }] });

const a2aMessage = (parts: readonly object[]): object => ({
  message: { messageId: "m", taskId: "r", contextId: "s", role: "ROLE_USER", parts },
});

const rpc = (method: string, params: object): object => ({ jsonrpc: "2.0", id: 1, method, params });

const agUi = (answer: object) => (interruptId: string) => ({
  threadId: "s",
  runId: "second",
  messages: [{ id: "m", role: "user", content: "And more?" }],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
  resume: [{ interruptId, ...answer }],
});

const uiMessages =
  (approved: boolean, ...more: readonly object[]) =>
  (id: string) => {
    const approval = { id, approved };
    const part = { type: "tool-refund", toolCallId: "c", state: "approval-responded", input: {}, approval };
    const before = [
      { id: "m1", role: "user", parts: [{ type: "text", text: "Money, please." }] },
      { id: "m2", role: "assistant", parts: [part] },
    ];
    return { id: "s", messages: [...before, ...more] };
  };

const nextMessage = { id: "m3", role: "user", parts: [{ type: "text", text: "And now?" }] };

const response =
  (approve: boolean, ...more: readonly object[]) =>
  (id: string) => ({
    model: "desk",
    conversation: "s",
    input: [{ type: "mcp_approval_response", approval_request_id: id, approve }, ...more],
  });

/** Each protocol's ways to decide. Chat Completions has none: what waits there ends with its answer. */
const attempts: Readonly<Record<ServedProtocol, readonly Attempt[]>> = {
  "chat-completions": [],
  native: [
    ["of the run", "/runs/r/decide", decisions],
    [
      "a denial",
      "/runs/r/decide",
      (approvalId) => ({ decisions: [{ approvalId, decision: "deny", reason: "No." }] }),
    ],
    ["of the session", "/runs/desk", (id) => ({ session: "s", ...decisions(id) })],
    ["beside a message", "/runs/desk", (id) => ({ session: "s", input: "And more?", ...decisions(id) })],
  ],
  responses: [
    ["an approval", "/v1/responses", response(true)],
    ["a denial beside a message", "/v1/responses", response(false, { role: "user", content: "And more?" })],
  ],
  "ui-messages": [
    ["an approval", "/chat/desk", uiMessages(true)],
    ["a denial", "/chat/desk", uiMessages(false)],
  ],
  "ag-ui": [
    ["an approval", "/ag-ui/desk", agUi({ status: "resolved", payload: { approved: true } })],
    ["a cancellation", "/ag-ui/desk", agUi({ status: "cancelled" })],
  ],
  a2a: [
    ["data", "/a2a/desk", (id) => rpc("SendMessage", a2aMessage([{ data: decisions(id) }]))],
    ["words", "/a2a/desk", () => rpc("SendMessage", a2aMessage([{ text: "approve" }]))],
    [
      "words in a stream",
      "/a2a/desk",
      () => rpc("SendStreamingMessage", a2aMessage([{ text: "deny: too expensive" }])),
    ],
    ["HTTP+JSON", "/a2a/desk/message:send", (id) => a2aMessage([{ data: decisions(id) }])],
    ["HTTP+JSON, a stream", "/a2a/desk/message:stream", () => a2aMessage([{ text: "approve" }])],
  ],
};

const all = protocols.flatMap((protocol) =>
  attempts[protocol].map(([what, path, body]) => ({ protocol, what, path, body })),
);

test.each(all)("over $protocol, a decision is refused: $what", async ({ path, body }) => {
  const { post, run, refunded, approvalId } = await waiting();
  const before = await run.state();
  const answer = await post(path, body(approvalId));
  const text = await answer.text();
  expect([answer.status, text]).toEqual([403, expect.stringContaining("the staff of this server do")]);
  expect(await run.state()).toEqual(before);
  expect(refunded).toEqual([]);
});

test("the code of the refusal is may-not-decide", async () => {
  const { post, approvalId } = await waiting();
  expect(await outcome(await post("/runs/r/decide", decisions(approvalId)))).toBe("403 may-not-decide");
  expect(await outcome(await post("/v1/responses", response(true)(approvalId)))).toBe("403 may-not-decide");
});

describe("what staff decide through the store", () => {
  /** A customer with the official client, whose refund waits. */
  const customer = async () => {
    const { url, server } = await listening(
      { desk: refunds("Desk") },
      { protocols, authorize: () => ({ user: "ann", decide: false }) },
    );
    const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });
    const first = await client.responses.create({ model: "desk", input: "Money, please." });
    const approvalId = first.output.find(({ type }) => type === "mcp_approval_request")?.id ?? "";
    const run = server.runs.get(`ann/${first.id}`);
    const decide = async (decision: "approve" | "deny"): Promise<void> => {
      await run.decide([{ approvalId, decision }]);
      await run.result({ until: "end" });
    };
    const readOn = (input: OpenAI.Responses.ResponseInput = []) =>
      client.responses.create({ model: "desk", previous_response_id: first.id, input });
    const sendDecision = (approve: boolean) =>
      readOn([{ type: "mcp_approval_response", approval_request_id: approvalId, approve }]);
    return { client, first, run, approvalId, decide, readOn, sendDecision };
  };

  test.each(["approve", "deny"] as const)(
    "a response without input goes on with what came of it: %s",
    async (decision) => {
      const { client, first, decide, readOn } = await customer();
      const waits = await readOn();
      expect([waits.id, waits.output]).toEqual([first.id, first.output]);
      expect((await readOn()).id).toBe(first.id);
      await decide(decision);
      const next = await readOn();
      expect([next.output_text, next.previous_response_id]).toEqual(["Done.", first.id]);
      expect((await client.responses.retrieve(next.id)).output_text).toBe("Done.");
      const stream = await client.responses.create({
        model: "desk",
        previous_response_id: first.id,
        input: [],
        stream: true,
      });
      const types = new Set<string>();
      for await (const { type } of stream) types.add(type);
      expect(types).toContain("response.output_text.done");
    },
  );

  test("the response that waited stays as it was, and names the next one once there is one", async () => {
    const { client, first, decide } = await customer();
    expect((await client.responses.retrieve(first.id)).metadata).toEqual({});
    await decide("approve");
    const { output, metadata } = await client.responses.retrieve(first.id);
    expect(output).toEqual(first.output);
    const next = await client.responses.retrieve(metadata?.["next_response_id"] ?? "");
    expect([next.output_text, next.metadata]).toEqual(["Done.", {}]);
  });

  test("one that the customer took back stays as it was, too, and is followed by what was said instead", async () => {
    const { client, first, readOn } = await customer();
    const instead = await client.responses.create({
      model: "desk",
      previous_response_id: first.id,
      input: "Never mind.",
    });
    const { status, output, metadata } = await client.responses.retrieve(first.id);
    expect([status, output]).toEqual(["completed", first.output]);
    expect(metadata).toEqual({ next_response_id: instead.id });
    const next = await readOn();
    expect([next.id, next.output]).toEqual([instead.id, instead.output]);
  });

  test("one that was cancelled is that for a client which reads on, too", async () => {
    const { client, first, readOn } = await customer();
    await client.responses.cancel(first.id);
    const read = await readOn();
    expect([read.id, read.status]).toEqual([first.id, "cancelled"]);
  });

  test("the same decision, sent once they have decided, is answered with what came of it, another one is refused", async () => {
    const { decide, sendDecision } = await customer();
    await expect(sendDecision(true)).rejects.toMatchObject({ status: 403, code: "may-not-decide" });
    await decide("approve");
    expect((await sendDecision(true)).output_text).toBe("Done.");
    await expect(sendDecision(false)).rejects.toMatchObject({ status: 409, code: "nothing-waits" });
  });

  test("a message behind it goes on with the conversation", async () => {
    const { client, decide, readOn } = await customer();
    await decide("deny");
    const next = await readOn();
    const more = await client.responses.create({
      model: "desk",
      previous_response_id: next.id,
      input: "Once more.",
    });
    expect(more.output.map(({ type }) => type)).toEqual(["mcp_approval_request"]);
  });

  const everyOther: Readonly<Record<string, (server: SkeinServer) => Promise<Response>>> = {
    native: (server) => server.fetch(request("GET", "/runs/r/events")),
    "ui-messages": (server) => server.fetch(request("GET", "/chat/desk/s")),
    "ag-ui": (server) => server.fetch(request("GET", "/ag-ui/desk/s")),
    a2a: (server) => server.fetch(request("GET", "/a2a/desk/tasks/r", undefined, { "a2a-version": "1.0" })),
  };

  test.each(Object.entries(everyOther))(
    "over %s, a page reads it where it reads the run",
    async (_, read) => {
      const { server, run, approvalId, toolCallId } = await waiting();
      expect(await (await read(server)).text()).not.toContain("It is done.");
      await run.answer({
        decisions: [{ approvalId, decision: "approve" }],
        results: [{ toolCallId, content: "Oslo" }],
      });
      await run.result({ until: "end" });
      expect(await (await read(server)).text()).toContain("It is done.");
    },
  );
});

test("results of the user's own tools are taken, and staff decide through the runs of the server", async () => {
  const { post, run, refunded, approvalId, toolCallId } = await waiting();
  const resolved = await post("/runs/r/resolve", { toolCallId, content: "Oslo" });
  expect(await outcome(resolved)).toBe("202");
  const { pending } = await run.state();
  expect(pending.map((call) => call.approvalId)).toEqual([approvalId]);
  await run.decide([{ approvalId, decision: "approve" }]);
  expect(await run.result({ until: "end" })).toMatchObject({ status: "completed", text: "It is done." });
  expect(refunded).toEqual([true]);
});

test("a result beside a decision is not taken, either", async () => {
  const { post, run, approvalId, toolCallId } = await waiting();
  const results = [{ toolCallId, content: "Oslo" }];
  const answer = await post("/runs/desk", { session: "s", results, ...decisions(approvalId) });
  expect(await outcome(answer)).toBe("403 may-not-decide");
  expect((await run.state()).pending).toHaveLength(2);
});

test("over useChat, a message behind a decision that was refused takes back what waits", async () => {
  const { post, run, refunded, approvalId } = await waiting();
  expect((await post("/chat/desk", uiMessages(true)(approvalId))).status).toBe(403);
  const next = await post("/chat/desk", uiMessages(true, nextMessage)(approvalId));
  expect([next.status, await next.text()]).toEqual([200, expect.stringContaining("tool-approval-request")]);
  expect(await run.result()).toMatchObject({ status: "cancelled" });
  expect(refunded).toEqual([]);
});

test("over useChat, a decision that was refused hinders no later message once staff have decided", async () => {
  const { post, run, refunded, approvalId, toolCallId } = await waiting();
  expect((await post("/chat/desk", uiMessages(true)(approvalId))).status).toBe(403);
  const results = [{ toolCallId, content: "Oslo" }];
  await run.answer({ decisions: [{ approvalId, decision: "deny" }], results });
  await run.result({ until: "end" });
  const next = await post("/chat/desk", uiMessages(true, nextMessage)(approvalId));
  expect([next.status, await next.text()]).toEqual([200, expect.stringContaining("tool-approval-request")]);
  expect(refunded).toEqual([]);
});

test.each([true, undefined])("with decide: %s the user decides", async (decide) => {
  const { agent, refunded } = desk();
  const server: SkeinServer = serve(
    { desk: agent },
    { authorize: () => ({ user: "ann", ...(decide !== undefined && { decide }) }) },
  );
  onTestFinished(() => server.close({ drain: 0 }));
  await server.fetch(request("POST", "/runs/desk", { id: "r", input: "Money, please." }));
  const { pending } = await server.runs.get("ann/r").result();
  const [approvalId = ""] = pending.flatMap((call) => call.approvalId ?? []);
  const answer = await server.fetch(request("POST", "/runs/r/decide", decisions(approvalId)));
  expect(await outcome(answer)).toBe("202");
  await expect.poll(() => refunded).toEqual([true]);
});

test.each([true, false])("at /mcp, decide: %s says whether the client's user is asked", async (decide) => {
  const questions: unknown[] = [];
  const calls: unknown[] = [];
  const refund = tool({
    name: "refund",
    input: { type: "object", properties: {} },
    approval: true,
    execute: () => void calls.push(true),
  });
  const words: string[] = [];
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== "tool") return { toolCalls: [{ toolName: "refund", arguments: {} }] };
    words.push(...last.result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])));
    return "Done.";
  });
  const agent = new Agent({ name: "Desk", description: "Refunds.", model, tools: [refund] });
  const mcp = await mcpHandler({ agents: [agent], tools: [refund] });
  onTestFinished(() => mcp.close());
  const { url } = await openServer({ desk: agent }, { mcp, authorize: () => ({ user: "ann", decide }) });
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", (question) => {
    questions.push(question.params);
    return { action: "accept", content: { approve: true } };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  await client.callTool({ name: "refund", arguments: {} });
  await client.callTool({ name: "desk", arguments: { input: "Money, please." } });
  await client.close();
  expect([questions.length, calls.length]).toEqual(decide ? [2, 2] : [0, 0]);
  const refusal =
    "refund was not called: it was not approved. The reason given: it needs a person's approval, which the user of this client may not give.";
  expect(words.includes(refusal)).toBe(!decide);
});
