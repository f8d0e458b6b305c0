/** What a middleware does that its contract does not allow. */
import { Agent, type Middleware, run, stream, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { describe, expect, test } from "vitest";

const input = { type: "object", properties: {} };

function agent() {
  const count = tool({ name: "count", description: "Counts.", input, execute: () => 1 });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "count" }] }, "done"]);
  return new Agent({ name: "A", model, tools: [count], settings: { temperature: 0 } });
}

describe("a function that returns something else is named, with the state reached", () => {
  test.each([undefined, null, "x", {}])("run returns %j", async (value) => {
    // @ts-expect-error -- as a program in JavaScript may have it
    const running = stream(agent(), "x", { middleware: [{ run: async () => value }] });
    const ends: string[] = [];
    await expect(
      (async () => {
        for await (const event of running) if (event.type === "run-end") ends.push(event.status);
      })(),
    ).rejects.toMatchObject({
      code: "invalid-middleware",
      message: expect.stringContaining("`run` of middleware[0]"),
      state: { status: "running" },
    });
    expect(ends).toEqual(["failed"]);
  });

  test.each([
    ["run", "run"],
    ["model", "turn-1/model"],
    ["tool", "turn-1/tool/call_1"],
  ])("step returns nothing for a step of the kind %s", async (kind, key) => {
    const middleware = [
      {
        step: (step: { kind: string }, next: () => Promise<unknown>) =>
          step.kind === kind ? undefined : next(),
      },
    ];
    // @ts-expect-error -- as a program in JavaScript may have it
    await expect(run(agent(), "x", { middleware })).rejects.toMatchObject({
      code: "invalid-middleware",
      message: expect.stringContaining(`"${key}"`),
    });
  });

  test.each([
    ["no iterable", () => undefined, "async iterable"],
    ["no events", async function* () {}, '"finish" event'],
  ])("model returns %s", async (_title, model, message) => {
    // @ts-expect-error -- as a program in JavaScript may have it
    await expect(run(agent(), "x", { middleware: [{ model }] })).rejects.toMatchObject({
      code: "invalid-middleware",
      message: expect.stringContaining(message),
    });
  });

  test("tool returns invalid content: the run warns, and the model reads that the call failed", async () => {
    const middleware = [{ tool: async () => ({ content: [1], isError: false, outcome: "success" }) }];
    // @ts-expect-error -- as a program in JavaScript may have it
    const { warnings, messages } = await run(agent(), "x", { middleware });
    expect(warnings).toEqual([expect.stringContaining("`tool` of middleware[0]")]);
    expect(messages[1]).toMatchObject({ result: { isError: true } });
  });
});

test("a run whose middleware does not wait for it is cancelled, and ends once", async () => {
  const other = await run(agent(), "x");
  const hasty: Middleware = {
    async run(_info, next) {
      void next();
      return other;
    },
  };
  const types: string[] = [];
  await run(agent(), "x", { middleware: [hasty], onEvent: ({ type }) => types.push(type) });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(types.filter((type) => type === "run-end")).toHaveLength(1);
  expect(types.at(-1)).toBe("run-end");
});

test("what a middleware writes into its request stays there", async () => {
  const changing: Middleware = {
    model(request, _info, next) {
      Object.assign(request.settings ?? {}, { temperature: 1 });
      Object.assign(request.messages[0] ?? {}, { content: "changed" });
      return next(request);
    },
  };
  const calculator = agent();
  const { state } = await run(calculator, "x", { middleware: [changing] });
  expect(calculator.settings).toEqual({ temperature: 0 });
  expect(state.messages[0]).toMatchObject({ content: "x" });
});

test("a misspelled function beside a good one is refused", async () => {
  const tools = () => Promise.reject(new Error("never called"));
  const middleware = [{ step: <T>(_key: unknown, next: () => Promise<T>) => next(), tools }];
  await expect(run(agent(), "x", { middleware })).rejects.toThrow('Did you mean "tool"?');
});

test("the summarizing model call passes through the model functions", async () => {
  const count = tool({ name: "count", description: "Counts.", input, execute: () => "word ".repeat(2_000) });
  const call = { toolCalls: [{ toolName: "count" }] };
  const model = new ScriptedModel([call, call, call, "done"]);
  const summarize = new ScriptedModel(["Notes.", "Notes.", "Notes."]);
  const kinds: string[] = [];
  const noting: Middleware = {
    model(request, info, next) {
      kinds.push(info.key.kind);
      return next(request);
    },
  };
  const counter = new Agent({ name: "A", model, tools: [count] });
  await run(counter, "x", { middleware: [noting], compaction: { maxTokens: 4_000, summarize } });
  expect(summarize.requests.length).toBeGreaterThan(0);
  expect(kinds.filter((kind) => kind === "summary")).toHaveLength(summarize.requests.length);
});

test("a journal that fails within an agent used as a tool fails the run, and keeps no result of that call", async () => {
  const helper = new Agent({ name: "helper", model: new ScriptedModel(["hi"]) });
  const call = { toolCalls: [{ toolName: "helper", arguments: { input: "q" } }] };
  const asking = new Agent({ name: "A", model: new ScriptedModel([call, "done"]), tools: [helper.asTool()] });
  const stored: string[] = [];
  const journal = {
    async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
      const value = await perform();
      if (key.includes("helper/turn-1/model")) throw new Error("the disk is full");
      stored.push(key);
      return value;
    },
  };
  await expect(run(asking, "x", { journal })).rejects.toThrow("the disk is full");
  expect(stored).toEqual(["run", "turn-1/model"]);
});
