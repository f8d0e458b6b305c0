/** What a middleware does that its contract does not allow. */
import {
  Agent,
  type Middleware,
  type ModelEvent,
  type ModelRequest,
  run,
  type RunEvent,
  stream,
  tool,
} from "skein";
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
    // Vitest fails the file if the rejection is left to nobody.
    ["a promise that rejects", () => Promise.reject(new Error("mine")), '"async *model"'],
  ])("model returns %s", async (_title, model, message) => {
    // @ts-expect-error -- as a program in JavaScript may have it
    await expect(run(agent(), "x", { middleware: [{ model }] })).rejects.toMatchObject({
      code: "invalid-middleware",
      message: expect.stringContaining(message),
    });
  });

  const finish = { type: "finish", generation: { text: "x" } };
  test.each([
    [{ type: "text" }, 'of the type "text"'],
    [null, "an invalid event of the type null"],
    [{ type: "text-delta" }, 'of the type "text-delta"'],
    [{ type: "tool-call", toolCall: { toolName: "count" } }, 'of the type "tool-call"'],
    [finish, 'of the type "finish"'],
  ])("model yields %j", async (event, message) => {
    const passing: Middleware = { model: (request, _info, next) => next(request) };
    const foreign = {
      async *model() {
        yield event;
      },
    };
    // @ts-expect-error -- as a program in JavaScript may have it
    await expect(run(agent(), "x", { middleware: [passing, foreign] })).rejects.toMatchObject({
      code: "invalid-middleware",
      message: expect.stringMatching(new RegExp(`\`model\` of middleware\\[1\\] yielded .*${message}`)),
      state: { messages: [{ role: "user" }] },
    });
  });

  test("model yields events after its finish event", async () => {
    const twice: Middleware = {
      async *model(request, _info, next) {
        yield* next(request);
        yield* next(request);
      },
    };
    const model = new ScriptedModel(["one", "two"]);
    await expect(run(new Agent({ name: "A", model }), "x", { middleware: [twice] })).rejects.toMatchObject({
      code: "invalid-middleware",
      message: 'The function `model` of middleware[0] yielded a "text-delta" event after its "finish" event.',
      state: { messages: [{ role: "user" }] },
    });
  });

  test.each([undefined, {}])("model calls next with %j", async (request) => {
    const careless = {
      model: (_request: unknown, _info: unknown, next: (request: unknown) => unknown) => next(request),
    };
    // @ts-expect-error -- as a program in JavaScript may have it
    await expect(run(agent(), "x", { middleware: [careless] })).rejects.toMatchObject({
      code: "invalid-middleware",
      message: expect.stringContaining("`model` of middleware[0] must call next with a request"),
    });
  });

  const text = { type: "text", text: "x" };
  test.each([
    [{ content: [1], isError: false, outcome: "success" }, "a tool result"],
    [{ content: [text], isError: false, outcome: "done" }, 'not "done"'],
    [{ content: [text], isError: true, outcome: "success" }, 'isError: false with the outcome "success"'],
    [{ content: [text], isError: false, outcome: "denied" }, 'isError: true with the outcome "denied"'],
    [{ content: [text], outcome: "success" }, "isError: false"],
  ])("tool returns %j", async (result, message) => {
    const errors: unknown[] = [];
    const middleware = [{ tool: async () => result }];
    const onEvent = (event: RunEvent): void => {
      // The call stays open: it has not ended.
      if (event.type === "tool-end") errors.push(event.error);
      if (event.type === "run-end" && event.status === "failed") errors.push(event.error);
    };
    // @ts-expect-error -- as a program in JavaScript may have it
    await expect(run(agent(), "x", { middleware, onEvent })).rejects.toMatchObject({
      code: "invalid-middleware",
      message: expect.stringMatching(
        new RegExp(`^The function \`tool\` of middleware\\[0\\] must return .*${message}`),
      ),
      state: { messages: [{ role: "user" }, { role: "assistant" }] },
    });
    expect(errors).toMatchObject([{ code: "invalid-middleware" }]);
  });
});

test("events of a model that are unknown or invalid are the model's failure, not the middleware's", async () => {
  const passing: Middleware = { model: (request, _info, next) => next(request) };
  const scripted = new ScriptedModel(["done", "done"]);
  const model = (event: object) => ({
    provider: "foreign",
    modelId: "m",
    async *stream(request: ModelRequest) {
      yield event;
      yield* scripted.stream(request);
    },
  });
  const options = (event: object) => ({ model: model(event), middleware: [passing] });
  // @ts-expect-error -- as a program in JavaScript may have it
  await expect(run(agent(), "x", options({ type: "image-delta" }))).rejects.toMatchObject({
    message: expect.stringContaining('foreign:m emitted an event of the unknown type "image-delta"'),
  });
  // @ts-expect-error -- as a program in JavaScript may have it
  await expect(run(agent(), "x", options({ type: "tool-call" }))).rejects.toMatchObject({
    message: expect.stringContaining("foreign:m emitted a tool-call event without its toolCall"),
  });
});

describe("next after the function has returned has no effect, and the run warns", () => {
  test("of run", async () => {
    let late: (() => Promise<unknown>) | undefined;
    const keeping: Middleware = {
      run(_info, next) {
        late = next;
        return next();
      },
    };
    const types: string[] = [];
    const onEvent = ({ type }: RunEvent): void => void types.push(type);
    const { warnings } = await run(agent(), "x", { middleware: [keeping], onEvent });
    await expect(late?.()).rejects.toMatchObject({ code: "invalid-middleware" });
    expect(warnings).toEqual([expect.stringContaining("`run` of middleware[0] called next after")]);
    expect(types.at(-1)).toBe("run-end");
  });

  test("of model", async () => {
    const model = new ScriptedModel(["done", "never"]);
    let late: (() => AsyncIterable<ModelEvent>) | undefined;
    const keeping: Middleware = {
      model(request, _info, next) {
        late = () => next(request);
        return next(request);
      },
    };
    const { warnings } = await run(new Agent({ name: "A", model }), "x", { middleware: [keeping] });
    await expect(Array.fromAsync(late?.() ?? [])).rejects.toMatchObject({ code: "invalid-middleware" });
    expect(warnings).toEqual([expect.stringContaining("`model` of middleware[0] called next after")]);
    expect(model.requests).toHaveLength(1);
  });

  test("of step", async () => {
    let late: (() => Promise<unknown>) | undefined;
    const keeping: Middleware = {
      step(key, next) {
        if (key.kind === "tool") late = next;
        return next();
      },
    };
    const { warnings } = await run(agent(), "x", { middleware: [keeping] });
    await expect(late?.()).rejects.toMatchObject({ code: "invalid-middleware" });
    expect(warnings).toEqual([expect.stringContaining("`step` of middleware[0] called next after")]);
  });

  test("of tool, while the run goes on: as an event, too", async () => {
    let late: (() => Promise<unknown>) | undefined;
    const keeping: Middleware = {
      tool(call, _info, next) {
        late = () => next(call);
        return next(call);
      },
      async *model(request, _info, next) {
        await late?.().catch(() => undefined);
        yield* next(request);
      },
    };
    const types: string[] = [];
    const onEvent = ({ type }: RunEvent): void => void types.push(type);
    await run(agent(), "x", { middleware: [keeping], onEvent });
    expect(types.filter((type) => type === "warning")).toHaveLength(1);
  });
});

test("an inner middleware that an outer one does not wait for calls nothing once the call is over", async () => {
  let calls = 0;
  const count = tool({ name: "count", description: "Counts.", input, execute: () => ++calls });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let refused: Promise<unknown> = Promise.resolve();
  const hasty: Middleware = {
    async tool({ toolCallId, toolName }, _info, next) {
      refused = next({ toolCallId, toolName, arguments: "{}" });
      return { toolCallId, toolName, content: [], isError: false, outcome: "success" };
    },
  };
  const slow: Middleware = {
    async tool(call, _info, next) {
      await released;
      return next(call);
    },
  };
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "count" }] }, "done"]);
  const counter = new Agent({ name: "A", model, tools: [count] });
  const { warnings } = await run(counter, "x", { middleware: [hasty, slow] });
  release();
  await expect(refused).rejects.toThrow("called next after");
  expect(warnings).toEqual([expect.stringContaining('the call "call_1" of count called next after')]);
  expect(calls).toBe(0);
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
      if (/run\/agent%2F[0-9a-f]+\/turn-1\/model$/.test(key)) throw new Error("the disk is full");
      stored.push(key);
      return value;
    },
  };
  await expect(run(asking, "x", { journal })).rejects.toThrow("the disk is full");
  expect(stored).toEqual(["run", "turn-1/model"]);
});
