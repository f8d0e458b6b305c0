/** What a tool has done stays done, whatever else it asks for: each call under a key of its own, and once. */
import { describe, expect, test } from "vitest";
import { Agent, executeToolCalls, result, run, type SkeinError, type ToolContext, tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel, type ScriptedToolCall } from "skein/testing";

const input = { type: "object", properties: {} } as const;

function call(toolName: string, toolCallId = "call_0"): ScriptedToolCall {
  return { toolName, toolCallId, arguments: {} };
}

function charges() {
  const keys: string[] = [];
  const charge = tool({
    name: "charge",
    input,
    execute: (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      return "charged";
    },
  });
  return { keys, charge };
}

describe("every call of a run has an idempotency key of its own", () => {
  test("from a server that numbers the calls of each answer from 0, with compaction", async () => {
    const { keys, charge } = charges();
    const answer = {
      toolCalls: [call("charge", "call_0"), call("charge", "call_1")],
      text: "x".repeat(4_000),
    };
    let turns = 0;
    const model = new FunctionModel(() => (turns++ < 4 ? answer : "done"));
    await run(new Agent({ name: "A", model, tools: [charge] }), "go", { compaction: { maxTokens: 2_000 } });
    expect(keys).toHaveLength(8);
    expect(new Set(keys).size).toBe(8);
  });

  test("where executeToolCalls gets calls of one id, whose results keep it", async () => {
    const { keys, charge } = charges();
    const calls = ["call_0", "call_0", "", ""].map((toolCallId) => ({
      toolCallId,
      toolName: "charge",
      arguments: "{}",
    }));
    const results = await executeToolCalls(calls, [charge]);
    expect(new Set(keys).size).toBe(4);
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(["call_0", "call_0", "", ""]);
  });

  test("where a model gives its call the id of a call within another one", async () => {
    const { keys, charge } = charges();
    const outer = tool({
      name: "outer",
      input,
      execute: (_, context: ToolContext) => context.call("charge", {}),
    });
    const ids = ["x/charge/1", "x%2Fcharge%2F1", "x/tool/x%2Fcharge%2F1"];
    const toolCalls = [call("outer", "x"), ...ids.map((id) => call("charge", id))];
    const model = new ScriptedModel([{ toolCalls }, "done"]);
    await run(new Agent({ name: "A", model, tools: [outer, charge] }), "go");
    expect(new Set(keys).size).toBe(4);
  });

  test("that a header can carry, whatever the model calls its calls", async () => {
    const { keys, charge } = charges();
    const ids = ["é", "\r\nX-Evil: 1", "a b", "\u0000", "%u00e9", "\ud800", "\ud801"];
    const model = new ScriptedModel([{ toolCalls: ids.map((id) => call("charge", id)) }, "done"]);
    await run(new Agent({ name: "Ä", model, tools: [charge] }), "go");
    for (const key of keys) expect(key).toMatch(/^[!-~]+$/);
    expect(new Set(keys).size).toBe(ids.length);
  });

  test("that is the same when the call is resumed", async () => {
    const { keys, charge } = charges();
    const guarded = tool({
      name: "guarded",
      input,
      approval: true,
      execute: (_, c) => void keys.push(c.idempotencyKey),
    });
    const answers = ["1", "2"].map(() => ({ toolCalls: [call("guarded")] }));
    const agent = new Agent({
      name: "A",
      model: new ScriptedModel([{ toolCalls: [call("charge")] }, ...answers, "done"]),
      tools: [charge, guarded],
    });
    const paused = await run(agent, "go");
    const approvals = paused.pending.map(
      ({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const,
    );
    const state = JSON.parse(JSON.stringify(paused.state));
    for (const _ of [1, 2]) await run(agent, state, { approvals, maxTurns: 0 });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(2);
  });
});

class Handle {
  readonly field = 1;
}

function circular(): object {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}

function nested(levels: number): object {
  let value = {};
  for (let level = 0; level < levels; level++) value = { value };
  return value;
}

/** What cannot be part of a stored context, or of no context at all. */
const strange: Readonly<Record<string, () => unknown>> = {
  "a bigint": () => ({ context: { n: 10n } }),
  "a getter that throws": () => ({
    context: {
      get n() {
        throw new Error("no");
      },
    },
  }),
  "a proxy that throws": () => ({
    context: new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    ),
  }),
  "an object that contains itself": () => ({ context: circular() }),
  "100,000 levels": () => ({ context: nested(100_000) }),
  "an instance": () => ({ context: new Handle() }),
  "an instance within": () => ({ context: { handle: new Handle() } }),
  "a text": () => ({ context: "text" }),
  "a function": () => ({ context: { f: () => 1 } }),
  "a symbol": () => ({ context: { s: Symbol("s") } }),
  "an agent that looks like one": () => ({ agent: { name: "Nobody" } }),
  "the name of an agent": () => ({ agent: "Nobody" }),
  "an agent that is not in the team": () => ({
    agent: new Agent({ name: "Nobody", model: new ScriptedModel(["done"]) }),
  }),
};

describe("a result stands where what the tool asked for besides cannot be", () => {
  test.each(Object.entries(strange))("%s", async (_, fields) => {
    let times = 0;
    const pay = tool({
      name: "pay",
      input,
      execute: () => {
        times++;
        return result({ value: "paid", ...Object(fields()) });
      },
    });
    const session = memorySession();
    const agent = new Agent({
      name: "A",
      model: new ScriptedModel([{ toolCalls: [call("pay")] }, "done", "again"]),
      tools: [pay],
    });
    const first = await run(agent, "go", { session });
    expect(first.status).toBe("completed");
    const paid = first.messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
    expect(paid).toMatchObject(
      [{ outcome: "success", content: [{ type: "text", text: "paid" }] }].map((each) => ({
        ...each,
        content: expect.arrayContaining(each.content),
      })),
    );
    expect(first.warnings).not.toEqual([]);
    expect(() => JSON.stringify(first.state)).not.toThrow();
    await run(agent, "and now?", { session });
    expect(times).toBe(1);
  });

  test("with a journal that writes JSON, which is not asked to write what it cannot", async () => {
    const texts = new Map<string, string>();
    const journal = {
      async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
        if (!texts.has(key)) texts.set(key, JSON.stringify(await perform()));
        return JSON.parse(texts.get(key) ?? "");
      },
    };
    const pay = tool({
      name: "pay",
      input,
      execute: () => result({ value: "paid", context: { n: 10n, m: 1 } }),
    });
    const model = new ScriptedModel([{ toolCalls: [call("pay")] }, "done"]);
    const { status, warnings, context } = await run<unknown>(
      new Agent({ name: "A", model, tools: [pay] }),
      "go",
      { journal },
    );
    expect([status, context]).toEqual(["completed", { n: 10n, m: 1 }]);
    expect(warnings).toEqual(["context.n is a bigint and is not stored. Give it again with each run."]);
  });

  test("and what a run has done before it fails is in its session", async () => {
    let times = 0;
    const pay = tool({ name: "pay", input, execute: () => `paid ${++times}` });
    const fails = (): never => {
      throw new Error("the model is gone");
    };
    const session = memorySession();
    const agent = new Agent({
      name: "A",
      model: new ScriptedModel([{ toolCalls: [call("pay")] }, fails, "done"]),
      tools: [pay],
    });
    const failed = await run(agent, "go", { session }).catch((error: SkeinError) => error);
    expect(failed).toMatchObject({ code: "model-failed" });
    const resumed = await run(agent, [], { session });
    expect([resumed.text, times]).toEqual(["done", 1]);
  });
});

describe("what is stored of a context", () => {
  class Database {
    #password = "SECRET-PRIVATE";
    readonly url = "postgres://user:SECRET-FIELD@host";
    query(): string {
      return this.#password.length > 0 ? "rows" : "";
    }
  }
  const context = { db: new Database(), user: { id: 7, since: new Date(0) }, list: [1, new Database(), 3] };
  const warnings = [
    "context.db is a Database and is not stored. Give it again with each run.",
    "context.list[1] is a Database and is not stored. Give it again with each run.",
  ];
  const query = tool<object, typeof context>({
    name: "query",
    input,
    execute: (_, { context: { db } }) =>
      result({ value: db.query(), context: { user: { id: 8, since: new Date(0) } } }),
  });
  const agent = () =>
    new Agent<typeof context>({
      name: "A",
      model: new ScriptedModel([{ toolCalls: [call("query")] }, "done"]),
      tools: [query],
    });

  test("in a session: data, and a warning once for each handle", async () => {
    const session = memorySession();
    const first = await run(agent(), "go", { context, session });
    expect(first.warnings).toEqual(warnings);
    expect(first.context.db.query()).toBe("rows");
    const { entries } = await session.load();
    expect(JSON.stringify(entries)).not.toContain("SECRET");
    const second = await run(agent(), "go", { context: { db: context.db } as typeof context, session });
    expect(second.status).toBe("completed");
    expect(second.context.user).toEqual({ id: 8, since: new Date(0) });
  });

  test("in a state: data alone", async () => {
    const { state, context: reached } = await run(agent(), "go", { context });
    expect(JSON.parse(JSON.stringify(state)).context).toEqual({
      user: { id: 8, since: "1970-01-01T00:00:00.000Z" },
      list: [1, null, 3],
    });
    expect(reached.db).toBe(context.db);
    expect(state.context.db).toBe(context.db);
  });

  test("of a run that pauses: the warning comes with the pause", async () => {
    const ask = tool({ name: "ask", input, approval: true, execute: () => "ok" });
    const model = new ScriptedModel([{ toolCalls: [call("ask")] }, "done"]);
    const paused = await run(new Agent({ name: "A", model, tools: [ask] }), "go", { context });
    expect(paused.warnings).toEqual(warnings);
  });

  test("a context that cannot be copied is refused where it is passed", async () => {
    const deep = nested(100_000);
    await expect(run(agent(), "go", { context: deep as typeof context })).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(
        "options.context cannot be copied: it is nested deeper than 1000 levels",
      ),
    });
  });
});
