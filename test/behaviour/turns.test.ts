import { expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";
import { Agent, result, run, stream, tool, type Model, type RunEvent, type RunState } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;
const ping = tool({ name: "ping", input: empty, execute: () => "pong" });
const call = (toolName: string, args = {}) => ({ toolCalls: [{ toolName, arguments: args }] });

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test("maxTurns counts model calls, and the tools of the last permitted answer run", async () => {
  const model = new ScriptedModel([call("ping"), call("ping"), "done"]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const first = await run(agent, "go", { maxTurns: 2 });
  expect(first).toMatchObject({ status: "max-turns", turns: 2, pending: [] });
  expect(first.messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "tool"]);
  const resumed = await run(agent, JSON.parse(JSON.stringify(first.state)));
  expect(resumed).toMatchObject({ status: "completed", text: "done", turns: 1 });
  expect(resumed.state.turn).toBe(3);
  model.assertComplete();
});

test("maxTurns 0 makes no model call", async () => {
  const model = new ScriptedModel([]);
  const outcome = await run(new Agent({ name: "A", model }), "go", { maxTurns: 0 });
  expect(outcome).toMatchObject({ status: "max-turns", turns: 0, messages: [] });
  expect(model.requests).toHaveLength(0);
});

test("executeTools: false gives the calls back unexecuted, and a resumption takes results made elsewhere", async () => {
  const model = new ScriptedModel([call("ping", { a: 1 }), "thanks"]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const paused = await run(agent, "go", { executeTools: false });
  expect(paused).toMatchObject({
    status: "paused",
    finishReason: "tool-calls",
    pending: [{ toolCallId: "call_1", toolName: "ping", arguments: '{"a":1}' }],
  });
  const state = JSON.parse(JSON.stringify(paused.state));
  const resumed = await run(agent, state, { results: [{ toolCallId: "call_1", content: "from elsewhere" }] });
  expect(resumed).toMatchObject({ status: "completed", text: "thanks" });
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    role: "tool",
    result: { toolCallId: "call_1", content: [{ type: "text", text: "from elsewhere" }], isError: false },
  });
});

test("resuming without results executes the pending calls", async () => {
  const model = new ScriptedModel([call("ping"), "thanks"]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const paused = await run(agent, "go", { executeTools: false });
  const resumed = await run(agent, paused.state);
  expect(resumed.messages[0]).toMatchObject({ role: "tool", result: { content: [{ text: "pong" }] } });
  expect(resumed.text).toBe("thanks");
});

test("a result for a call that is not pending is a typed error that names those that are", async () => {
  const model = new ScriptedModel([call("ping")]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const { state } = await run(agent, "go", { executeTools: false });
  await expect(run(agent, state, { results: [{ toolCallId: "other", content: "" }] })).rejects.toMatchObject({
    code: "invalid-input",
    message: expect.stringMatching(/"other".*call_1/),
  });
});

test.each([
  ["a misspelled content", { result: "declined" }, 'has no field "result"'],
  ["a misspelled isError", { content: "declined", is_error: true }, 'Did you mean "isError"?'],
  ["an isError that is a text", { content: "declined", isError: "false" }, "Pass true or false."],
  ["no content", {}, "has no content. Pass"],
])("a result with %s is refused: the model would receive a success", async (_, fields, message) => {
  const model = new ScriptedModel([call("ping"), "done"]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const { state } = await run(agent, "go", { executeTools: false });
  const results = [{ toolCallId: "call_1", ...fields }] as never;
  await expect(run(agent, state, { results })).rejects.toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining(message),
  });
  expect(model.requests).toHaveLength(1);
});

test("a tool without execute keeps the run waiting, while the others of its batch run", async () => {
  const elsewhere = tool({ name: "askUser", input: empty });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "askUser" }, { toolName: "ping" }] }, "done"]);
  const agent = new Agent({ name: "A", model, tools: [elsewhere, ping] });
  const paused = await run(agent, "go");
  expect(paused).toMatchObject({ status: "paused", pending: [{ toolCallId: "call_1" }] });
  expect(paused.messages.at(-1)).toMatchObject({ role: "tool", result: { toolCallId: "call_2" } });
  const done = await run(agent, paused.state, {
    results: [{ toolCallId: "call_1", content: { yes: true } }],
  });
  expect(done).toMatchObject({ status: "completed", text: "done" });
});

test.each(["length", "content-filter"] as const)(
  "an answer that ended with %s has its calls refused, not run",
  async (finishReason) => {
    let ran = false;
    const model = new ScriptedModel([{ text: "I will", ...call("write"), finishReason }]);
    const write = tool({
      name: "write",
      input: { type: "object" },
      execute: () => {
        ran = true;
      },
    });
    const outcome = await run(new Agent({ name: "A", model, tools: [write] }), "go");
    expect(ran).toBe(false);
    expect(outcome).toMatchObject({ status: "incomplete", finishReason, pending: [] });
    expect(outcome.messages.at(-1)).toMatchObject({
      role: "tool",
      result: { outcome: "not-executed", isError: true },
    });
  },
);

test("a stream that is cut runs no call and is a typed error that carries the state", async () => {
  let ran = false;
  const model = new ScriptedModel([{ ...call("write"), cut: true }, "again"]);
  const write = tool({
    name: "write",
    input: { type: "object" },
    execute: () => {
      ran = true;
    },
  });
  const agent = new Agent({ name: "A", model, tools: [write] });
  const error = await run(agent, "go").then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({
    code: "malformed-response",
    state: { messages: [{ role: "user", content: "go" }] },
  });
  expect(ran).toBe(false);
  const { state } = error as { state: RunState };
  expect((await run(agent, state)).text).toBe("again");
});

test("what a hook throws is a warning, and the run survives", async () => {
  const model = new ScriptedModel([call("ping"), "done"]);
  const outcome = await run(new Agent({ name: "A", model, tools: [ping] }), "go", {
    onEvent: ({ type }) => {
      if (type === "tool-end") throw new Error("hook is broken");
    },
  });
  expect(outcome).toMatchObject({ status: "completed", text: "done" });
  expect(outcome.warnings).toEqual([expect.stringContaining("hook is broken")]);
});

test("a tool's final result ends the run", async () => {
  const model = new ScriptedModel([call("finish")]);
  const finish = tool({
    name: "finish",
    input: empty,
    execute: () => result({ value: "the end", final: true }),
  });
  expect(await run(new Agent({ name: "A", model, tools: [finish] }), "go")).toMatchObject({
    status: "completed",
    text: "the end",
  });
});

test("the yields of a generator are progress, and what it returns is the result", async () => {
  const model = new ScriptedModel([call("count"), "done"]);
  const count = tool({
    name: "count",
    input: empty,
    async *execute() {
      yield 1;
      await Promise.resolve();
      yield 2;
      return "counted";
    },
  });
  const running = stream(new Agent({ name: "A", model, tools: [count] }), "go");
  const events = await collect(running);
  expect(events.flatMap((event) => (event.type === "tool-progress" ? [event.value] : []))).toEqual([1, 2]);
  expect((await running.result).messages[1]).toMatchObject({ result: { content: [{ text: "counted" }] } });
});

test("at most eight calls run at once, and results are in call order", async () => {
  let running = 0;
  let most = 0;
  const slow = tool({
    name: "slow",
    input: { type: "object", properties: { n: { type: "number" } } },
    execute: async ({ n }) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20 - Number(n)));
      running--;
      return Number(n);
    },
  });
  const toolCalls = Array.from({ length: 20 }, (_, n) => ({ toolName: "slow", arguments: { n } }));
  const model = new ScriptedModel([{ toolCalls }, "done"]);
  const outcome = await run(new Agent({ name: "A", model, tools: [slow] }), "go");
  expect(most).toBe(8);
  expect(outcome.messages.slice(1, 21).map((m) => m.role === "tool" && m.result.structuredContent)).toEqual(
    toolCalls.map((_, n) => n),
  );
});

test("a journal keeps a run that is started again from doing any step twice", async () => {
  const journal = memoryJournal();
  const { steps } = journal;
  let bookings = 0;
  const second = new Agent({ name: "Second" });
  const book = tool({
    name: "book",
    input: empty,
    execute: () => result({ value: ++bookings, context: { bookings } }),
  });
  const turns = () =>
    new ScriptedModel([{ toolCalls: [{ toolName: "book" }, { toolName: "transfer_to_second" }] }, "done"]);
  const agent = new Agent({ name: "A", tools: [book], handoffs: [second] });
  const first = await run(agent, "go", { model: turns(), journal });
  const replayed = turns();
  const again = await run(agent, "go", { model: replayed, journal });
  expect(bookings).toBe(1);
  expect(replayed.requests).toHaveLength(0);
  expect(again.agent).toBe(second);
  expect(again.state.runId).toBe(first.state.runId);
  expect(again.messages).toEqual(first.messages);
  expect(again.context).toEqual({ bookings: 1 });
  expect([...steps.keys()]).toEqual([
    "run",
    "turn-1/model",
    "turn-1/tool/call_1",
    "turn-1/tool/call_2",
    "turn-2/model",
  ]);
});

test("a journal's failure is not reported as the model's; the model's is, journaled or not", async () => {
  const agent = (model: ScriptedModel | FunctionModel): Agent => new Agent({ name: "A", model });
  const full = { step: () => Promise.reject(new Error("the disk is full")) };
  await expect(run(agent(new ScriptedModel(["hi"])), "go", { journal: full })).rejects.toMatchObject({
    code: "run-failed",
    message: "The run failed: the disk is full",
  });
  const through = { step: <T>(_key: string, work: () => Promise<T>): Promise<T> => work() };
  const broken = new FunctionModel(() => Promise.reject(new Error("out of order")));
  for (const options of [{}, { journal: through }]) {
    await expect(run(agent(broken), "go", options)).rejects.toMatchObject({
      code: "model-failed",
      message: expect.stringContaining("out of order"),
    });
  }
});

test("calls that a model numbers from the start in each answer have an idempotency key each", async () => {
  const keys: string[] = [];
  const charge = tool({
    name: "charge",
    input: empty,
    execute: (_, { idempotencyKey }) => void keys.push(idempotencyKey),
  });
  const answers = [call("charge"), call("charge"), call("charge"), "done"];
  const model: Model = {
    provider: "p",
    modelId: "m",
    stream: (request) => new ScriptedModel([answers.shift() ?? "done"]).stream(request),
  };
  await run(new Agent({ name: "A", model, tools: [charge] }), "go");
  expect(new Set(keys).size).toBe(3);
});
