import { expect, test } from "vitest";
import { Agent, ConfigurationError, RateLimitError, run, stream, tool, type ModelCall } from "skein";
import { costOf, dollars, fallback, prices, withSettings } from "skein/models";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { offline } from "skein/offline";

const empty = { type: "object", properties: {} } as const;
const ping = tool({ name: "ping", input: empty, execute: () => "pong" });
const usage = { inputTokens: 80, outputTokens: 20 };
const callPing = { toolCalls: [{ toolName: "ping" }], usage };
const priced = { provider: "p", modelId: "m" };
/** A dollar for each answer of 100 tokens. */
const table = { "p:m": { input: 10_000, output: 10_000 } };

test("a run ends before the model call after its tokens are used up, and the tools of the last answer run", async () => {
  const model = new ScriptedModel([callPing, callPing, { text: "done", usage }]);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const first = await run(agent, "go", { maxTokens: 150 });
  expect(first).toMatchObject({ status: "budget", turns: 2, pending: [], usage: { totalTokens: 200 } });
  expect(first.messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "tool"]);
  const resumed = await run(agent, JSON.parse(JSON.stringify(first.state)), { maxTokens: 150 });
  expect(resumed).toMatchObject({ status: "completed", text: "done", usage: { totalTokens: 100 } });
  model.assertComplete();
});

test("an answer that completes the run does so at any usage", async () => {
  const model = new ScriptedModel([{ text: "done", usage }]);
  const outcome = await run(new Agent({ name: "A", model }), "go", { maxTokens: 1 });
  expect(outcome).toMatchObject({ status: "completed", text: "done" });
});

test("nothing to spend makes no model call", async () => {
  const model = new ScriptedModel([]);
  const agent = new Agent({ name: "A", model });
  expect(await run(agent, "go", { maxTokens: 0 })).toMatchObject({ status: "budget", turns: 0 });
  expect(await run(agent, "go", { maxCost: dollars(0) })).toMatchObject({ status: "budget", messages: [] });
});

test("a limit in money adds up each answer's cost at the configured prices", async () => {
  const model = new ScriptedModel([callPing, callPing, callPing], priced);
  const agent = new Agent({ name: "A", model, tools: [ping] });
  const outcome = await run(agent, "go", { maxCost: dollars(1.5, table) });
  expect(outcome).toMatchObject({ status: "budget", turns: 2 });
  expect(costOf(outcome, table)).toBe(2);
  expect(costOf(outcome)).toBeUndefined();
});

test("the first limit reached ends the run", async () => {
  const agent = (): Agent =>
    new Agent({
      name: "A",
      model: new ScriptedModel(
        Array.from({ length: 9 }, () => callPing),
        priced,
      ),
      tools: [ping],
    });
  const limits = { maxTurns: 5, maxTokens: 400, maxCost: dollars(3, table) };
  expect(await run(agent(), "go", limits)).toMatchObject({ status: "budget", turns: 3 });
  expect(await run(agent(), "go", { ...limits, maxTokens: 200 })).toMatchObject({
    status: "budget",
    turns: 2,
  });
  expect(await run(agent(), "go", { ...limits, maxTurns: 1 })).toMatchObject({
    status: "max-turns",
    turns: 1,
  });
});

test("agents used as tools spend from the same budget, and get an error when it is spent", async () => {
  const inner = new ScriptedModel([callPing, callPing, callPing], { modelId: "inner" });
  const expert = new Agent({ name: "Expert", model: inner, tools: [ping] });
  const ask = { toolCalls: [{ toolName: "Expert", arguments: { input: "How?" } }], usage };
  const outer = new ScriptedModel([ask], { modelId: "outer" });
  const lead = new Agent({ name: "Lead", model: outer, tools: [expert.asTool({ name: "Expert" })] });
  const outcome = await run(lead, "go", { maxTokens: 250 });
  expect(outcome).toMatchObject({ status: "budget", turns: 1 });
  expect(outcome.modelCalls.map(({ modelId }) => modelId)).toEqual(["outer", "inner", "inner"]);
  const [, answer] = outcome.messages;
  expect(answer).toMatchObject({ role: "tool", result: { isError: true } });
  expect(JSON.stringify(answer)).toContain("reached its limit of tokens or money");
});

test("a run reports every model call, with the model that answered", async () => {
  const broken = new ScriptedModel([{ error: limit() }], { provider: "a", modelId: "first" });
  const spare = new ScriptedModel([callPing, { text: "done", usage: { inputTokens: 1, outputTokens: 2 } }], {
    provider: "b",
    modelId: "second",
  });
  const model = withSettings(fallback([broken, spare]), { temperature: 0 });
  const outcome = await run(new Agent({ name: "A", model, tools: [ping] }), "go");
  const calls: readonly ModelCall[] = outcome.modelCalls;
  expect(calls).toEqual([
    { provider: "b", modelId: "second", usage: { ...usage, totalTokens: 100 } },
    { provider: "b", modelId: "second", usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } },
  ]);
  expect(outcome.warnings).toEqual(["b:second answered in place of a:first (rate-limit)."]);
  expect(costOf(outcome, { ...prices, "b:second": { input: 1e6, output: 0 } })).toBe(81);
});

function limit(): unknown {
  return new RateLimitError("too many", { provider: "a", modelId: "first" });
}

test.each([
  [
    "tokens that are not reported",
    {},
    { maxTokens: 1000 },
    "scripted:scripted took. Its answer reports no usage",
  ],
  ["costs without usage", {}, { maxCost: dollars(1) }, "in a scripted turn, write usage"],
  ["a model without a price", { usage }, { maxCost: dollars(1) }, "Give its price"],
])("%s end a limited run at the first answer, which its state keeps", async (_what, turn, options, words) => {
  let calls = 0;
  const count = tool({ name: "count", input: empty, execute: () => ++calls });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "count" }], ...turn }, "done"]);
  const agent = new Agent({ name: "A", model, tools: [count] });
  const error: unknown = await run(agent, "go", options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ code: "budget-unknown", message: expect.stringContaining(words) });
  expect(calls).toBe(0);
  const { state } = error as ConfigurationError;
  if (!state) throw new TypeError("the error carries no state");
  expect(state.pending).toHaveLength(1);
  expect(await run(agent, state)).toMatchObject({ status: "completed", text: "done" });
  expect(calls).toBe(1);
});

test("the offline model uses no tokens and no money, so that limits hold with it", async () => {
  const agent = new Agent({ name: "A", model: offline() });
  const limits = { maxTokens: 1000, maxCost: dollars(1) };
  expect(await run(agent, "Hello", limits)).toMatchObject({ status: "completed", usage: { totalTokens: 0 } });
});

test("an agent asked as a tool whose use is not known ends the run around it as well", async () => {
  const expert = new Agent({ name: "Expert", model: new ScriptedModel(["Like this."]) });
  const ask = { toolCalls: [{ toolName: "Expert", arguments: { input: "How?" } }], usage };
  const lead = new Agent({
    name: "Lead",
    model: new ScriptedModel([ask, { text: "never asked", usage }]),
    tools: [expert.asTool({ name: "Expert" })],
  });
  await expect(run(lead, "go", { maxTokens: 1000 })).rejects.toMatchObject({ code: "budget-unknown" });
});

test("stream() ends with the same status", async () => {
  const model = new FunctionModel(() => callPing);
  const running = stream(new Agent({ name: "A", model, tools: [ping] }), "go", { maxTokens: 300 });
  const ends: unknown[] = [];
  for await (const event of running) if (event.type === "run-end") ends.push(event.status);
  expect(ends).toEqual(["budget"]);
  expect((await running.result).turns).toBe(3);
});

test("limits that are none are errors", async () => {
  const agent = new Agent({ name: "A", model: new ScriptedModel([]) });
  await expect(run(agent, "go", { maxTokens: Number.NaN })).rejects.toMatchObject({ code: "invalid-option" });
  const odd: unknown[] = [{ amount: 1 }, { amount: 1, costOf: 1 }, 5, 0, "5", null];
  for (const maxCost of odd)
    await expect(run(agent, "go", JSON.parse(JSON.stringify({ maxCost })))).rejects.toMatchObject({
      code: "invalid-option",
    });
});

test("a price that is a promise is an error, and never a price of nothing", async () => {
  const agent = new Agent({ name: "A", model: new ScriptedModel([callPing, "done"], priced), tools: [ping] });
  const costOf = (): number => Promise.reject(new Error("later")) as unknown as number;
  await expect(run(agent, "go", { maxCost: { amount: 1, costOf } })).rejects.toMatchObject({
    code: "invalid-option",
    message: "costOf of maxCost must return an amount, not a promise.",
    data: { option: "maxCost" },
  });
});
