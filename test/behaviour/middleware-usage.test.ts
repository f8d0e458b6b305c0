/** What the model calls of a middleware count: each once, whatever the middleware does with the answer. */
import { Agent, type Middleware, type ModelEvent, run, type StepMiddleware, tool } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";

const used = { inputTokens: 10, outputTokens: 1, totalTokens: 11 };

function agent() {
  const model = new FunctionModel(() => ({ text: "a longer answer", usage: used }));
  return new Agent({ name: "A", model });
}

const twice: StepMiddleware = {
  async *model(request, _info, next) {
    for await (const event of next(request)) void event;
    yield* next(request);
  },
};

test("an answer that a middleware discards counts to usage, calls and budget", async () => {
  const { usage, modelCalls, turns, state } = await run(agent(), "x", { middleware: [twice] });
  expect(usage).toEqual({ inputTokens: 20, outputTokens: 2, totalTokens: 22 });
  expect(state.usage).toEqual(usage);
  expect(modelCalls).toHaveLength(2);
  expect(turns).toBe(1);
  const maxCost = { amount: 100, costOf: () => 60 };
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "now", arguments: {} }], usage: used }));
  const now = tool({
    name: "now",
    description: "Now.",
    input: { type: "object", properties: {} },
    execute: () => "noon",
  });
  const clock = new Agent({ name: "Clock", model, tools: [now] });
  expect(await run(clock, "x", { middleware: [twice], maxCost })).toMatchObject({
    status: "budget",
    turns: 1,
  });
});

test("several middlewares around one call count it once", async () => {
  const passing: StepMiddleware = { model: (request, _info, next) => next(request) };
  const { usage, modelCalls } = await run(agent(), "x", { middleware: [passing, passing] });
  expect(usage).toEqual(used);
  expect(modelCalls).toHaveLength(1);
});

test("a middleware that answers without next costs nothing", async () => {
  const stored: ModelEvent[] = [];
  const cache: StepMiddleware = {
    async *model(request, _info, next) {
      if (stored.length === 0) stored.push(...(await Array.fromAsync(next(request))));
      yield* stored;
    },
  };
  const first = await run(agent(), "x", { middleware: [cache] });
  expect(first.usage).toEqual(used);
  const cached = await run(agent(), "x", { middleware: [cache], maxCost: { amount: 1, costOf: () => 60 } });
  expect(cached).toMatchObject({ status: "completed", modelCalls: [], usage: { totalTokens: undefined } });
});

test("the answers before a middleware failed are in the state that the error carries", async () => {
  const failing: StepMiddleware = {
    // oxlint-disable-next-line require-yield -- it fails before it has an event
    async *model(request, _info, next) {
      for await (const event of next(request)) void event;
      throw new Error("no");
    },
  };
  await expect(run(agent(), "x", { middleware: [failing] })).rejects.toMatchObject({
    state: { usage: used },
  });
});

test("an answer that a middleware stops reading has an unknown usage, with which no budget can be kept", async () => {
  const impatient: StepMiddleware = {
    async *model(request, _info, next) {
      for await (const event of next(request)) if (event.type === "text-delta") break;
      yield* next(request);
    },
  };
  const { usage, modelCalls } = await run(agent(), "x", { middleware: [impatient] });
  expect(usage).toEqual(used);
  expect(modelCalls).toHaveLength(2);
  await expect(run(agent(), "x", { middleware: [impatient], maxTokens: 100 })).rejects.toMatchObject({
    code: "budget-unknown",
  });
});

test("a run that is started again under its journal has the usage of all its answers, each once", async () => {
  const journal = memoryJournal();
  const first = await run(agent(), "x", { middleware: [twice], journal });
  const again = await run(agent(), "x", { middleware: [twice], journal });
  expect(first.usage).toMatchObject({ totalTokens: 22 });
  expect(again.usage).toEqual(first.usage);
  expect(again.modelCalls).toEqual(first.modelCalls);
});

test("a run with other middleware counts each answer once", async () => {
  const watching: Middleware = {
    step: (_key, next) => next(),
    tool: (call, _info, next) => next(call),
  };
  expect(await run(agent(), "x", { middleware: [watching] })).toMatchObject({
    usage: used,
    modelCalls: [{ usage: used }],
  });
});

test("the summaries of a compaction that a middleware asks for twice count twice", async () => {
  const summarize = new FunctionModel(() => ({ text: "Notes.", usage: used }));
  const history = Array.from({ length: 10 }, (_, index) => ({
    role: "user" as const,
    content: `${index} ${"word ".repeat(500)}`,
  }));
  const model = new ScriptedModel(["done"]);
  const summaries: StepMiddleware = {
    async *model(request, info, next) {
      if (info.key.kind === "summary") for await (const event of next(request)) void event;
      yield* next(request);
    },
  };
  const { modelCalls } = await run(new Agent({ name: "A", model }), history, {
    middleware: [summaries],
    compaction: { maxTokens: 3_000, summarize },
  });
  expect(modelCalls.filter(({ usage }) => usage.totalTokens === 11)).toHaveLength(2);
});
