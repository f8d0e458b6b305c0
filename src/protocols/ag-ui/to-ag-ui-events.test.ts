import { Agent, stream, tool } from "skein";
import { runs, sqliteStore } from "skein/durable";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { HttpAgent } from "@ag-ui/client";
import { expect, test } from "vitest";
import type { RunEventSource, SourceEvent } from "../kit/source.ts";
import type { AgUiOptions } from "./options.ts";
import { runClient, typesOf } from "./test-app.ts";
import { toAgUiEvents, toAgUiResponse } from "./to-ag-ui-events.ts";
import { toAgUiMessages } from "./to-ag-ui-messages.ts";
import type { AgUiMessage } from "./types.ts";

const ids = { threadId: "thread", runId: "run" };

const usage = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };

const report = {
  finishReason: "stop",
  text: "Done.",
  agent: "A",
  usage,
  turns: 1,
  pending: [],
  warnings: [],
} as const;

const turnStart = (index: number, turn = 1): SourceEvent => ({ type: "turn-start", index, agent: "A", turn });
const text = (index: number, words: string): SourceEvent => ({
  type: "text-delta",
  index,
  agent: "A",
  text: words,
});
const completed = (index: number, words = "Done."): SourceEvent => ({
  type: "run-end",
  index,
  agent: "A",
  status: "completed",
  result: { ...report, text: words, status: "completed" },
});
const result = (toolCallId: string) =>
  ({
    toolCallId,
    toolName: "t",
    content: [{ type: "text", text: "ok" }],
    isError: false,
    outcome: "success",
  }) as const;

async function* sourceOf(events: readonly SourceEvent[], error?: Error): RunEventSource {
  yield* events;
  if (error) throw error;
}

/** What the official client makes of a source. */
async function read(
  source: RunEventSource,
  options: Partial<AgUiOptions> = {},
  initialMessages: readonly AgUiMessage[] = [],
): Promise<Awaited<ReturnType<typeof runClient>> & { readonly client: HttpAgent }> {
  const client = new HttpAgent({
    url: "http://app.test/",
    initialMessages: JSON.parse(JSON.stringify(initialMessages)),
    fetch: () => Promise.resolve(toAgUiResponse(source, { ...ids, ...options })),
  });
  return { ...(await runClient(client)), client };
}

const contents = (client: HttpAgent): readonly unknown[] => client.messages.map(({ content }) => content);

test("a stream begins before the run has an event", async () => {
  const never: RunEventSource = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
  const events = toAgUiEvents(never, ids);
  expect(await events.next()).toEqual({
    done: false,
    value: { type: "RUN_STARTED", ...ids, protocolVersion: "1.0" },
  });
});

test("leaving the events leaves the source, also while its next event is waited for", async () => {
  let hasLeft = false;
  const waiting: RunEventSource = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        hasLeft = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const events = toAgUiEvents(waiting, ids);
  await events.next();
  void events.next();
  await events.return?.();
  expect(hasLeft).toBe(true);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test("one answer is one message: its text ends before a call begins, and goes on in it after that", async () => {
  const events: SourceEvent[] = [
    turnStart(0),
    { type: "reasoning-delta", index: 1, agent: "A", text: "Hm" },
    text(2, "First"),
    { type: "tool-input-delta", index: 3, agent: "A", toolCallId: "c", toolName: "t", text: "{}" },
    text(4, ", second"),
    {
      type: "tool-start",
      index: 5,
      agent: "A",
      toolCall: { toolCallId: "c", toolName: "t", arguments: "{}" },
    },
    { type: "tool-end", index: 6, agent: "A", result: result("c"), durationMs: 1 },
    completed(7, ""),
  ];
  const { client, events: sent, warnings } = await read(sourceOf(events));
  expect(warnings).toEqual([]);
  expect(typesOf(sent)).toEqual([
    "RUN_STARTED",

    "REASONING_START",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_END",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "RUN_FINISHED",
  ]);
  expect(client.messages).toMatchObject([
    { role: "reasoning", content: "Hm" },
    { role: "assistant", content: "First, second", toolCalls: [{ id: "c" }] },
    { role: "tool", toolCallId: "c", content: "ok" },
  ]);
});

test.each<[string, readonly SourceEvent[], Error | undefined, string]>([
  ["ends without a word", [turnStart(0), text(1, "Half")], undefined, "stream-error"],
  ["breaks", [turnStart(0), text(1, "Half")], new Error("planted-secret"), "run-failed"],
  [
    "has lost events",
    [
      turnStart(0),
      text(1, "Half"),
      { type: "events-dropped", index: 9, agent: "A", count: 8 },
      text(10, "x"),
      completed(11),
    ],
    undefined,
    "events-dropped",
  ],
  [
    "is stuck",
    [turnStart(0), text(1, "Half"), { type: "run-end", index: 2, agent: "A", status: "stuck" }],
    undefined,
    "stuck",
  ],
  [
    "has failed",
    [
      turnStart(0),
      text(1, "Half"),
      {
        type: "run-end",
        index: 2,
        agent: "A",
        status: "failed",
        error: { message: "planted-secret", code: "rate-limit" },
      },
    ],
    undefined,
    "rate-limit",
  ],
])(
  "a source that %s ends with RUN_ERROR, and what was open is closed",
  async (_title, events, error, code) => {
    const { events: sent, warnings } = await read(sourceOf(events, error));
    expect(warnings).toEqual([]);
    expect(sent.slice(-2)).toMatchObject([{ type: "TEXT_MESSAGE_END" }, { type: "RUN_ERROR", code }]);
    expect(JSON.stringify(sent)).not.toContain("planted-secret");
  },
);

test("a run whose events were lost is restated from its result, where the client's messages are known", async () => {
  const agent = new Agent({ name: "A", model: new ScriptedModel([{ text: "All of it.", chunkSize: 1 }]) });
  const running = stream(agent, "Hello");
  await running.result;
  const all: SourceEvent[] = await Array.fromAsync(running);
  const end = all.at(-1);
  const dropped: SourceEvent = { type: "events-dropped", index: 5, agent: "A", count: 3 };
  const history = [{ id: "u", role: "user", content: "Hello" } as const];
  const events = [...all.slice(0, 4), dropped, ...(end ? [end] : [])];
  const { client, warnings } = await read(sourceOf(events), { messages: history }, history);
  expect(warnings).toEqual([]);
  expect(contents(client)).toEqual(["Hello", "All of it."]);
});

const restarted: readonly SourceEvent[] = [
  turnStart(0),
  text(1, "Kept."),
  {
    type: "turn-end",
    index: 2,
    agent: "A",
    turn: 1,
    message: { role: "assistant", content: [{ type: "text", text: "Kept." }], toolCalls: [], agent: "A" },
    results: [],
    finishReason: "stop",
    usage,
  },
  turnStart(3, 2),
  text(4, "Void"),
  { type: "tool-input-delta", index: 5, agent: "A", toolCallId: "c", toolName: "t", text: '{"a' },
  { type: "turn-restart", index: 6, agent: "A", turn: 2, from: 3 },
  turnStart(7, 2),
  text(8, "Done."),
  completed(9),
];

test("an answer that is taken back is gone from the client that has told its messages", async () => {
  const history = [{ id: "u", role: "user", content: "Hello" } as const];
  const { client, warnings } = await read(sourceOf(restarted), { messages: () => history }, history);
  expect(warnings).toEqual([]);
  expect(contents(client)).toEqual(["Hello", "Kept.", "Done."]);
});

test("other clients learn of an answer that is taken back by the ids of its messages", async () => {
  const { client, events, warnings } = await read(sourceOf(restarted));
  expect(warnings).toEqual([]);
  expect(contents(client)).toEqual(["Kept.", "Void", "Done."]);
  const messageIds = client.messages.filter(({ content }) => content === "Void").map(({ id }) => id);
  expect(events).toContainEqual({ type: "CUSTOM", name: "turn-restart", value: { turn: 2, messageIds } });
});

test("messages have the same ids for every reader, as far as it reads them from their beginning", async () => {
  const whole = await read(sourceOf(restarted));
  const late = await read(sourceOf(restarted.slice(6)));
  expect(late.client.messages.at(-1)?.id).toBe(whole.client.messages.at(-1)?.id);
});

test("a reader that joins a durable run in the middle gets what was before, and the rest", async () => {
  const refund = tool({
    name: "refund",
    input: { type: "object", properties: {} },
    approval: true,
    execute: () => "refunded",
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { text: "Let me ask.", toolCalls: [{ toolName: "refund" }] }
      : "It is done.",
  );
  const agent = new Agent({ name: "Desk", model, tools: [refund] });
  const app = runs({ agents: [agent], store: sqliteStore(":memory:") });
  const handle = await app.start(agent, "My money!", { here: true });
  const first = await read(handle.events(), { messages: [] });
  expect(first.warnings).toEqual([]);
  const interrupts = first.client.pendingInterrupts;
  expect(interrupts).toHaveLength(1);
  const { messages, pending } = await handle.state();
  const after = (await Array.fromAsync(handle.events())).at(-1)?.index ?? 0;
  await handle.decide(pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" })));
  void app.work();
  const rest = handle.events({ after, until: "end" });
  const second = await read(rest, { runId: "run-2", messages: toAgUiMessages(messages) });
  expect(second.warnings).toEqual([]);
  expect(second.client.messages).toMatchObject([
    { role: "user", content: "My money!" },
    { role: "assistant", content: "Let me ask.", toolCalls: [{ function: { name: "refund" } }] },
    { role: "tool", content: "refunded" },
    { role: "assistant", content: "It is done." },
  ]);
  await app.close();
});

test("a tool that waits for something else leaves the thread free, and its token is not sent", async () => {
  const waits = {
    toolCallId: "c/wait",
    toolName: "context.waitFor",
    arguments: '{"token":"planted-secret"}',
    input: { token: "planted-secret" },
    parentToolCallId: "c",
  };
  const end: SourceEvent = {
    type: "run-end",
    index: 1,
    agent: "A",
    status: "paused",
    result: { ...report, status: "paused", pending: [waits] },
  };
  const { events, client } = await read(sourceOf([turnStart(0), end]));
  expect(client.pendingInterrupts).toEqual([]);
  expect(events.slice(-2)).toMatchObject([
    { type: "CUSTOM", name: "run-status", value: { status: "paused" } },
    { type: "RUN_FINISHED", outcome: { type: "success" } },
  ]);
  expect(JSON.stringify(events)).not.toContain("planted-secret");
});

test("usage is one entry, agents within the run included, and says nothing of models", async () => {
  const within = new Agent({
    name: "B",
    model: new ScriptedModel([{ text: "b", usage: { inputTokens: 10, outputTokens: 1 } }]),
  });
  const model = new ScriptedModel([
    {
      toolCalls: [{ toolName: "b", arguments: { input: "x" } }],
      usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 5 },
    },
    { text: "a", usage: { inputTokens: 1_000, outputTokens: 300 } },
  ]);
  const { events } = await read(stream(new Agent({ name: "A", model, tools: [within.asTool()] }), "Hello"));
  const counts = { inputTokens: 1_110, outputTokens: 321, totalTokens: 1_431, cachedInputTokens: 5 };
  expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", usage: [counts] });
});

test("of warnings, models, masked values and stacks nothing is sent", async () => {
  const masked = tool({
    name: "masked",
    input: { type: "object", properties: {} },
    mask: ["key"],
    execute: () => ({ key: "planted-secret", word: "seen" }),
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "masked" }] }, "Done."], {
    modelId: "planted-secret-model",
  });
  const running = stream(new Agent({ name: "A", model, tools: [masked] }), "Hello", {
    context: { key: "planted-secret" },
    onEvent: () => {
      throw new Error("planted-secret");
    },
  });
  const { events } = await read(running);
  expect((await running.result).warnings.join()).toContain("planted-secret");
  expect(JSON.stringify(events)).not.toContain("planted-secret");
  expect(JSON.stringify(events)).toContain("seen");
});

test.each<[string, object]>([
  ["threadId", { runId: "r" }],
  ["runId", { threadId: "t", runId: "" }],
  ["messages", { ...ids, messages: "x" }],
  ["state", { ...ids, state: {} }],
  ["state of .* returns a promise", { ...ids, state: async () => ({}) }],
  ["shw", { ...ids, shw: {} }],
])("a wrong option %s is refused at once", (name, options) => {
  const never = sourceOf([]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a mistake of a program without types
  const wrong = options as AgUiOptions;
  expect(() => toAgUiEvents(never, wrong)).toThrow(new RegExp(name));
  expect(() => toAgUiResponse(never, wrong)).toThrow(new RegExp(name));
});
