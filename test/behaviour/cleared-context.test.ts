/** What a call sets to `undefined` in the context stays so, whatever keeps the run meanwhile: JSON has no `undefined`. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, result, run, type RunOptions, type RunResult, type Session, tool, type Tool } from "skein";
import { fileSession, memorySession, readSession, sqliteSession } from "skein/sessions";
import { FunctionModel, type ScriptedToolCall } from "skein/testing";
import { describe, expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";
import { effects, empty, plain } from "./test-nested.ts";

interface Caller {
  readonly user: string;
  readonly admin?: boolean | undefined;
}

const context: Caller = { user: "Ada", admin: true };
const temporary = (name: string): string => join(mkdtempSync(join(tmpdir(), "skein-cleared-")), name);

const keepers: readonly (readonly [string, () => () => RunOptions])[] = [
  ["a state", () => () => ({})],
  ["a signed state", () => () => ({ stateSecret: "0123456789abcdef" })],
  ["a journal", () => ((journal) => () => ({ journal }))(memoryJournal())],
  ["a session in memory", () => ((session) => () => ({ session }))(memorySession())],
  ["a session in a file", () => ((path) => () => ({ session: fileSession(path) }))(temporary("s.jsonl"))],
  [
    "a session in a database",
    () => ((path) => () => ({ session: sqliteSession(path, "one") }))(temporary("s.sqlite")),
  ],
];

function does(name: string, more: object = {}): Tool {
  return tool({
    name,
    input: empty,
    ...more,
    execute: () => {
      effects.push(name);
      return name;
    },
  });
}

const leave = tool({
  name: "leave",
  input: empty,
  execute: () => result<Caller>({ value: "no admin any more", context: { admin: undefined } }),
});
const erase = does("erase", { allow: (scope: { context: Caller }) => scope.context.admin === true });
const pay = does("pay", { approval: true });

function answers(...turns: readonly (readonly ScriptedToolCall[])[]): FunctionModel {
  return new FunctionModel(({ messages }) => {
    const toolCalls = turns[messages.filter(({ role }) => role === "assistant").length];
    return toolCalls ? { toolCalls } : "Done.";
  });
}

const named = (...toolNames: readonly string[]): readonly ScriptedToolCall[] =>
  toolNames.map((toolName) => ({ toolName, arguments: { input: "Go." } }));

/** Approves until the run is over; each part gets what is stored of the one before. */
async function completed(agent: Agent, optionsOf: () => RunOptions): Promise<RunResult> {
  let ended = await run(agent, "Go.", { context, ...optionsOf() });
  while (ended.status === "paused") {
    const approvals = ended.pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "approve" as const }],
    );
    const options = optionsOf();
    const input = options.session ? [] : plain(ended.state);
    ended = await run(agent, input, { ...options, approvals });
  }
  return ended;
}

describe.each(keepers)("what a call has cleared, kept by %s", (_, keeper) => {
  test("stays cleared after a pause of its answer", async () => {
    const model = answers(named("leave", "pay"), named("erase"));
    const ended = await completed(new Agent({ name: "Desk", model, tools: [leave, pay, erase] }), keeper());
    expect(ended.context).toEqual({ user: "Ada" });
    expect(effects).toEqual(["pay"]);
  });

  test("stays cleared in an agent that pauses within a run, and after it", async () => {
    const inner = answers(named("leave"), named("pay"), named("erase"));
    const clerk = new Agent({ name: "Clerk", model: inner, tools: [leave, pay, erase] });
    const model = answers(named("clerk"));
    const boss = new Agent({ name: "Boss", model, tools: [clerk.asTool()] });
    expect((await completed(boss, keeper())).status).toBe("completed");
    expect(effects).toEqual(["pay"]);
  });

  test("stays cleared where the call was made by a tool that waits for another one", async () => {
    const both = tool({
      name: "both",
      input: empty,
      async execute(__: object, scope) {
        await scope.call("leave", {});
        return scope.call("pay", {});
      },
    });
    const model = answers(named("both"), named("erase"));
    const ended = await completed(
      new Agent({ name: "Desk", model, tools: [both, leave, pay, erase] }),
      keeper(),
    );
    expect(ended.context).toEqual({ user: "Ada" });
    expect(effects).toEqual(["pay"]);
  });
});

test("what a call has cleared stays so when the process dies in the middle of its answer", async () => {
  const inner = memorySession();
  let isDead = false;
  const session: Session = {
    load: () => inner.load(),
    clear: () => inner.clear(),
    append(entries) {
      if (isDead) throw new Error("dead");
      return inner.append(entries);
    },
  };
  const model = answers(named("leave", "wait"), named("erase"));
  const wait = tool({
    name: "wait",
    input: empty,
    execute: async () => {
      await expect.poll(async () => JSON.stringify(await inner.load())).toContain("no admin any more");
      isDead = true;
      return "waited";
    },
  });
  const agent = new Agent({ name: "Desk", model, tools: [leave, wait, erase] });
  await expect(run(agent, "Go.", { context, session })).rejects.toThrow("dead");
  const { state } = await readSession(inner);
  expect(state?.context).toEqual({ user: "Ada", admin: true });
  const ended = await run(agent, [], { session: inner });
  expect(ended.context).toEqual({ user: "Ada" });
  expect(effects).toEqual([]);
});

test("what a call has cleared stays so when a journal is repeated", async () => {
  const model = answers(named("leave", "note"), named("erase"));
  const agent = new Agent({ name: "Desk", model, tools: [leave, does("note"), erase] });
  const options = { context, journal: memoryJournal(), runId: "one" };
  const first = await run(agent, "Go.", options);
  const repeated = await run(agent, "Go.", options);
  expect([first.context, repeated.context]).toEqual([{ user: "Ada" }, { user: "Ada" }]);
  expect(effects).toEqual(["note"]);
});

test("what a call clears after another has set it is cleared", async () => {
  const enter = tool({
    name: "enter",
    input: empty,
    execute: () => result<Caller>({ value: "an admin", context: { admin: true } }),
  });
  const model = answers(named("enter", "leave", "pay"));
  const agent = new Agent({ name: "Desk", model, tools: [enter, leave, pay] });
  const paused = await run(agent, "Go.", { context: { user: "Ada" } });
  expect(plain(paused.state).changes).toMatchObject([
    { context: { admin: true } },
    { context: {}, cleared: ["admin"] },
  ]);
  const [waiting] = paused.pending;
  const approvals = [{ approvalId: waiting?.approvalId ?? "", decision: "approve" as const }];
  const ended = await run(agent, plain(paused.state), { approvals });
  expect(JSON.stringify(ended.context)).toBe('{"user":"Ada"}');
});

test.each<[string, unknown]>([
  ["a bigint", 5n],
  ["not a number", Number.NaN],
  ["a map", new Map()],
  ["a function", () => 1],
])("what a call sets to %s is gone after a pause, and not what it was before", async (_, admin) => {
  const change = tool({ name: "change", input: empty, execute: () => result({ context: { admin } }) });
  const model = answers(named("change", "pay"), named("erase"));
  const ended = await completed(new Agent({ name: "Desk", model, tools: [change, pay, erase] }), () => ({}));
  expect(ended.context).toEqual({ user: "Ada" });
  expect(effects).toEqual(["pay"]);
});
