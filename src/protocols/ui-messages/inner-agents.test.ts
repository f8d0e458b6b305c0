import { expect, test } from "vitest";
import { Agent, stream, tool } from "../../index.ts";
import { ScriptedModel, type TurnLike } from "../../testing/index.ts";
import type { AgentData } from "./ui-message.ts";
import { chatOf, ChatServer, settled } from "./test-chat.ts";
import { chunksOf, lastText, messageOf, visible } from "./test-stream.ts";
import { askUser, call, double, refund } from "./test-tools.ts";
import { toUIMessages } from "./to-ui-messages.ts";

function researcher(turns: readonly TurnLike[]): Agent {
  return new Agent({ name: "Researcher", tools: [double, refund, askUser], model: new ScriptedModel(turns) });
}

function boss(inner: Agent, turns: readonly TurnLike[]): Agent {
  const research = inner.asTool({ name: "research", description: "Find out." });
  return new Agent({ name: "Boss", tools: [research, double, refund], model: new ScriptedModel(turns) });
}

const ask = call("research", { input: "What?" });

/** The id of a part of a call within another. */
const partWithin = (toolCallId: string): unknown => expect.stringMatching(`^${toolCallId}/[0-9a-f]{64}$`);

test("an agent that a tool runs is one data part with its text and calls", async () => {
  const inner = researcher([{ text: "Let me see.", toolCalls: [call("double")] }, "It is four."]);
  const running = stream(boss(inner, [{ toolCalls: [ask] }, "Four, I hear."]), "What?");
  const chunks = await chunksOf(running);
  const message = await messageOf(chunks);
  const parts = message.parts.filter(({ type }) => type === "data-agent");
  expect(parts).toEqual([
    {
      type: "data-agent",
      id: "call_1",
      data: {
        agent: "Researcher",
        parentToolCallId: "call_1",
        status: "completed",
        text: "It is four.",
        calls: [{ toolCallId: "call_1", toolName: "double", state: "done" }],
      },
    },
  ]);
  expect(lastText(message)).toBe("Four, I hear.");
});

test("the parts of a long text of an inner agent come to a few times its length, and end at 8,192 characters", async () => {
  const inner = researcher([{ text: "word ".repeat(4_000), chunkSize: 5 }]);
  const chunks = await chunksOf(stream(boss(inner, [{ toolCalls: [ask] }, "Long."]), "What?"));
  const parts = chunks.filter((chunk) => chunk.type === "data-agent");
  expect(JSON.stringify(parts).length).toBeLessThan(8 * 8_192);
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.at(-1)?.data.text).toHaveLength(8_192);
});

test("an agent within an agent has a part of its own, below the call of the agent around it", async () => {
  const deep = new Agent({ name: "Deep", model: new ScriptedModel(["Deep answer."]) });
  const inner = new Agent({
    name: "Inner",
    tools: [deep.asTool({ name: "dig" })],
    model: new ScriptedModel([{ toolCalls: [call("dig", { input: "x" })] }, "Inner answer."]),
  });
  const message = await messageOf(await chunksOf(stream(boss(inner, [{ toolCalls: [ask] }, "Done."]), "Go")));
  const parts = message.parts.flatMap((part) => (part.type === "data-agent" ? [part] : []));
  expect(parts.map(({ id }) => id)).toEqual(["call_1", "call_1/call_1"]);
  expect(parts.map(({ data }) => data)).toMatchObject([
    { agent: "Inner", text: "Inner answer.", status: "completed" },
    { agent: "Deep", text: "Deep answer.", status: "completed" },
  ]);
});

test("a handoff is a data part, in the stream and after a reload", async () => {
  const target = new Agent({ name: "Refunds", model: new ScriptedModel(["Hello, Refunds here."]) });
  const model = new ScriptedModel([{ toolCalls: [call("transfer_to_refunds", {})] }]);
  const running = stream(new Agent({ name: "Triage", handoffs: [target], model }), "Refund!");
  const message = await messageOf(await chunksOf(running));
  const { state } = await running.result;
  expect(message.parts.slice(1)).toMatchObject([
    { type: "tool-transfer_to_refunds", state: "output-available" },
    { type: "data-handoff", data: { from: "Triage", to: "Refunds" } },
    { type: "step-start" },
    { type: "text", text: "Hello, Refunds here." },
  ]);
  expect(message.metadata).toMatchObject({ agent: "Refunds" });
  expect(toUIMessages(state.messages).map(visible)[1]).toEqual(visible(message));
});

/** A server whose two agents go on with their scripts over all requests. */
function serverOf(outer: readonly TurnLike[], inner: readonly TurnLike[]): ChatServer {
  const innerAgent = researcher(inner);
  const agent = boss(innerAgent, outer);
  return new ChatServer(() => agent);
}

function expectSameAfterReload(chat: ReturnType<typeof chatOf>, server: ChatServer): void {
  const reloaded = toUIMessages(server.state?.messages ?? [], server.pending);
  expect(chat.messages.map(visible)).toEqual(reloaded.map(visible));
}

test("a call of an inner agent that waits has a part in a step of its own, and is answered like any other", async () => {
  const server = serverOf(
    [{ text: "I ask.", toolCalls: [ask] }, "All done."],
    [{ toolCalls: [call("double"), call("refund", { n: 9 })] }, "Refunded it."],
  );
  const chat = chatOf(server);
  await chat.sendMessage({ text: "Go" });
  expect(chat.messages[1]?.parts.slice(-2)).toMatchObject([
    { type: "step-start" },
    { type: "tool-refund", toolCallId: partWithin("call_1"), state: "approval-requested", input: { n: 9 } },
  ]);
  expectSameAfterReload(chat, server);
  await chat.addToolApprovalResponse({ id: server.pending[0]?.approvalId ?? "", approved: true });
  await settled(chat, server, 2);
  const parts = chat.messages[1]?.parts.filter(({ type }) => type.startsWith("tool-"));
  expect(parts).toMatchObject([
    { type: "tool-research", state: "output-available", output: "Refunded it." },
    { type: "tool-refund", state: "output-available", output: "Refunded 9." },
  ]);
  expect(lastText(chat.messages[1] ?? { parts: [] })).toBe("All done.");
});

test("calls of the run and of an agent within it wait in one step, and are sent together", async () => {
  const server = serverOf(
    [{ text: "Both.", toolCalls: [call("refund", { n: 1 }), ask, call("double")] }, "All done."],
    [{ toolCalls: [call("refund", { n: 9 })] }, "Refunded it."],
  );
  const chat = chatOf(server);
  await chat.sendMessage({ text: "Go" });
  expect(visible(chat.messages[1] ?? { parts: [] })).toMatchObject([
    { type: "step-start" },
    { type: "text", text: "Both." },
    { type: "tool-research", state: "input-available" },
    { type: "tool-double", state: "output-available" },
    { type: "step-start" },
    { type: "tool-refund", toolCallId: "call_1", state: "approval-requested" },
    { type: "tool-refund", toolCallId: partWithin("call_2"), state: "approval-requested" },
  ]);
  expectSameAfterReload(chat, server);
  const [first, second] = server.pending.map(({ approvalId }) => approvalId ?? "");
  await chat.addToolApprovalResponse({ id: first ?? "", approved: true });
  expect(server.requests).toHaveLength(1);
  await chat.addToolApprovalResponse({ id: second ?? "", approved: false });
  await settled(chat, server, 2);
  expect(chat.messages[1]?.parts).toMatchObject([
    { type: "step-start" },
    { type: "text" },
    { type: "tool-research", state: "output-available" },
    { type: "tool-double" },
    { type: "data-agent", data: { status: "completed" } },
    { type: "step-start" },
    { type: "tool-refund", state: "output-available", output: "Refunded 1." },
    { type: "tool-refund", state: "output-denied" },
    { type: "step-start" },
    { type: "text", text: "All done." },
  ]);
});

test("an inner agent that waits a second time asks again in the same message", async () => {
  const server = serverOf(
    [{ toolCalls: [ask] }, "All done."],
    [{ toolCalls: [call("refund", { n: 1 })] }, { toolCalls: [call("refund", { n: 2 })] }, "Both."],
  );
  const chat = chatOf(server);
  await chat.sendMessage({ text: "Go" });
  for (const round of [2, 3]) {
    await chat.addToolApprovalResponse({ id: server.pending[0]?.approvalId ?? "", approved: true });
    await settled(chat, server, round);
  }
  const refunds = chat.messages[1]?.parts.filter(({ type }) => type === "tool-refund");
  expect(refunds).toMatchObject([
    { toolCallId: partWithin("call_1"), state: "output-available", output: "Refunded 1." },
    { toolCallId: partWithin("call_1"), state: "output-available", output: "Refunded 2." },
  ]);
  expect(lastText(chat.messages[1] ?? { parts: [] })).toBe("All done.");
});

test("a client's tool of an inner agent gets its result by the id of its part", async () => {
  const server = serverOf(
    [{ toolCalls: [ask] }, "All done."],
    [{ toolCalls: [call("askUser", {})] }, "Blue."],
  );
  const chat = chatOf(server, (name, toolCallId) => {
    if (name === "askUser") void chat.addToolOutput({ tool: "askUser", toolCallId, output: "blue" });
  });
  await chat.sendMessage({ text: "Go" });
  await settled(chat, server, 2);
  expect(lastText(chat.messages[1] ?? { parts: [] })).toBe("All done.");
});

test("a call that a tool makes by another tool is shown only if it waits", async () => {
  const both = tool({
    name: "both",
    description: "Do both.",
    input: { type: "object", properties: {} },
    execute: async (_: unknown, context) =>
      [await context.call("double", { n: 1 }), await context.call("refund", { n: 2 })].join(),
  });
  const model = new ScriptedModel([{ toolCalls: [call("both", {})] }, "Both are done."]);
  const agent = new Agent({ name: "A", tools: [both, double, refund], model });
  const server = new ChatServer(() => agent);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "Go" });
  await chat.addToolApprovalResponse({ id: server.pending[0]?.approvalId ?? "", approved: true });
  await settled(chat, server, 2);
  expect(chat.messages[1]?.parts.filter(({ type }) => type.startsWith("tool-"))).toMatchObject([
    { type: "tool-both", state: "output-available" },
    { type: "tool-refund", state: "output-available", output: "Refunded 2." },
  ]);
});

test("without calls, inner agents are not shown either, but what waits in them is", async () => {
  const inner = researcher([{ text: "secret", toolCalls: [call("refund", { n: 9 })] }]);
  const running = stream(boss(inner, [{ toolCalls: [ask] }]), "Go");
  const message = await messageOf(await chunksOf(running, { show: { toolCalls: false } }));
  expect(message.parts).toMatchObject([
    { type: "step-start" },
    { type: "tool-refund", toolCallId: partWithin("call_1"), state: "approval-requested" },
  ]);
  expect(JSON.stringify(message)).not.toContain("secret");
});

test("of an inner agent's text nothing is sent where results are not shown", async () => {
  const inner = researcher(["It is four."]);
  const chunks = await chunksOf(stream(boss(inner, [{ toolCalls: [ask] }, "Done."]), "Go"), {
    show: { toolResults: false },
  });
  const data = chunks.flatMap((chunk): AgentData[] => (chunk.type === "data-agent" ? [chunk.data] : []));
  expect(data.at(-1)).toMatchObject({ status: "completed", text: "" });
  expect(JSON.stringify(chunks)).not.toContain("It is four.");
});

test("calls with one id, of agents at two depths, have a part each, which gets its own result", async () => {
  const deep = new Agent({
    name: "Deep",
    tools: [refund],
    model: new ScriptedModel([{ toolCalls: [call("refund", { n: 1 }), call("refund", { n: 2 })] }, "Deep."]),
  });
  const inner = new Agent({
    name: "Inner",
    tools: [refund, deep.asTool({ name: "dig" })],
    model: new ScriptedModel([
      { toolCalls: [call("dig", { input: "x" }), call("refund", { n: 3 })] },
      "Inner.",
    ]),
  });
  const server = new ChatServer(() => host);
  const host = boss(inner, [{ toolCalls: [ask] }, "Done."]);
  const chat = chatOf(server);
  await chat.sendMessage({ text: "Go" });
  expect(server.pending.map(({ toolCallId }) => toolCallId)).toEqual(["call_1", "call_2", "call_2"]);
  const refunds = () => chat.messages[1]?.parts.filter(({ type }) => type === "tool-refund");
  expect(refunds()).toMatchObject([1, 2, 3].map((n) => ({ state: "approval-requested", input: { n } })));
  expectSameAfterReload(chat, server);
  const [first, second, third] = server.pending.map(({ approvalId }) => approvalId ?? "");
  await chat.addToolApprovalResponse({ id: third ?? "", approved: true });
  await chat.addToolApprovalResponse({ id: first ?? "", approved: true });
  expect(server.requests).toHaveLength(1);
  await chat.addToolApprovalResponse({ id: second ?? "", approved: false });
  await settled(chat, server, 2);
  expect(refunds()).toMatchObject([
    { state: "output-available", output: "Refunded 1." },
    { state: "output-denied", input: { n: 2 } },
    { state: "output-available", output: "Refunded 3." },
  ]);
});
