/** Answers that begin and do not end: the provider takes money for them, and nobody can say how much. */
import { expect, test } from "vitest";
import { Agent, type Middleware, NetworkError, run, stream } from "skein";
import { costOf, dollars, type Prices } from "skein/models";
import { ScriptedModel, type ScriptedTurn } from "skein/testing";

const prices: Prices = {
  "test:lead": { input: 1, output: 10 },
  "test:sub": { input: 100, output: 1_000 },
};
const usage = { inputTokens: 1_000_000, outputTokens: 0 };
const cut = new NetworkError("cut", { provider: "test", modelId: "sub" });
const broken: ScriptedTurn = { text: "abcdefghijkl", chunkSize: 1, errorAfter: 4, error: cut, usage };
const whole: ScriptedTurn = { text: "the end", usage };

const model = (modelId: string, turns: readonly ScriptedTurn[]): ScriptedModel =>
  new ScriptedModel([...turns], { provider: "test", modelId });

/** An agent whose tool is another one, with this answer. */
function lead(turn: ScriptedTurn, timeout?: number): Agent {
  const sub = new Agent({ name: "Sub", description: "Looks it up.", model: model("sub", [turn]) });
  return new Agent({
    name: "Lead",
    model: model("lead", [{ toolCalls: [{ toolName: "sub", arguments: { input: "q" } }], usage }, whole]),
    tools: [sub.asTool(timeout === undefined ? {} : { timeout })],
  });
}

const slow: ScriptedTurn = { text: "abcdefghijkl", chunkSize: 1, delay: 100, usage };

test.each([
  ["breaks off", () => lead(broken)],
  ["takes too long", () => lead(slow, 450)],
])("an answer of an agent within a tool that %s counts, and its cost is not known", async (_title, make) => {
  const outcome = await run(make(), "x");
  expect(outcome.status).toBe("completed");
  expect(outcome.modelCalls.map(({ modelId }) => modelId)).toEqual(["lead", "sub", "lead"]);
  expect(outcome.modelCalls[1]?.usage.totalTokens).toBeUndefined();
  expect(costOf(outcome, prices)).toBeUndefined();
  const unknown = { code: "budget-unknown", data: { modelId: "sub" } };
  await expect(run(make(), "x", { maxCost: dollars(50, prices) })).rejects.toMatchObject(unknown);
  await expect(run(make(), "x", { maxTokens: 50_000_000 })).rejects.toMatchObject(unknown);
});

const passing: Middleware = { model: (request, _info, next) => next(request) };
const holding: Middleware = {
  async *model(request, _info, next) {
    yield* await Array.fromAsync(next(request));
  },
};
const answering: Middleware = {
  async *model(request, _info, next) {
    try {
      for await (const event of next(request)) if (event.type !== "finish") yield event;
    } catch {
      yield* model("spare", [whole]).stream({ messages: [] });
    }
  },
};

test.each<[string, Middleware[]]>([
  ["nothing", []],
  ["a tool middleware", [{ tool: (call, _info, next) => next(call) }]],
  ["a middleware that passes it on", [passing]],
])("a run that is cancelled within an answer counts it, within %s", async (_title, middleware) => {
  const agent = new Agent({ name: "A", model: model("lead", [slow]), middleware });
  const running = stream(agent, "x");
  for await (const event of running) if (event.type === "text-delta") running.cancel();
  const outcome = await running.result;
  expect(outcome.status).toBe("cancelled");
  expect(outcome.modelCalls).toHaveLength(1);
  expect(costOf(outcome, prices)).toBeUndefined();
});

test("a run that is cancelled while a middleware holds an answer back counts it", async () => {
  const agent = new Agent({ name: "A", model: model("lead", [slow]), middleware: [holding] });
  const running = stream(agent, "x");
  setTimeout(() => running.cancel(), 350);
  const outcome = await running.result;
  expect(outcome).toMatchObject({ status: "cancelled", modelCalls: [{ modelId: "lead" }] });
});

test("an answer that breaks off counts once, also where a middleware answers instead", async () => {
  const agent = new Agent({ name: "A", model: model("sub", [broken]), middleware: [answering] });
  const outcome = await run(agent, "x");
  expect(outcome).toMatchObject({ status: "completed", text: "the end" });
  expect(outcome.modelCalls).toEqual([
    { provider: "test", modelId: "sub", usage: expect.objectContaining({ totalTokens: undefined }) },
  ]);
  expect(costOf(outcome, prices)).toBeUndefined();
});

test("a request that fails before its answer begins counts nothing", async () => {
  const failing: ScriptedTurn = { error: cut };
  const outcome = await run(lead(failing), "x");
  expect(outcome.modelCalls.map(({ modelId }) => modelId)).toEqual(["lead", "lead"]);
  expect(costOf(outcome, prices)).toBe(2);
});

test("a summary that breaks off counts", async () => {
  const agent = new Agent({ name: "A", model: model("lead", [whole]) });
  const long = Array.from({ length: 8 }, (_, index) => [
    { role: "user", content: `${index} ${"word ".repeat(400)}` } as const,
    { role: "assistant", content: [{ type: "text", text: "Noted." }], toolCalls: [] } as const,
  ]).flat();
  const outcome = await run(agent, [...long, { role: "user", content: "So?" }], {
    compaction: { maxTokens: 1_500, summarize: model("sub", [broken]) },
  });
  expect(outcome.modelCalls.map(({ modelId }) => modelId)).toEqual(["sub", "lead"]);
});
