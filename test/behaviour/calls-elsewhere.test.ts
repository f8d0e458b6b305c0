/** Calls of tools without `execute` are checked like all others: the program gets the input that the tool would get. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  Agent,
  type JsonObject,
  type RunEvent,
  type RunOptions,
  type RunResult,
  type RunState,
  type Session,
  run,
  tool,
  type ToolResult,
} from "skein";
import { fileSession, memorySession, readSession, sqliteSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { memoryJournal } from "./test-journal.ts";

interface Call {
  readonly toolName: string;
  readonly arguments?: JsonObject | string;
}

const orders: string[] = [];
const anything = { type: "object", properties: { x: {} } } as const;
const pickSize = tool({ name: "pickSize", description: "Ask the user.", input: anything });
const show = tool({
  name: "show",
  description: "Show an order.",
  input: z.object({ id: z.number(), size: z.string().default("M") }),
});
const find = tool({ name: "find", input: anything, execute: () => ({ id: 7 }) });
const order = tool({
  name: "order",
  input: anything,
  execute: ({ x }: { x?: unknown }) => void orders.push(JSON.stringify(x)),
});
const tools = [pickSize, show, find, order];

/** Makes calls for the first message, and then answers. */
function agentCalling(...calls: readonly Call[]): Agent {
  const toolCalls = calls.map((call, index) => ({ toolCallId: `c${index + 1}`, ...call }));
  const model = new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "assistant") ? "Done." : { toolCalls },
  );
  return new Agent({ name: "A", model, tools });
}

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

function results({ state }: Pick<RunResult, "state">): readonly ToolResult[] {
  return state.messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
}

function outcomes(result: Pick<RunResult, "state">): readonly string[] {
  return results(result).map(({ toolName, outcome }) => `${toolName} ${outcome}`);
}

const keepers: readonly (readonly [string, () => RunOptions])[] = [
  ["a state", () => ({})],
  ["a signed state", () => ({ stateSecret: "s" })],
  ["a session", () => ({ session: memorySession() })],
  ["a journal", () => ({ journal: memoryJournal() })],
];

/** The input that goes on with what a run has kept. */
function kept(options: RunOptions, { state }: RunResult): [] | RunState {
  return options.session ? [] : plain(state);
}

test.each(keepers)(
  "a call that refers to the result of one made elsewhere waits for it, with %s",
  async (_title, optionsOf) => {
    orders.length = 0;
    const options = optionsOf();
    const agent = agentCalling(
      { toolName: "pickSize" },
      { toolName: "order", arguments: { x: { $result: "c1" } } },
      { toolName: "order", arguments: { x: { $result: "c2" } } },
    );
    const paused = await run(agent, "A coffee", options);
    expect([paused.status, outcomes(paused), orders]).toEqual(["paused", [], []]);
    const again = await run(agent, kept(options, paused), options);
    expect([again.status, outcomes(again), orders]).toEqual(["paused", [], []]);
    const done = await run(agent, kept(options, again), {
      ...options,
      results: [{ toolCallId: "c1", content: "large" }],
    });
    expect(outcomes(done)).toEqual(["pickSize success", "order success", "order success"]);
    expect(orders[0]).toBe('"large"');
  },
);

test.each(keepers)(
  "a call made elsewhere has its input with defaults and results of others, with %s",
  async (_title, optionsOf) => {
    const options = optionsOf();
    const agent = agentCalling(
      { toolName: "find" },
      { toolName: "show", arguments: { id: { $result: "c1/id" } } },
      { toolName: "show", arguments: '{"id":"8","size":"L"}' },
    );
    const paused = await run(agent, "Show it", options);
    expect(paused.pending).toEqual([
      {
        toolCallId: "c2",
        toolName: "show",
        arguments: '{"id":{"$result":"c1/id"}}',
        input: { id: 7, size: "M" },
      },
      { toolCallId: "c3", toolName: "show", arguments: '{"id":"8","size":"L"}', input: { id: 8, size: "L" } },
    ]);
    const [second] = paused.pending.slice(1);
    const half = await run(agent, kept(options, paused), {
      ...options,
      results: [{ toolCallId: second?.toolCallId ?? "", content: "shown" }],
    });
    expect(half.pending).toEqual([paused.pending[0]]);
    const done = await run(agent, kept(options, half), {
      ...options,
      results: [{ toolCallId: "c2", content: "shown" }],
    });
    expect(done).toMatchObject({ status: "completed", warnings: [] });
  },
);

test("wrong arguments of a call made elsewhere go back to the model, and not to the program", async () => {
  const answers: readonly (string | { toolCalls: readonly Call[] })[] = [
    {
      toolCalls: [
        { toolName: "show", arguments: "{ broken" },
        { toolName: "show", arguments: { id: "seven" } },
      ],
    },
    { toolCalls: [{ toolName: "show", arguments: { id: 7 } }] },
  ];
  let turn = 0;
  const model = new FunctionModel(() => plain(answers[turn++] ?? "Done."));
  const events: RunEvent[] = [];
  const agent = new Agent({ name: "A", model, tools });
  const paused = await run(agent, "Show it", { onEvent: (event) => events.push(event) });
  expect(outcomes(paused)).toEqual(["show invalid-arguments", "show invalid-arguments"]);
  expect(results(paused)[1]?.content[0]).toMatchObject({
    text: expect.stringContaining("show was not called, because its arguments are invalid:\n- $.id"),
  });
  expect(paused.pending).toMatchObject([{ toolName: "show", input: { id: 7, size: "M" } }]);
  expect(paused.stats).toMatchObject({ tools: { show: { calls: 2, errors: { "invalid-arguments": 2 } } } });
  const ofCalls = events.filter(({ type }) => type === "tool-start" || type === "tool-end");
  expect(ofCalls).toHaveLength(4);
});

test("a model that goes on with wrong arguments for a call made elsewhere ends the run", async () => {
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "show", arguments: { id: "seven" } }] }));
  const ended = await run(new Agent({ name: "A", model, tools }), "Show it", { maxCorrections: 2 });
  expect([ended.status, ended.turns, ended.pending]).toEqual(["corrections", 2, []]);
});

test("an agent within a run has the arguments of its calls made elsewhere checked", async () => {
  const answers = [{ id: "seven" }, { id: 7 }];
  let turn = 0;
  const clerk = new Agent({
    name: "Clerk",
    model: new FunctionModel(() => {
      const args = answers[turn++];
      return args ? { toolCalls: [{ toolName: "show", arguments: args }] } : "Shown.";
    }),
    tools,
  });
  const model = new FunctionModel(({ messages }) =>
    messages.length > 1 ? "Done." : { toolCalls: [{ toolName: "clerk", arguments: { input: "Go." } }] },
  );
  const desk = new Agent({ name: "Desk", model, tools: [clerk.asTool()] });
  const paused = await run(desk, "Show it", { stateSecret: "s" });
  expect(paused.pending).toMatchObject([{ agent: "Clerk", toolName: "show", input: { id: 7, size: "M" } }]);
  const done = await run(desk, plain(paused.state), {
    stateSecret: "s",
    results: paused.pending.map(({ toolCallId }) => ({ toolCallId, content: "shown" })),
  });
  expect([done.status, turn]).toEqual(["completed", 3]);
});

test("a tool that calls one made elsewhere has the arguments of that call checked", async () => {
  const sizes: unknown[] = [];
  const outer = tool({
    name: "outer",
    input: anything,
    execute: async (_: object, { call }) => {
      const wrong = await call("show", { id: "seven" }).catch((error: unknown) => String(error));
      sizes.push(wrong, await call("show", { id: 7 }));
      return "done";
    },
  });
  const agent = agentCalling({ toolName: "outer" }).with({ tools: [outer, show] });
  const paused = await run(agent, "Show it");
  expect(paused.pending).toMatchObject([{ toolName: "show", input: { id: 7, size: "M" } }]);
  const done = await run(agent, plain(paused.state), {
    results: paused.pending.map(({ toolCallId }) => ({ toolCallId, content: "shown" })),
  });
  expect(done.status).toBe("completed");
  expect(sizes).toEqual([expect.stringContaining("its arguments are invalid"), "shown"]);
});

test("with executeTools: false, calls are returned as the model wrote them", async () => {
  const agent = agentCalling({ toolName: "show", arguments: { id: "seven" } });
  const paused = await run(agent, "Show it", { executeTools: false });
  expect(paused.pending).toEqual([{ toolCallId: "c1", toolName: "show", arguments: '{"id":"seven"}' }]);
});

test.each<[string, (directory: string) => Session]>([
  ["memory", () => memorySession()],
  ["a file", (directory) => fileSession(`${directory}/chat.jsonl`)],
  ["SQLite", (directory) => sqliteSession(`${directory}/chat.db`, "chat")],
])("a session in %s has the inputs of the calls that wait, as the result of the run", async (_, open) => {
  const directory = await mkdtemp(join(tmpdir(), "skein-elsewhere-"));
  try {
    const bill = tool({ name: "bill", input: anything, approval: true, execute: () => "billed" });
    const outer = tool({
      name: "outer",
      input: anything,
      execute: (_: object, { call }) => call("show", { id: 8 }),
    });
    const agent = agentCalling(
      { toolName: "show", arguments: { id: 7 } },
      { toolName: "bill", arguments: { x: 1 } },
      { toolName: "outer" },
      { toolName: "order", arguments: { x: { $result: "c1" } } },
    ).with({ tools: [...tools, bill, outer] });
    const session = open(directory);
    const paused = await run(agent, "Show it", { session });
    const { state } = await readSession(session);
    expect(state?.pending).toEqual(paused.state.pending);
    expect(state?.pending.map(({ input }) => input)).toEqual([
      { id: 7, size: "M" },
      { x: 1 },
      { id: 8, size: "M" },
      undefined,
    ]);
    const results = paused.pending.flatMap(({ toolCallId, approvalId, input }) =>
      approvalId === undefined && input !== undefined ? [{ toolCallId, content: "shown" }] : [],
    );
    const approvals = paused.pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "approve" as const }],
    );
    expect((await run(agent, [], { session, results, approvals })).status).toBe("completed");
    expect((await readSession(session)).state?.pending).toEqual([]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
