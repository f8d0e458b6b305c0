import { Agent, result, tool, type Tool } from "skein";
import { ScriptedModel, type TurnLike } from "skein/testing";
import { buildResumeArray, type HttpAgent } from "@ag-ui/client";
import { expect, test } from "vitest";
import {
  App,
  clientOf,
  conversationOf,
  expectedConversation,
  expectSame,
  runClient,
  say,
  typesOf,
} from "./test-app.ts";

const eurosInput = {
  type: "object",
  properties: { euros: { type: "number" } },
  required: ["euros"],
} as const;

const refunds: number[] = [];

const refund = tool({
  name: "refund",
  description: "Refund money.",
  input: eurosInput,
  approval: true,
  execute: ({ euros }: { readonly euros: number }) => {
    refunds.push(euros);
    return `${euros} euros are on their way.`;
  },
});

const check = tool({ name: "check", input: eurosInput, execute: () => "fine" });

const askUser = {
  name: "askUser",
  description: "Ask the user.",
  parameters: { type: "object", properties: { question: { type: "string" } } },
};

const desk = (turns: readonly TurnLike[], tools: readonly Tool[] = [refund, check]): Agent =>
  new Agent({ name: "Desk", model: new ScriptedModel(turns), tools: [...tools] });

const call = (toolName: string, euros = 10) => ({ toolName, arguments: { euros } });

/** Answers all interrupts of a client in the same way. */
function answerAll(client: HttpAgent, payload: unknown): ReturnType<typeof runClient> {
  const responses = Object.fromEntries(
    client.pendingInterrupts.map(({ id }) => [id, { status: "resolved", payload } as const]),
  );
  return runClient(client, { resume: buildResumeArray(client.pendingInterrupts, responses) });
}

test.each<[string, unknown, string, number[]]>([
  ["approved", { approved: true }, "10 euros are on their way.", [10]],
  ["approved by a truth value", true, "10 euros are on their way.", [10]],
  [
    "denied",
    { approved: false, reason: "Too much." },
    "refund was not called: it was not approved. The reason given: Too much.",
    [],
  ],
  [
    "approved with other arguments",
    { approved: true, editedArgs: { euros: 5 } },
    '5 euros are on their way.\nNote: a person approved this call with other arguments: {"euros":5}',
    [5],
  ],
])(
  "a call that waits is an interrupt, and is %s by the next run",
  async (_title, payload, content, expected) => {
    refunds.length = 0;
    const app = new App(
      desk([{ text: "One moment.", toolCalls: [call("refund"), call("check")] }, "All done."]),
    );
    const client = clientOf(app);
    const first = await say(client, "My money!");
    expect(first.warnings).toEqual([]);
    expect(client.pendingInterrupts).toMatchObject([
      {
        reason: "tool_call",
        toolCallId: "call_1",
        message: "Allow the call of refund?",
        metadata: { skein: { toolName: "refund", input: { euros: 10 } } },
        responseSchema: { required: ["approved"] },
      },
    ]);
    expect(typesOf(first.events).slice(-2)).toEqual(["MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
    const second = await answerAll(client, payload);
    await expectSame(app, client, Promise.resolve(second));
    expect(typesOf(second.events)).toEqual([
      "RUN_STARTED",
      "TOOL_CALL_RESULT",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
    expect(client.messages).toContainEqual(expect.objectContaining({ toolCallId: "call_1", content }));
    expect(refunds).toEqual(expected);
  },
);

test("without the client's messages nothing is restated, and the result of a call goes to the call that the client has", async () => {
  const app = new App(desk([{ toolCalls: [call("refund")] }, "Done."]), { restates: false });
  const client = clientOf(app);
  const first = await say(client, "My money!");
  expect(typesOf(first.events)).not.toContain("MESSAGES_SNAPSHOT");
  await expectSame(app, client, answerAll(client, { approved: true }));
});

test("a request that is abandoned is denied", async () => {
  refunds.length = 0;
  const app = new App(desk([{ toolCalls: [call("refund")] }, "As you like."]));
  const client = clientOf(app);
  await say(client, "My money!");
  const resume = client.pendingInterrupts.map(
    ({ id }) => ({ interruptId: id, status: "cancelled" }) as const,
  );
  await expectSame(app, client, runClient(client, { resume }));
  expect(refunds).toEqual([]);
});

test("a call of the client's own tool is left to the client, which answers it in its messages", async () => {
  const turns = [
    { toolCalls: [{ toolName: "askUser", arguments: { question: "Which size?" } }, call("check")] },
    "A large one.",
  ];
  const app = new App(desk(turns));
  const client = clientOf(app);
  const first = await say(client, "A coffee", { tools: [askUser] });
  expect(first.warnings).toEqual([]);
  expect(first.events.at(-1)).toMatchObject({ outcome: { type: "success", pendingToolCallIds: ["call_1"] } });
  client.addMessage({ id: "answer", role: "tool", toolCallId: "call_1", content: "large" });
  await expectSame(app, client, runClient(client, { tools: [askUser] }));
  expect(conversationOf(client).at(-1)).toMatchObject({ content: "A large one." });
});

test("calls to decide on and calls to execute can wait at the same time", async () => {
  refunds.length = 0;
  const turns = [
    { toolCalls: [{ toolName: "askUser", arguments: { question: "Why?" } }, call("refund", 3)] },
    "So be it.",
  ];
  const app = new App(desk(turns));
  const client = clientOf(app);
  await say(client, "My money!", { tools: [askUser] });
  expect(client.pendingInterrupts).toHaveLength(1);
  client.addMessage({ id: "answer", role: "tool", toolCallId: "call_1", content: "It broke." });
  const [interrupt] = client.pendingInterrupts;
  const resume = [
    { interruptId: interrupt?.id ?? "", status: "resolved", payload: { approved: true } } as const,
  ];
  await expectSame(app, client, runClient(client, { tools: [askUser], resume }));
  expect(refunds).toEqual([3]);
});

test("the failure of the client's tool is a failure to the model", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "askUser" }] }, "Never mind."]);
  const app = new App(new Agent({ name: "Desk", model, tools: [] }));
  const client = clientOf(app);
  await say(client, "A coffee", { tools: [askUser] });
  client.addMessage({
    id: "answer",
    role: "tool",
    toolCallId: "call_1",
    content: "",
    error: "The user is gone.",
  });
  const { warnings } = await runClient(client, { tools: [askUser] });
  expect(warnings).toEqual([]);
  const result = { isError: true, content: [{ type: "text", text: "The user is gone." }] };
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", result });
});

test("where calls are hidden, the client gets those that it decides on, and their results without what they say", async () => {
  const app = new App(desk([{ toolCalls: [call("refund", 8), call("check")] }, "Done."]), {
    show: { toolCalls: false },
  });
  const client = clientOf(app);
  await say(client, "My money!");
  expect(client.messages.at(-1)).toMatchObject({
    toolCalls: [{ id: "call_1", function: { name: "refund", arguments: '{"euros":8}' } }],
  });
  const second = await answerAll(client, { approved: true });
  expect(second.warnings).toEqual([]);
  expect(client.messages).toContainEqual(expect.objectContaining({ toolCallId: "call_1", content: "" }));
  expect(app.sent).not.toMatch(/check|on their way/);
});

/** A host whose tool is an agent, which has the given tools. */
function hostOf(turns: readonly TurnLike[], tools: readonly Tool[], prefix = "call_"): Agent {
  const model = new ScriptedModel(turns, { toolCallIdPrefix: prefix });
  const clerk = new Agent({ name: "Clerk", model, tools: [...tools] });
  const script = [{ toolCalls: [{ toolName: "clerk", arguments: { input: "Go" } }] }, "The clerk is done."];
  return new Agent({ name: "Host", model: new ScriptedModel(script), tools: [clerk.asTool()] });
}

test("an agent within the run that waits is suspended, and goes on under the same id", async () => {
  refunds.length = 0;
  const app = new App(
    hostOf(
      [{ text: "Hm.", toolCalls: [call("refund", 4), call("check")] }, "It is refunded."],
      [refund, check],
    ),
  );
  const client = clientOf(app);
  const first = await say(client, "My money!");
  expect(first.warnings).toEqual([]);
  const [interrupt] = client.pendingInterrupts;
  const subagentRunId = "call_1/agent-1";
  // Its own call has an id that the call of the host has, too.
  expect(interrupt).toMatchObject({
    reason: "tool_call",
    toolCallId: "call_1/agent-1/call_1",
    subagentRunId,
  });
  expect(first.events).toContainEqual({
    type: "SUBAGENT_FINISHED",
    subagentRunId,
    outcome: { type: "suspended", interruptIds: [interrupt?.id] },
  });
  const second = await answerAll(client, { approved: true });
  await expectSame(app, client, Promise.resolve(second));
  expect(refunds).toEqual([4]);
  const calls = client.messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  expect(calls.map(({ id }) => id)).toEqual(["call_1", "call_1/agent-1/call_1", "call_1/agent-1/call_2"]);
  for (const { id } of calls)
    expect(client.messages.filter((each) => each.role === "tool" && each.toolCallId === id)).toHaveLength(1);
});

test("a call of an agent within the run that waits for its result is an interrupt, too", async () => {
  const measure = tool({ name: "measure", description: "Measure.", input: eurosInput });
  const app = new App(hostOf([{ toolCalls: [call("measure")] }, "It is long."], [measure], "own_"));
  const client = clientOf(app);
  await say(client, "How long?");
  expect(client.pendingInterrupts).toMatchObject([
    { reason: "input_required", toolCallId: "call_1/agent-1/own_1" },
  ]);
  await expectSame(app, client, answerAll(client, { metres: 3 }));
  expect(app.results.at(-1)).toMatchObject({ status: "completed", text: "The clerk is done." });
});

test("a call that a tool makes is attributed to the call of that tool, and can wait", async () => {
  refunds.length = 0;
  const batch = tool({
    name: "batch",
    input: eurosInput,
    execute: async ({ euros }: { readonly euros: number }, context) => {
      const checked = await context.call("check", { euros });
      return [checked, await context.call("refund", { euros })];
    },
  });
  const app = new App(desk([{ toolCalls: [call("batch", 6)] }, "Both."], [refund, check, batch]));
  const client = clientOf(app);
  const first = await say(client, "All of it");
  expect(first.warnings).toEqual([]);
  expect(client.pendingInterrupts).toMatchObject([{ reason: "tool_call", subagentRunId: "call_1/calls" }]);
  const named = client.messages.filter(({ subagentRunId }) => subagentRunId === "call_1/calls");
  expect(named.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
  await expectSame(app, client, answerAll(client, { approved: true }));
  expect(refunds).toEqual([6]);
});

test("the state that a program chooses is sent as it changes, and nothing else of the context", async () => {
  const add = tool({
    name: "add",
    input: eurosInput,
    execute: () => result({ value: "added", context: { cart: ["apple", "pear"], key: "planted-secret" } }),
  });
  const app = new App(desk([{ toolCalls: [call("add")] }, "Done."], [add]), {
    run: { context: { cart: ["apple"], key: "planted-secret" } },
    state: (context) => ({ cart: Object(context)["cart"] }),
  });
  const client = clientOf(app);
  const { events } = await say(client, "Add it");
  expect(events.filter(({ type }) => type.startsWith("STATE"))).toEqual([
    { type: "STATE_SNAPSHOT", snapshot: { cart: ["apple"] } },
    { type: "STATE_DELTA", delta: [{ op: "add", path: "/cart/-", value: "pear" }] },
  ]);
  expect(client.state).toEqual({ cart: ["apple", "pear"] });
  expect(app.sent).not.toContain("planted-secret");
});

test("a function for the state that throws fails the stream, and its words stay here", async () => {
  const app = new App(desk(["Done."]), {
    state: () => {
      throw new Error("planted-secret");
    },
  });
  const { events } = await say(clientOf(app), "Hello");
  expect(events.at(-1)).toEqual({ type: "RUN_ERROR", code: "run-failed", message: "The run failed." });
  expect(app.sent).not.toContain("planted-secret");
});

test("a state that is a promise fails the stream, also one that rejects", async () => {
  const app = new App(desk(["Done."]), { state: () => Promise.reject(new Error("planted-secret")) });
  const { events } = await say(clientOf(app), "Hello");
  expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "invalid-option" });
  expect(app.sent).not.toMatch(/planted-secret|Promise/);
});

test("a thread that goes on with a message instead of a decision cancels the call", async () => {
  refunds.length = 0;
  const app = new App(desk([{ toolCalls: [call("refund")] }, "Hello again."]));
  const client = clientOf(app);
  await say(client, "My money!");
  client.pendingInterrupts = [];
  await say(client, "Never mind");
  expect(refunds).toEqual([]);
  expect(expectedConversation(app.results.at(-1)).at(-1)).toMatchObject({ content: "Hello again." });
});
