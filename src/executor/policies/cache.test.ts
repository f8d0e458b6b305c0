import { afterEach, expect, test, vi } from "vitest";
import {
  Agent,
  executeToolCalls,
  invalidate,
  result,
  run,
  tool,
  type RunEvent,
  type Tool,
  type ToolContext,
} from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { countingTool, HeldWork, inTurn, workCalls, workTool, type WorkInput } from "./test-calls.ts";

afterEach(() => {
  vi.useRealTimers();
});

const shared = { cache: { scope: "shared" } } as const;

/** Runs an agent whose model makes one call after the other. */
function runCalls(work: Tool<WorkInput>, calls: readonly ScriptedToolCall[]) {
  const model = new ScriptedModel([...calls.map((call) => ({ toolCalls: [call] })), "done"]);
  return { model, agent: new Agent({ name: "A", model, tools: [work] }) };
}

const call = (args: Record<string, string>): ScriptedToolCall => ({ toolName: "work", arguments: args });

test("equal calls of a run are made once; the order of their arguments makes no difference", async () => {
  const { tool: work, count } = countingTool({ cache: true });
  const { agent } = runCalls(work, [
    call({ id: "a", group: "g" }),
    call({ group: "g", id: "a" }),
    call({ id: "b", group: "g" }),
  ]);
  const events: RunEvent[] = [];
  const { messages, stats } = await run(agent, "go", { onEvent: (event) => events.push(event) });
  expect(count()).toBe(2);
  expect(stats).toMatchObject({ toolCalls: 3, cacheHits: 1 });
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  expect(results.map(({ toolCallId, structuredContent }) => [toolCallId, structuredContent])).toEqual([
    ["call_1", { calls: 1 }],
    ["call_2", { calls: 1 }],
    ["call_3", { calls: 2 }],
  ]);
  const ends = events.filter((event) => event.type === "tool-end");
  expect(ends.map(({ cached }) => cached)).toEqual([undefined, true, undefined]);
  expect(ends[1]?.result).toEqual({ ...ends[0]?.result, toolCallId: "call_2" });
});

test("a run remembers nothing of another, unless results are shared", async () => {
  const own = countingTool({ cache: true });
  await inTurn(own.tool, "a", "a");
  expect(own.count()).toBe(2);
  const common = countingTool(shared);
  await inTurn(common.tool, "a", "a");
  await run(runCalls(common.tool, [call({ id: "a" })]).agent, "go");
  expect(common.count()).toBe(1);
});

test("two tools with one policy object do not answer for each other", async () => {
  const { policy } = workTool(() => "", shared);
  const [first, second] = ["first", "second"].map((name): Tool => ({
    ...tool({ name, input: { type: "object" }, execute: () => name }),
    policy,
  }));
  const results = [];
  for (const made of [first, second]) {
    if (!made) throw new Error("no tool was made");
    results.push(
      ...(await executeToolCalls([{ toolCallId: "1", toolName: made.name, arguments: "{}" }], [made])),
    );
  }
  expect(results.map(({ content }) => content[0])).toMatchObject([{ text: "first" }, { text: "second" }]);
});

test("what a program does to a result does not change what the next one gets", async () => {
  const { tool: work } = countingTool(shared);
  for (const _ of [1, 2, 3]) {
    const [only] = await inTurn(work, "a");
    expect(only?.structuredContent).toEqual({ calls: 1 });
    Reflect.set(Object(only?.structuredContent), "calls", 99);
    Reflect.set(Object(only?.content[0]), "text", "changed");
  }
});

test("a result is good for its ttl", async () => {
  vi.useFakeTimers();
  const { tool: work, count } = countingTool({ cache: { ttl: 1_000, scope: "shared" } });
  await inTurn(work, "a");
  vi.advanceTimersByTime(999);
  await inTurn(work, "a");
  expect(count()).toBe(1);
  vi.advanceTimersByTime(1);
  await inTurn(work, "a");
  expect(count()).toBe(2);
});

test("there are at most `maxEntries` results, and the one not used for longest goes first", async () => {
  const { tool: work, count } = countingTool({ cache: { maxEntries: 2, scope: "shared" } });
  await inTurn(work, "a", "b", "a", "c", "a");
  expect(count()).toBe(3);
  await inTurn(work, "b");
  expect(count()).toBe(4);
});

test("results are limited in total characters", async () => {
  let calls = 0;
  const work = workTool(({ id }) => `${++calls}${id.repeat(500)}`, {
    cache: { maxChars: 1_000, scope: "shared" },
  });
  await inTurn(work, "a", "b", "b", "a");
  expect(calls).toBe(3);
  await inTurn(work, "long".repeat(1_000), "long".repeat(1_000));
  expect(calls).toBe(5);
  await inTurn(work, "a");
  expect(calls).toBe(5);
});

test("arguments count among the characters, also where a short key stands for them", async () => {
  let calls = 0;
  const work = workTool(() => `${++calls}`, { cache: { maxChars: 1_000, scope: "shared", key: () => "k" } });
  await inTurn(work, "short", "short");
  expect(calls).toBe(1);
  await invalidate(work);
  await inTurn(work, "long".repeat(1_000), "long".repeat(1_000));
  expect(calls).toBe(3);
});

test("the key itself counts among the characters", async () => {
  const key = ({ id }: WorkInput): string => id.repeat(500);
  const { tool: work, count } = countingTool({ cache: { maxChars: 1_000, scope: "shared", key } });
  await inTurn(work, "a", "a", "abc", "abc");
  expect(count()).toBe(3);
});

test("a key of the program's own decides what is equal, by arguments, context and agent", async () => {
  interface Session {
    readonly user: string;
  }
  let calls = 0;
  const work = tool<WorkInput, Session>({
    name: "work",
    input: { type: "object" },
    execute: (_, { context }: ToolContext<Session>) => `${context.user} ${++calls}`,
    cache: { scope: "shared", key: ({ id }, { context, agent }) => `${context.user} ${id} ${agent?.name}` },
  });
  const texts = [];
  for (const user of ["ada", "bob", "ada"]) {
    const model = new ScriptedModel([{ toolCalls: [call({ id: "1", group: user + texts.length })] }, "done"]);
    const agent = new Agent<Session>({ name: "A", model, tools: [work] });
    const { messages } = await run(agent, "go", { context: { user } });
    const told = messages.find((message) => message.role === "tool");
    texts.push(told?.result.content[0]);
  }
  expect(texts).toMatchObject([{ text: "ada 1" }, { text: "bob 2" }, { text: "ada 1" }]);
});

test("errors and timeouts are not remembered", async () => {
  let calls = 0;
  const work = workTool(
    () => {
      calls++;
      if (calls === 1) throw new Error("broken");
      if (calls === 2) return result({ value: "no", isError: true });
      return calls === 3 ? new Promise(() => {}) : "fine";
    },
    { ...shared, timeout: 5 },
  );
  expect((await inTurn(work, "a", "a", "a", "a", "a")).map(({ outcome }) => outcome)).toEqual([
    "error",
    "error",
    "timeout",
    "success",
    "success",
  ]);
  expect(calls).toBe(4);
});

const other = new Agent({ name: "Other" });

test.each([
  ["hands off", () => other],
  ["changes the context", () => result({ value: "ok", context: { seen: true } })],
  ["ends the run", () => result({ value: "ok", final: true })],
])("a call that %s is made each time", async (_, execute) => {
  let calls = 0;
  const work = workTool(() => {
    calls++;
    return execute();
  }, shared);
  await inTurn(work, "a", "a");
  // Nor do those share it that came while it was under way.
  await executeToolCalls(workCalls("a", "a", "a"), [work]);
  expect(calls).toBe(5);
});

test("equal calls that are under way are made once, and each gets a result of its own", async () => {
  const held = new HeldWork();
  const results = executeToolCalls(workCalls("a", "a", "a", "b"), [workTool(held.execute, { cache: true })]);
  await held.at(1);
  for (const { id, end } of held.begun) end({ id });
  const settled = await results;
  expect(held.ids).toEqual(["a", "b"]);
  expect(settled.map(({ toolCallId }) => toolCallId)).toEqual(["call_1", "call_2", "call_3", "call_4"]);
  expect(settled.map(({ structuredContent }) => structuredContent)).toEqual(
    ["a", "a", "a", "b"].map((id) => ({ id })),
  );
  expect(settled[0]?.structuredContent).not.toBe(settled[1]?.structuredContent);
});

test("of equal calls that wait for one which only its own caller may use, all run side by side", async () => {
  const held = new HeldWork();
  const results = executeToolCalls(workCalls("a", "a", "a"), [workTool(held.execute, { cache: true })]);
  (await held.at(0)).end(result({ value: "ok", context: {} }));
  (await held.at(2)).end("ok");
  (await held.at(1)).end("ok");
  await results;
  expect(held.most).toBe(2);
});

test("a result that is not JSON is not remembered, with a warning, and each call gets its own", async () => {
  const data = { count: 1n };
  let calls = 0;
  const work = workTool(() => {
    calls++;
    return result({
      content: [{ type: "text", text: "ok", providerData: { provider: "p", data } as never }],
    });
  }, shared);
  const warnings: string[] = [];
  const options = { onWarning: (warning: string) => void warnings.push(warning) };
  const results = await executeToolCalls(workCalls("a", "a", "a"), [work], options);
  expect(results.map(({ outcome }) => outcome)).toEqual(["success", "success", "success"]);
  expect(calls).toBe(3);
  expect(warnings[0]).toMatch(/^A result of work cannot be cached: /);
});

test("an error is shared by those who waited for it", async () => {
  const held = new HeldWork();
  const { agent } = runCalls(workTool(held.execute, { cache: true }), []);
  const model = new ScriptedModel([{ toolCalls: [call({ id: "a" }), call({ id: "a" })] }, "done"]);
  const events: RunEvent[] = [];
  const running = run(agent, "go", { model, onEvent: (event) => events.push(event) });
  const broken = new Error("broken");
  (await held.at(0)).fail(broken);
  await running;
  expect(held.ids).toEqual(["a"]);
  const ends = events.filter((event) => event.type === "tool-end");
  ends.sort((left, right) => left.result.toolCallId.localeCompare(right.result.toolCallId));
  expect(ends).toMatchObject([
    { result: { toolCallId: "call_1", outcome: "error" }, error: broken },
    { result: { toolCallId: "call_2", outcome: "error" }, error: broken, cached: true },
  ]);
});

test("one who waits can give up without disturbing the call", async () => {
  const held = new HeldWork();
  const work = workTool(held.execute, shared);
  const first = executeToolCalls(workCalls("a"), [work]);
  const { end } = await held.at(0);
  const controller = new AbortController();
  const waiting = executeToolCalls(workCalls("a"), [work], { signal: controller.signal });
  const patient = executeToolCalls(workCalls("a"), [work]);
  controller.abort();
  expect(await waiting).toMatchObject([{ outcome: "cancelled" }]);
  end("ok");
  expect([...(await first), ...(await patient)]).toMatchObject([
    { outcome: "success" },
    { outcome: "success" },
  ]);
  expect(held.ids).toEqual(["a"]);
});

test("if the one who makes the call is cancelled, one of those who wait makes it", async () => {
  const held = new HeldWork();
  const work = workTool(held.execute, shared);
  const controller = new AbortController();
  const first = executeToolCalls(workCalls("a"), [work], { signal: controller.signal });
  await held.at(0);
  const others = executeToolCalls(workCalls("a", "a", "a"), [work]);
  controller.abort();
  expect(await first).toMatchObject([{ outcome: "cancelled" }]);
  (await held.at(1)).end("ok");
  expect(await others).toMatchObject([
    { outcome: "success" },
    { outcome: "success" },
    { outcome: "success" },
  ]);
  expect(held.ids).toEqual(["a", "a"]);
});

test("what cannot be told apart by its JSON is an error that asks for a key", async () => {
  class Account {
    readonly #id: string;
    constructor(id: string) {
      this.#id = id;
    }
    get id(): string {
      return this.#id;
    }
  }
  const { inputSchema } = workTool(() => "", {});
  const accounts: Tool<Account>["inputSchema"] = {
    jsonSchema: inputSchema.jsonSchema,
    validate: (value) => ({ ok: true, value: new Account(String(Object.values(value ?? {})[0])) }),
  };
  const execute = ({ id }: Account): string => id;
  const made = { name: "work", inputSchema: accounts, annotations: {}, execute };
  const warnings: string[] = [];
  const options = { onWarning: (warning: string) => void warnings.push(warning) };
  const [asked] = await executeToolCalls(workCalls("a"), [{ ...made, policy: { cache: true } }], options);
  expect(asked).toMatchObject({
    outcome: "error",
    content: [{ text: expect.stringMatching(/Account has no JSON form.*Give it a key/) }],
  });
  // Who can give it one is the program's author.
  expect(warnings).toEqual([expect.stringMatching(/Account has no JSON form.*Give it a key/)]);
  const keyed: Tool<Account> = { ...made, policy: { cache: { key: ({ id }: Account) => id } } };
  const results = await executeToolCalls(workCalls("a", "b", "a"), [keyed]);
  expect(results.map(({ content }) => content[0])).toMatchObject([
    { text: "a" },
    { text: "b" },
    { text: "a" },
  ]);
});

test("a hit is not a call of the tool: nothing of it is reported as progress", async () => {
  const progress: unknown[] = [];
  const work = workTool((_, context) => {
    context.progress("half");
    return "ok";
  }, shared);
  for (const _ of [1, 2]) {
    await executeToolCalls(workCalls("a"), [work], { onProgress: (_call, value) => progress.push(value) });
  }
  expect(progress).toEqual(["half"]);
});

test("a result with something for a page is shared with that, as a copy", async () => {
  let executions = 0;
  const work = workTool(() => result({ value: ++executions, meta: { icon: "sun" } }), { cache: true });
  const { agent } = runCalls(work, [call({ id: "a" }), call({ id: "a" })]);
  const events: RunEvent[] = [];
  const { stats } = await run(agent, "go", { onEvent: (event) => events.push(event) });
  expect([executions, stats.cacheHits]).toEqual([1, 1]);
  const ends = events.filter((event) => event.type === "tool-end");
  expect(ends.map(({ meta, result: { structuredContent } }) => [meta, structuredContent])).toEqual([
    [{ icon: "sun" }, 1],
    [{ icon: "sun" }, 1],
  ]);
  expect(ends[0]?.meta).not.toBe(ends[1]?.meta);
});
