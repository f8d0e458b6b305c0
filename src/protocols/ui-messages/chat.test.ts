import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { expect, test } from "vitest";
import { Agent, stream } from "../../index.ts";
import { ScriptedModel, type TurnLike } from "../../testing/index.ts";
import { chatOf, ChatServer, settled } from "./test-chat.ts";
import { lastText, visible } from "./test-stream.ts";
import { askUser, call, double, refund } from "./test-tools.ts";
import { toUIMessageResponse } from "./to-ui-message-chunks.ts";
import { toUIMessages } from "./to-ui-messages.ts";

/** A server whose agent goes on with one script over all requests. */
function serverOf(turns: readonly TurnLike[]): ChatServer {
  const model = new ScriptedModel(turns);
  return new ChatServer(() => new Agent({ name: "A", tools: [double, refund, askUser], model }));
}

/** What the page shows must be what it would show after a reload. */
function expectSameAfterReload(chat: ReturnType<typeof chatOf>, server: ChatServer): void {
  const reloaded = toUIMessages(server.state?.messages ?? [], server.pending);
  expect(chat.messages.map(visible)).toEqual(reloaded.map(visible));
}

test("a chat over two messages has the texts and outputs of the runs", async () => {
  const server = serverOf([{ text: "One.", toolCalls: [call("double")] }, "Four.", "And more."]);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "Twice two?" });
  await chat.sendMessage({ text: "And?" });
  await settled(chat, server, 2);
  expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(chat.messages.map(lastText)).toEqual(["Twice two?", "Four.", "And?", "And more."]);
  expect(server.requests).toHaveLength(2);
  expectSameAfterReload(chat, server);
});

test("an approved call is executed, and the answer goes on in the same message", async () => {
  const server = serverOf([
    { text: "May I?", toolCalls: [call("refund", { n: 7 }), call("double")] },
    "Done.",
  ]);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "A refund" });
  const approvalId = server.pending[0]?.approvalId ?? "";
  await chat.addToolApprovalResponse({ id: approvalId, approved: true });
  await settled(chat, server, 2);
  expect(server.requests[1]?.decisions).toEqual([{ approvalId, decision: "approve" }]);
  expect(chat.messages).toHaveLength(2);
  expect(chat.messages[1]?.parts).toMatchObject([
    { type: "step-start" },
    { type: "text", text: "May I?" },
    { type: "tool-refund", state: "output-available", output: "Refunded 7." },
    { type: "tool-double", state: "output-available", output: { result: 4 } },
    { type: "step-start" },
    { type: "text", text: "Done." },
  ]);
  expectSameAfterReload(chat, server);
});

test("a denied call is marked as denied, and the reason reaches the model", async () => {
  const server = serverOf([{ toolCalls: [call("refund", { n: 7 })] }, "I did not."]);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "A refund" });
  const id = server.pending[0]?.approvalId ?? "";
  await chat.addToolApprovalResponse({ id, approved: false, reason: "Too much." });
  await settled(chat, server, 2);
  expect(chat.messages[1]?.parts[1]).toMatchObject({
    type: "tool-refund",
    state: "output-denied",
    approval: { id, approved: false, reason: "Too much." },
  });
  expect(JSON.stringify(server.state?.messages)).toContain("Too much.");
  expect(lastText(chat.messages[1] ?? { parts: [] })).toBe("I did not.");
  expectSameAfterReload(chat, server);
});

test("arguments that a person edits go along with the approval", async () => {
  const server = serverOf([{ toolCalls: [call("refund", { n: 7 })] }, "Done."]);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "A refund" });
  const id = server.pending[0]?.approvalId ?? "";
  const options = { body: { approvalArguments: { [id]: { n: 5 } } } };
  await chat.addToolApprovalResponse({ id, approved: true, options });
  await settled(chat, server, 2);
  expect(chat.messages[1]?.parts[1]).toMatchObject({ state: "output-available", output: "Refunded 5." });
});

test("several decisions are sent once all are there", async () => {
  const server = serverOf([{ toolCalls: [call("refund", { n: 1 }), call("refund", { n: 2 })] }, "Done."]);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "Two refunds" });
  const [first, second] = server.pending.map(({ approvalId }) => approvalId ?? "");
  await chat.addToolApprovalResponse({ id: first ?? "", approved: true });
  expect(server.requests).toHaveLength(1);
  await chat.addToolApprovalResponse({ id: second ?? "", approved: false });
  await settled(chat, server, 2);
  expect(server.requests).toHaveLength(2);
  expect(chat.messages[1]?.parts.slice(1, 3)).toMatchObject([
    { state: "output-available", output: "Refunded 1." },
    { state: "output-denied" },
  ]);
});

test("a result of the client's own tool goes back, and the call is not made twice", async () => {
  const server = serverOf([{ toolCalls: [call("askUser", {}), call("double")] }, "A large one, then."]);
  const calls: string[] = [];
  const chat = chatOf(server, (toolName, toolCallId) => {
    calls.push(toolName);
    if (toolName === "askUser")
      void chat.addToolOutput({ tool: "askUser", toolCallId, output: { size: "large" } });
  });
  await chat.sendMessage({ text: "A coffee" });
  await settled(chat, server, 2);
  expect(server.requests[1]?.results).toContainEqual({ toolCallId: "call_1", content: { size: "large" } });
  expect(calls.toSorted()).toEqual(["askUser", "double"]);
  expect(lastText(chat.messages[1] ?? { parts: [] })).toBe("A large one, then.");
  expect(chat.messages[1]?.parts[1]).toMatchObject({ type: "tool-askUser", output: { size: "large" } });
  expectSameAfterReload(chat, server);
});

test("an error of the client's own tool reaches the model as one", async () => {
  const server = serverOf([{ toolCalls: [call("askUser", {})] }, "Never mind."]);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "A coffee" });
  await chat.addToolOutput({
    tool: "askUser",
    toolCallId: "call_1",
    state: "output-error",
    errorText: "The user has left.",
  });
  await settled(chat, server, 2);
  const results = server.state?.messages.flatMap((each) => (each.role === "tool" ? [each.result] : []));
  expect(results).toMatchObject([{ isError: true, content: [{ text: "The user has left." }] }]);
  expect(lastText(chat.messages[1] ?? { parts: [] })).toBe("Never mind.");
});

test("a decision and a result of a client's tool are sent together", async () => {
  const server = serverOf([{ toolCalls: [call("refund", { n: 1 }), call("askUser", {})] }, "Done."]);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "Both" });
  await chat.addToolOutput({ tool: "askUser", toolCallId: "call_2", output: "blue" });
  await chat.addToolApprovalResponse({ id: server.pending[0]?.approvalId ?? "", approved: true });
  await settled(chat, server, 2);
  expect(server.requests).toHaveLength(2);
  expect(lastText(chat.messages[1] ?? { parts: [] })).toBe("Done.");
});

test("stop cancels the run, and the page keeps what it has read", async () => {
  const server = serverOf([{ text: "a very long answer", chunkSize: 2, delay: 20 }]);
  const chat = chatOf(server);
  const sending = chat.sendMessage({ text: "Hello" });
  await expect.poll(() => chat.messages.length).toBe(2);
  await chat.stop();
  await sending;
  await expect.poll(() => server.state?.status).toBe("cancelled");
  expect(server.cancelled).toBe(1);
  expect(chat.status).toBe("ready");
});

test("a failed run is an error of the chat, without the provider's words", async () => {
  const server = serverOf([{ text: "Hel", error: new Error("key sk-live-1"), errorAfter: 1 }]);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "Hello" });
  expect(chat.status).toBe("error");
  expect(chat.error?.message).toBe("The run failed. (model-failed)");
  expect(lastText(chat.messages[1] ?? { parts: [] })).toBe("Hel");
});

test("images of the user reach the model", async () => {
  const model = new ScriptedModel(["A dot."]);
  const server = new ChatServer(() => new Agent({ name: "A", model }));
  const chat = chatOf(server);
  const url = "data:image/png;base64,iVBORw0KGgo=";
  const files = [{ type: "file", mediaType: "image/png", filename: "dot.png", url } as const];
  await chat.sendMessage({ text: "What is it?", files });
  expect(model.requests[0]?.messages).toEqual([
    {
      role: "user",
      content: [
        { type: "image", url, mediaType: "image/png" },
        { type: "text", text: "What is it?" },
      ],
    },
  ]);
  await settled(chat, server, 1);
  expect(lastText(chat.messages[1] ?? { parts: [] })).toBe("A dot.");
});

test("a page that is loaded again in the middle of an answer has the whole message in the end", async () => {
  const model = new ScriptedModel([
    { text: "One.", toolCalls: [call("double")] },
    { text: "Two and three.", chunkSize: 4, delay: 5 },
  ]);
  const running = stream(new Agent({ name: "A", tools: [double], model }), "Count");
  const chat = new Chat({
    messages: [
      { id: "u", role: "user", parts: [{ type: "text", text: "Count" }] },
      { id: "m", role: "assistant", parts: [{ type: "step-start" }, { type: "text", text: "One." }] },
    ],
    transport: new DefaultChatTransport({
      api: "http://chat.example/api",
      fetch: async () => toUIMessageResponse(running, { messageId: "m" }),
    }),
  });
  await chat.resumeStream();
  const { state } = await running.result;
  expect(chat.messages.map(visible)).toEqual(toUIMessages(state.messages).map(visible));
  expect(chat.messages.map(({ id }) => id)).toEqual(["u", "m"]);
});
