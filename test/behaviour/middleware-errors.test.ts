/** What a middleware throws, and whose error it is. */
import {
  Agent,
  type Middleware,
  ModelError,
  run,
  type RunEvent,
  type RunResult,
  type StepMiddleware,
  stream,
} from "skein";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { busy, calculator } from "./test-calculator.ts";

test("what a tool's middleware throws is what the tool threw: the model reads it", async () => {
  const { agent } = calculator();
  const failing: StepMiddleware = { tool: () => Promise.reject(new Error("no more sums today")) };
  const { status, messages } = await run(agent, "1 + 2?", { middleware: [failing] });
  expect(status).toBe("completed");
  expect(messages[1]).toMatchObject({
    result: { isError: true, content: [{ text: "add failed: no more sums today" }] },
  });
});

test("what a model's middleware throws is its own failure, not the model's, and is not tried again", async () => {
  const { agent, model } = calculator();
  let modelCalls = 0;
  const failing: StepMiddleware = {
    model() {
      modelCalls++;
      throw new Error("over budget");
    },
  };
  await expect(run(agent, "1 + 2?", { middleware: [failing] })).rejects.toMatchObject({
    code: "middleware-failed",
    message: "The function `model` of middleware[0] failed: over budget",
    state: { messages: [{ role: "user" }] },
  });
  expect(modelCalls).toBe(1);
  expect(model.requests).toHaveLength(0);
});

test.each([
  ["of the library", () => new ModelError("refused", "bad-request", busy), "bad-request", "refused"],
  ["of its own", () => new TypeError("boom"), "model-failed", "function:function failed: boom"],
])(
  "an error of the model %s that passes middlewares stays the model's",
  async (_title, thrown, code, message) => {
    const model = new FunctionModel(() => {
      throw thrown();
    });
    const caught: unknown[] = [];
    const rethrowing: StepMiddleware = {
      async *model(request, _info, next) {
        try {
          yield* next(request);
        } catch (error) {
          caught.push(error);
          throw error;
        }
      },
    };
    const middleware = [rethrowing, rethrowing];
    await expect(run(new Agent({ name: "A", model }), "x", { middleware })).rejects.toMatchObject({
      code,
      message,
      state: { messages: [{ role: "user" }] },
    });
    expect(caught).toMatchObject([
      { code, message },
      { code, message },
    ]);
  },
);

test("an error in the middle of an answer names the middleware whose code threw it", async () => {
  const { agent } = calculator(["It is 3."]);
  const passing: StepMiddleware = { model: (request, _info, next) => next(request) };
  const failing: StepMiddleware = {
    async *model(request, _info, next) {
      for await (const event of next(request)) {
        yield event;
        throw new Error("no disk");
      }
    },
  };
  await expect(run(agent, "x", { middleware: [passing, failing] })).rejects.toMatchObject({
    code: "middleware-failed",
    message: "The function `model` of middleware[1] failed: no disk",
  });
});

test("what a run's middleware throws is what the run fails with, state included", async () => {
  const { agent } = calculator();
  const failing: Middleware = {
    async run(_info, next) {
      await next();
      throw new Error("not to be shown");
    },
  };
  const running = stream(agent, "1 + 2?", { middleware: [failing] });
  const ends: RunEvent[] = [];
  await expect(
    (async () => {
      for await (const event of running) if (event.type === "run-end") ends.push(event);
    })(),
  ).rejects.toMatchObject({
    code: "middleware-failed",
    message: "The function `run` of middleware[0] failed: not to be shown",
    state: { status: "completed" },
  });
  expect(ends).toMatchObject([{ status: "failed" }]);
});

test("what a step function throws names it, and what next rejected with passes unchanged", async () => {
  const passing: Middleware = { run: (_info, next) => next(), step: (_key, next) => next() };
  const failing: Middleware = {
    async step(key, next) {
      const value = await next();
      if (key.kind === "tool") throw new Error("no space");
      return value;
    },
  };
  const { agent } = calculator();
  await expect(run(agent, "1 + 2?", { middleware: [passing, failing] })).rejects.toMatchObject({
    code: "middleware-failed",
    message: "The function `step` of middleware[1] failed: no space",
  });
  const journal = { step: () => Promise.reject(new Error("the disk is full")) };
  await expect(run(agent, "1 + 2?", { middleware: [passing], journal })).rejects.toMatchObject({
    code: "run-failed",
    message: "The run failed: the disk is full",
  });
  const instructions = (): string => {
    throw new Error("no instructions");
  };
  const { model } = calculator();
  const broken = new Agent({ name: "A", model, instructions });
  await expect(run(broken, "x", { middleware: [passing, passing] })).rejects.toMatchObject({
    code: "instructions-failed",
  });
});

test.each([
  ["no list", {}, "must be a list"],
  ["an entry that is not an object", [1], "must be an object with functions"],
  ["an entry without a function", [{ tools: 1 }], "has no function to call"],
  ["something else than a function", [{ tool: 1 }], '"tool" of middleware[0] of run() must be a function'],
])("%s is refused when the run starts", async (_title, middleware, message) => {
  const { agent } = calculator();
  // @ts-expect-error -- as a program in JavaScript may have it
  await expect(run(agent, "x", { middleware })).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining(message),
  });
});

test("an agent refuses what stands around runs", () => {
  const middleware = [{ run: (_info: unknown, next: () => Promise<RunResult>) => next() }];
  // @ts-expect-error -- no function of an agent's middleware
  expect(() => new Agent({ name: "A", middleware })).toThrow(/"run", which stands around runs/);
});

test("what a `step` function throws in an agent within the run names the middleware, wherever it stands", async () => {
  const within = new Agent({ name: "Within", model: new FunctionModel(() => "s") });
  const model = new FunctionModel(({ messages }) =>
    messages.length > 1 ? "done" : { toolCalls: [{ toolName: "within", arguments: { input: "i" } }] },
  );
  const agent = new Agent({ name: "A", model, tools: [within.asTool()] });
  const failing: Middleware = {
    step(key, next) {
      if (key.kind === "model" && key.parent) throw new Error("disk");
      return next();
    },
  };
  await expect(
    run(agent, "x", { middleware: [{ step: (_, next) => next() }, failing] }),
  ).rejects.toMatchObject({
    code: "middleware-failed",
    message: "The function `step` of middleware[1] failed: disk",
  });
});
