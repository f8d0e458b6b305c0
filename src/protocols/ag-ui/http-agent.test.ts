import { Agent, tool, type Tool } from "skein";
import { ScriptedModel, type TurnLike } from "skein/testing";
import { HttpAgent } from "@ag-ui/client";
import { expect, test } from "vitest";
import {
  App,
  clientOf,
  conversationOf,
  expectSame,
  listen,
  type runClient,
  say,
  typesOf,
  type AppOptions,
} from "./test-app.ts";

const numberInput = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;

const double = tool({
  name: "double",
  description: "Double a number.",
  input: numberInput,
  execute: ({ n }: { readonly n: number }) => ({ twice: n * 2 }),
});

const failing = tool({
  name: "failing",
  description: "Fail.",
  input: numberInput,
  execute: () => {
    throw new Error("planted-secret-of-a-tool");
  },
});

const answers = (turns: readonly TurnLike[], tools: readonly Tool[] = []): Agent =>
  new Agent({ name: "Host", model: new ScriptedModel(turns), tools: [...tools] });

const call = (toolName: string, n: number | string = 1) => ({ toolName, arguments: { n } });

/** One message to an agent, over a real server. */
async function overHttp(
  agent: Agent,
  options: AppOptions = {},
): Promise<{
  readonly app: App;
  readonly client: HttpAgent;
  readonly ran: Awaited<ReturnType<typeof runClient>>;
}> {
  const app = new App(agent, options);
  await using server = await listen(app);
  const client = new HttpAgent({ url: server.url });
  return { app, client, ran: await say(client, "Hello") };
}

test.each<[string, readonly TurnLike[]]>([
  ["text", [{ text: "Hello, wörld! 🪿", chunkSize: 3 }]],
  ["no text at all", [{ text: "" }]],
  ["reasoning", [{ reasoning: "Well, well.", text: "So it is.", chunkSize: 4 }]],
  [
    "text and parallel calls",
    [{ text: "Let me see.", toolCalls: [call("double"), call("double", 2)], chunkSize: 2 }, "2 and 4"],
  ],
  ["a failing call", [{ toolCalls: [call("failing"), call("double")] }, "One failed."]],
  ["a correction", [{ toolCalls: [call("double", "x")] }, { toolCalls: [call("double", 3)] }, "6"]],
  ["an unknown tool", [{ toolCalls: [call("triple")] }, "There is none."]],
  ["a truncated answer", [{ text: "It was a dark and", finishReason: "length" }]],
  [
    "a truncated answer with a call",
    [{ text: "It was", toolCalls: [call("double")], finishReason: "length" }],
  ],
  [
    "calls that have the same id in each answer",
    [
      { toolCalls: [{ ...call("double"), toolCallId: "call_0" }] },
      { toolCalls: [{ ...call("double", 2), toolCallId: "call_0" }] },
      "4",
    ],
  ],
  [
    "calls that have the same id in one answer",
    [
      {
        toolCalls: [
          { ...call("double"), toolCallId: "a" },
          { ...call("double", 2), toolCallId: "a" },
        ],
        chunkSize: 3,
      },
      "2 and 4",
    ],
  ],
])("after %s, the client has the messages that run() gives", async (_title, turns) => {
  const { app, client, ran } = await overHttp(answers(turns, [double, failing]));
  await expectSame(app, client, Promise.resolve(ran));
  expect(app.sent).not.toContain("planted-secret");
});

test("the next message goes on with the conversation", async () => {
  const app = new App(
    answers(
      [
        { toolCalls: [call("double")] },
        "2",
        { toolCalls: [{ ...call("double", 5), toolCallId: "call_1" }] },
        "10",
      ],
      [double],
    ),
  );
  await using server = await listen(app);
  const client = new HttpAgent({ url: server.url });
  await expectSame(app, client, say(client, "Double 1"));
  await expectSame(app, client, say(client, "Double 5"));
  expect(client.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

test("a handoff is an event, and the text of the other agent has its name", async () => {
  const refunds = new Agent({ name: "Refunds", model: new ScriptedModel(["You get it back."]) });
  const triage = new Agent({
    name: "Triage",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_refunds" }] }]),
    handoffs: [refunds],
  });
  const { app, client, ran } = await overHttp(triage);
  await expectSame(app, client, Promise.resolve(ran));
  const value = { from: "Triage", to: "Refunds", toolCallId: "call_1" };
  expect(ran.events).toContainEqual({ type: "CUSTOM", name: "handoff", value });
  expect(client.messages.at(-1)).toMatchObject({ name: "Refunds", content: "You get it back." });
});

test("an agent as a tool is a subagent, with its text, its calls and its failures", async () => {
  const model = new ScriptedModel([{ text: "I look.", toolCalls: [call("double", 4)] }, "Eight."], {
    toolCallIdPrefix: "call_",
  });
  const expert = new Agent({ name: "Expert", model, tools: [double] });
  const lost = new Agent({
    name: "Lost",
    model: new ScriptedModel([{ text: "Hm", toolCalls: [call("double")], errorAfter: 2 }]),
    tools: [double],
  });
  const agent = new Agent({
    name: "Host",
    model: new ScriptedModel([
      {
        toolCalls: [
          { toolName: "expert", arguments: { input: "4" } },
          { toolName: "lost", arguments: { input: "4" } },
        ],
      },
      "It is eight.",
    ]),
    tools: [expert.asTool(), lost.asTool()],
  });
  const { app, client, ran } = await overHttp(agent);
  await expectSame(app, client, Promise.resolve(ran));
  const within = client.messages.filter(({ subagentRunId }) => subagentRunId === "call_1/agent-1");
  expect(within).toMatchObject([
    {
      role: "assistant",
      content: "I look.",
      toolCalls: [{ function: { name: "double", arguments: '{"n":4}' } }],
    },
    { role: "tool", content: '{"twice":8}' },
    { role: "assistant", content: "Eight." },
  ]);
  expect(ran.events).toContainEqual({
    type: "SUBAGENT_STARTED",
    subagentRunId: "call_1/agent-1",
    name: "Expert",
    parentToolCallId: "call_1",
  });
  expect(ran.events).toContainEqual({
    type: "SUBAGENT_FINISHED",
    subagentRunId: "call_1/agent-1",
    outcome: { type: "success" },
  });
  expect(ran.events).toContainEqual({
    type: "SUBAGENT_ERROR",
    subagentRunId: "call_2/agent-1",
    message: "The run failed. (network)",
    code: "network",
  });
});

test.each<[string, boolean, TurnLike]>([
  ["in the schema", true, { text: '{"n":12.5}', chunkSize: 3 }],
  [
    "by a tool",
    false,
    { text: "Well:", toolCalls: [{ toolName: "final_answer", arguments: { n: 12.5 } }], chunkSize: 3 },
  ],
])("a typed output that a model writes %s is text and the result", async (_how, supportsOutput, turn) => {
  const agent = new Agent({
    name: "Clerk",
    model: new ScriptedModel([turn], { supportsOutput }),
    output: numberInput,
  });
  const { app, client, ran } = await overHttp(agent);
  await expectSame(app, client, Promise.resolve(ran));
  expect(ran.result).toEqual({ n: 12.5 });
  expect(client.messages.at(-1)).toMatchObject({ role: "assistant", content: '{"n":12.5}' });
});

test("a tool with the last word has it as text, too", async () => {
  const last = tool({ name: "last", input: numberInput, final: true, execute: () => "The last word." });
  const { app, client, ran } = await overHttp(answers([{ toolCalls: [call("last")] }], [last]));
  await expectSame(app, client, Promise.resolve(ran));
  expect(client.messages.at(-1)).toMatchObject({ role: "assistant", content: "The last word." });
});

test("an image reaches the model", async () => {
  const model = new ScriptedModel(["A goose."]);
  const app = new App(new Agent({ name: "Eye", model }));
  const client = clientOf(app);
  const { warnings } = await say(client, [
    { type: "text", text: "What is it?" },
    { type: "image", source: { type: "data", value: "aGk=", mimeType: "image/png" } },
  ]);
  expect(warnings).toEqual([]);
  expect(model.requests[0]?.messages.at(-1)).toEqual({
    role: "user",
    content: [
      { type: "text", text: "What is it?" },
      { type: "image", url: "data:image/png;base64,aGk=", mediaType: "image/png" },
    ],
  });
});

test("a provider's error in the middle of an answer is RUN_ERROR, without the provider's words", async () => {
  const error = new Error("planted-secret-of-the-provider");
  const { app, client, ran } = await overHttp(
    answers([{ text: "Half an ans", chunkSize: 5, error, errorAfter: 2 }]),
  );
  expect(ran.warnings).toEqual([]);
  expect(ran.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "model-failed" });
  expect(client.messages.at(-1)).toMatchObject({ content: "Half an an" });
  expect(app.sent).not.toContain("planted-secret");
});

test("a client that aborts its run cancels that of the agent", async () => {
  const app = new App(answers([{ text: "On and on and on", chunkSize: 2, delay: 20 }]));
  await using server = await listen(app);
  const client = new HttpAgent({ url: server.url });
  client.subscribe({ onTextMessageContentEvent: () => client.abortRun() });
  await say(client, "Go on");
  await expect.poll(() => app.results.length).toBe(1);
  expect(app.results).toMatchObject([{ status: "cancelled" }]);
});

test("a run that is cancelled ends as such, and a call that was cut does not stay in the conversation", async () => {
  const turn = { text: "So", toolCalls: [call("double", 123456)], chunkSize: 4, delay: 2 };
  let deltas = 0;
  const { app, client, ran } = await overHttp(answers([turn], [double]), {
    onRun: (running) =>
      void (async () => {
        for await (const event of running)
          if (event.type === "tool-input-delta" && ++deltas === 2) running.cancel();
      })(),
  });
  await expectSame(app, client, Promise.resolve(ran));
  expect(ran.events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "cancelled" } });
  expect(conversationOf(client)).toEqual([
    { role: "user", content: "Hello" },
    { role: "assistant", name: "Host", content: "So" },
  ]);
});

test("a limit that ends a run is a cancelled run, and an event says which limit", async () => {
  const { ran } = await overHttp(answers([{ toolCalls: [call("double")] }, "never"], [double]), {
    run: { maxTurns: 1 },
  });
  const status = { status: "max-turns", finishReason: "tool-calls" };
  expect(ran.events).toContainEqual({ type: "CUSTOM", name: "run-status", value: status });
  expect(ran.events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "cancelled" } });
});

test("what is not to be seen is not sent", async () => {
  const turns = [
    { reasoning: "hidden-thought", text: "Hm.", toolCalls: [call("double", 987_654_321)] },
    "Done.",
  ];
  const show = { reasoning: false, toolCalls: false };
  const { app, client, ran } = await overHttp(answers(turns, [double]), { show });
  expect(ran.warnings).toEqual([]);
  expect(app.sent).not.toMatch(/hidden-thought|double|987654321|1975308642/);
  expect(typesOf(ran.events)).toEqual([
    "RUN_STARTED",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "RUN_FINISHED",
  ]);
  expect(client.messages.map(({ content }) => content)).toEqual(["Hello", "Hm.", "Done."]);
});

test("messages that the user sends meanwhile are part of the conversation", async () => {
  const { app, client, ran } = await overHttp(
    answers([{ toolCalls: [call("double")] }, "Twice."], [double]),
    {
      onRun: (running) => running.steer("And thrice?"),
    },
  );
  await expectSame(app, client, Promise.resolve(ran));
  expect(client.messages.map(({ role }) => role)).toContain("user");
  expect(app.sent).toContain("And thrice?");
});

test("the progress of a tool is an activity, the last of which stays", async () => {
  const slow = tool({
    name: "slow",
    input: numberInput,
    execute: (_input, context) => {
      for (const percent of [10, 50, 100]) context.progress({ percent });
      return "ready";
    },
  });
  const { client } = await overHttp(answers([{ toolCalls: [call("slow")] }, "Ready."], [slow]));
  expect(client.messages.filter(({ role }) => role === "activity")).toMatchObject([
    {
      activityType: "tool-progress",
      content: { toolCallId: "call_1", toolName: "slow", value: { percent: 100 } },
    },
  ]);
});
