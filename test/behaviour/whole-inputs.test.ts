/** What a person or a program is given of a call is all of it: what cannot be shown whole is not put before them. */
import { Agent, run, tool, type JsonValue, type RunOptions, type RunResult, type Tool } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel, ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { decide, stored } from "./test-clerk.ts";

let paid: unknown[] = [];
beforeEach(() => {
  paid = [];
});

const long = "x".repeat(1_050_000);
const anything = { type: "object", properties: { note: {}, to: { type: "string" } } } as const;

/** A tool that pays once that is approved. */
function paying(input?: z.ZodType<{ to: string }>): Tool {
  const execute = ({ to }: { to: string }): string => `paid ${paid.push(to)}`;
  const options = { name: "pay", approval: true, execute };
  return input ? tool({ ...options, input }) : tool({ ...options, input: anything });
}

/** The same, executed by the program. */
const form = tool({ name: "pay", input: anything });

const readPage = tool({ name: "readPage", input: {}, execute: () => "y".repeat(1_048_576) });

/** An agent whose model makes the calls in one answer, and then ends. */
function clerk(tools: readonly Tool[], ...toolCalls: ScriptedToolCall[]): Agent {
  return new Agent({ name: "Clerk", model: new ScriptedModel([{ toolCalls }, "Done."]), tools });
}

function deep(levels: number): JsonValue {
  return levels === 0 ? "the end" : [deep(levels - 1)];
}

const outcomesOf = ({ messages }: Pick<RunResult, "messages">): unknown[] =>
  messages.flatMap((each) => (each.role === "tool" ? [each.result.outcome] : []));

const large: [string, ScriptedToolCall[]][] = [
  ["with a long argument", [{ toolName: "pay", arguments: { note: long, to: "Eve" } }]],
  ["with a deep argument", [{ toolName: "pay", arguments: { note: deep(120), to: "Eve" } }]],
  [
    "that refers to a long result",
    [{ toolName: "readPage" }, { toolName: "pay", arguments: { note: { $result: "readPage" }, to: "Eve" } }],
  ],
];

const keepers: [string, () => RunOptions][] = [
  ["a state", () => ({})],
  ["a signed state", () => ({ stateSecret: "0123456789abcdef" })],
  ["a session", () => ({ session: memorySession() })],
];

test.each(
  large.flatMap(([title, calls]) =>
    keepers.map(([keeper, options]) => [title, keeper, calls, options] as const),
  ),
)(
  "a call %s is not put before a person: the model learns why, with %s",
  async (_title, _keeper, calls, optionsOf) => {
    const requests: unknown[] = [];
    const ended = await run(clerk([paying(), readPage], ...calls), "Pay", {
      ...optionsOf(),
      onEvent: (event) => {
        if (event.type === "approval-request") requests.push(event);
      },
    });
    expect([ended.status, ended.pending, requests, paid]).toEqual(["completed", [], [], []]);
    expect(outcomesOf(ended).at(-1)).toBe("invalid-arguments");
    expect(JSON.stringify(ended.messages.at(-2))).toContain(
      "pay was not called: its arguments, with the results that they refer to, are too long or nested too deep to be shown to a person.",
    );
  },
);

test.each(large)(
  "a call %s of a tool without `execute` is not left to the program",
  async (_title, calls) => {
    const ended = await run(clerk([form, readPage], ...calls), "Pay");
    expect([ended.status, ended.pending, outcomesOf(ended).at(-1)]).toEqual([
      "completed",
      [],
      "invalid-arguments",
    ]);
  },
);

test.each([
  ["needs approval", paying()],
  ["has its result from elsewhere", form],
])("a tool that makes such a call, which %s, gets an error", async (_title, pay) => {
  const batch = tool({
    name: "batch",
    input: {},
    execute: (_input, { call }) => call("pay", { note: long, to: "Eve" }).catch(String),
  });
  const ended = await run(clerk([batch, pay], { toolName: "batch" }), "Pay");
  expect([ended.status, paid]).toEqual(["completed", []]);
  expect(JSON.stringify(ended.messages)).toContain("too long or nested too deep");
});

test("a person who approves sees all of an input that is as long and as deep as can be", async () => {
  const note = ["z".repeat(1_000_000), deep(97)];
  const session = memorySession();
  let event: unknown;
  const agent = clerk([paying()], { toolName: "pay", arguments: { note, to: "Ada" } });
  const paused = await run(agent, "Pay", {
    session,
    onEvent: (each) => {
      if (each.type === "approval-request") event = JSON.parse(JSON.stringify(each));
    },
  });
  const shown = { input: { note, to: "Ada" } };
  expect(paused.pending).toMatchObject([shown]);
  expect(event).toMatchObject(shown);
  expect((await readSession(session)).state?.pending).toMatchObject([shown]);
  await run(agent, [], { session, ...decide(paused) });
  expect(paid).toEqual(["Ada"]);
});

test("an input that JSON has another form for is shown in that", async () => {
  const input = z.object({ to: z.string(), at: z.string().transform((text) => new Date(text)) });
  const at = "2030-01-01T00:00:00.000Z";
  const agent = clerk([paying(input)], { toolName: "pay", arguments: { to: "Ada", at } });
  const paused = await run(agent, "Pay");
  expect(paused.pending).toMatchObject([{ input: { to: "Ada", at } }]);
});

test("calls of which a new version of the tool makes more than can be shown are refused, decided or not", async () => {
  const version = (note: z.ZodType): Agent => {
    const input = z.object({ to: z.string(), note });
    const pay = (to: string): ScriptedToolCall => ({ toolName: "pay", arguments: { to, note: "short" } });
    const model = new FunctionModel(({ messages }) =>
      messages.length > 1 ? "Done." : { toolCalls: [pay("Ada"), pay("Eve")] },
    );
    return new Agent({ name: "Clerk", model, tools: [paying(input)] });
  };
  const paused = await run(version(z.string()), "Pay");
  const [first] = decide(paused).approvals ?? [];
  const next = version(z.string().transform(() => long));
  const ends: string[] = [];
  const ended = await run(next, stored(paused.state), {
    approvals: first ? [first] : [],
    onEvent: (event) => {
      if (event.type === "tool-end") ends.push(event.result.toolCallId);
    },
  });
  expect([ended.status, paid, outcomesOf(ended).length, ends.length]).toEqual(["completed", [], 2, 2]);
});

test("a call that needs no approval is executed with all of its arguments, also after a pause within it", async () => {
  const seen: unknown[] = [];
  const outer = tool({
    name: "outer",
    input: anything,
    approval: () => false,
    execute: ({ note }, { call }) => {
      seen.push(note);
      return call("pay", { note: "short", to: "Ada" });
    },
  });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "outer", arguments: { note: long } }] },
    "Done.",
  ]);
  const agent = new Agent({ name: "Clerk", model, tools: [outer, paying()] });
  const paused = await run(agent, "Pay");
  expect(paused.pending).toMatchObject([{ toolName: "pay", input: { to: "Ada" } }]);
  const ended = await run(agent, stored(paused.state), decide(paused));
  expect([ended.status, paid, seen.map((note) => note === long)]).toEqual([
    "completed",
    ["Ada"],
    [true, true],
  ]);
});
