/** Functions around the steps of a run: what they see, change, answer and remember. */
import {
  Agent,
  type Middleware,
  ModelError,
  type ModelEvent,
  run,
  type RunEvent,
  type RunResult,
  type StepMiddleware,
  stream,
} from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { addition, busy, calculator } from "./test-calculator.ts";

function tracer(name: string, lines: string[]): Middleware {
  return {
    async run(_info, next) {
      lines.push(`${name} run`);
      const result = await next();
      lines.push(`${name} ran ${result.status}`);
      return result;
    },
    async *model(request, { key }, next) {
      lines.push(`${name} model ${key.turn}`);
      yield* next(request);
      lines.push(`${name} answered`);
    },
    async tool(call, _info, next) {
      lines.push(`${name} ${call.toolName}`);
      const result = await next(call);
      lines.push(`${name} ${result.outcome}`);
      return result;
    },
  };
}

test("the first middleware is the outermost, around the run and each of its steps", async () => {
  const { agent } = calculator();
  const lines: string[] = [];
  await run(agent, "1 + 2?", { middleware: [tracer("A", lines), tracer("B", lines)] });
  expect(lines).toEqual([
    "A run",
    "B run",
    "A model 1",
    "B model 1",
    "B answered",
    "A answered",
    "A add",
    "B add",
    "B success",
    "A success",
    "A model 2",
    "B model 2",
    "B answered",
    "A answered",
    "B ran completed",
    "A ran completed",
  ]);
});

test("a run has one end, however often a middleware asks for it, of which it warns", async () => {
  const { agent, model } = calculator();
  const twice: Middleware = {
    async run(_info, next) {
      expect(await next()).toBe(await next());
      return next();
    },
  };
  const lines: string[] = [];
  const { messages, warnings } = await run(agent, "1 + 2?", { middleware: [twice, tracer("A", lines)] });
  expect(messages).toHaveLength(3);
  expect(model.requests).toHaveLength(2);
  expect(lines.filter((line) => line === "A run")).toHaveLength(1);
  expect(warnings).toEqual([expect.stringContaining("`run` of middleware[0] called next again")]);
});

test("an agent's own middleware stands inside that of the run, for its steps only", async () => {
  const lines: string[] = [];
  const { run: _, ...steps } = tracer("agent", lines);
  const second = new Agent({ name: "Second", model: new ScriptedModel(["done"]), middleware: [steps] });
  const first = new Agent({
    name: "First",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_second" }] }]),
    handoffs: [second],
  });
  await run(first, "go", { middleware: [tracer("run", lines)] });
  expect(lines.filter((line) => line.includes("model") || line.includes("transfer"))).toEqual([
    "run model 1",
    "run transfer_to_second",
    "run model 2",
    "agent model 2",
  ]);
});

describe("answers without asking", () => {
  test("a model call is answered by what another one said", async () => {
    const { agent, model } = calculator();
    const answers = new Map<string, ModelEvent[]>();
    const cache: Middleware = {
      async *model(request, _info, next) {
        const key = JSON.stringify(request.messages);
        const events = answers.get(key) ?? (await Array.fromAsync(next(request)));
        answers.set(key, events);
        yield* events;
      },
    };
    const first = await run(agent, "1 + 2?", { middleware: [cache] });
    const again = await run(agent, "1 + 2?", { middleware: [cache] });
    expect(again.messages).toEqual(first.messages);
    expect(model.requests).toHaveLength(2);
  });

  test("a call is answered in place of its tool, with events like any other", async () => {
    const { agent } = calculator();
    const events: RunEvent[] = [];
    const content = [{ type: "text", text: "four" }] as const;
    const { messages } = await run(agent, "1 + 2?", {
      onEvent: (event) => events.push(event),
      middleware: [
        {
          tool: async ({ toolCallId, toolName }) => ({
            toolCallId,
            toolName,
            content,
            isError: false,
            outcome: "success",
          }),
        },
      ],
    });
    expect(messages[1]).toMatchObject({ role: "tool", result: { toolCallId: "call_1", content } });
    expect(events.map(({ type }) => type).filter((type) => /^tool-(start|end)/.test(type))).toEqual([
      "tool-start",
      "tool-end",
    ]);
  });

  test("a run is answered by the result of another one", async () => {
    const { agent, model } = calculator();
    const first = await run(agent, "1 + 2?");
    const events: RunEvent[] = [];
    const again = await run(agent, "1 + 2?", {
      middleware: [{ run: async () => first }],
      onEvent: (event) => events.push(event),
    });
    expect(again).toBe(first);
    expect(events.map(({ type }) => type)).toEqual(["run-end"]);
    expect(model.requests).toHaveLength(2);
  });
});

describe("changes", () => {
  test("a model request and a tool's arguments", async () => {
    const { agent, model } = calculator();
    const { messages } = await run(agent, "1 + 2?", {
      middleware: [
        { model: (request, _info, next) => next({ ...request, instructions: "Be brief." }) },
        { tool: (call, _info, next) => next({ ...call, arguments: '{"a":10,"b":20}' }) },
      ],
    });
    expect(model.requests.map(({ instructions }) => instructions)).toEqual(["Be brief.", "Be brief."]);
    expect(messages[1]).toMatchObject({ result: { toolCallId: "call_1", structuredContent: 30 } });
  });

  test("arguments that a middleware changed are checked as those of a model are", async () => {
    const { agent } = calculator();
    const { messages } = await run(agent, "1 + 2?", {
      middleware: [{ tool: (call, _info, next) => next({ ...call, arguments: '{"a":"x"}' }) }],
    });
    expect(messages[1]).toMatchObject({ result: { outcome: "invalid-arguments" } });
  });

  test("what a model said and a tool returned", async () => {
    const { agent } = calculator([{ toolCalls: [addition] }, "It is 3."]);
    const { text, messages } = await run(agent, "1 + 2?", {
      middleware: [
        {
          async *model(request, _info, next) {
            for await (const event of next(request)) {
              if (event.type !== "finish") yield event;
              else
                yield {
                  ...event,
                  generation: { ...event.generation, text: event.generation.text.toUpperCase() },
                };
            }
          },
          async tool(call, _info, next) {
            const result = await next(call);
            return { ...result, content: [{ type: "text", text: "(hidden)" }] };
          },
        },
      ],
    });
    expect(text).toBe("IT IS 3.");
    expect(messages[1]).toMatchObject({ result: { content: [{ type: "text", text: "(hidden)" }] } });
  });
});

test("a middleware sees the number of attempts", async () => {
  let calls = 0;
  const model = new FunctionModel(() => {
    if (++calls < 3) throw new ModelError("busy", "overloaded", busy, true);
    return "Hi";
  });
  const attempts: number[] = [];
  const counting: StepMiddleware = {
    async *model(request, info, next) {
      yield* next(request);
      attempts.push(info.attempts);
    },
  };
  const { text } = await run(new Agent({ name: "A", model }), "x", { middleware: [counting] });
  expect({ text, attempts }).toEqual({ text: "Hi", attempts: [3] });
});

test.each([
  ["alone", []],
  ["within a middleware", [{ model: (request, _info, next) => next(request) }]],
] satisfies [string, StepMiddleware[]][])(
  "events tell who was asked, %s, how often and how long",
  async (_title, middleware) => {
    let calls = 0;
    const model = new FunctionModel(() => {
      if (++calls === 1) throw new ModelError("busy", "overloaded", busy, true);
      return { text: "Hi", usage: { inputTokens: 3, outputTokens: 1 } };
    });
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent): void => void events.push(event);
    await run(new Agent({ name: "A", model }), "x", { middleware, onEvent });
    expect(events.slice(0, -2)).toMatchObject([
      { type: "turn-start" },
      { type: "model-start", turn: 1, provider: model.provider, modelId: model.modelId },
      { type: "retry", turn: 1, attempt: 1, delayMs: 1, error: { message: "busy" } },
      { type: "text-delta" },
      { type: "model-end", attempts: 2, finishReason: "stop", durationMs: expect.any(Number) },
    ]);
  },
);

test("a run that is cancelled at any of its events leaves a resumable history, with any middleware", async () => {
  const slow: Middleware = {
    async run(_info, next) {
      return next();
    },
    async *model(request, _info, next) {
      yield* next(request);
    },
    async tool(call, _info, next) {
      const result = await next(call);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return result;
    },
  };
  const whole = await eventsUntil(Number.POSITIVE_INFINITY);
  expect(whole.result.status).toBe("completed");
  for (let last = 0; last < whole.count - 1; last++) {
    const { result, ends } = await eventsUntil(last);
    expect(["cancelled", "completed"]).toContain(result.status);
    expect(ends).toBe(1);
    const { agent } = calculator(["Again."]);
    expect((await run(agent, [...result.state.messages, { role: "user", content: "?" }])).text).toBe(
      "Again.",
    );
  }

  async function eventsUntil(last: number): Promise<{ result: RunResult; ends: number; count: number }> {
    const { agent } = calculator();
    const running = stream(agent, "1 + 2?", { middleware: [slow, slow] });
    let [ends, count] = [0, 0];
    for await (const event of running) {
      count++;
      if (event.index === last) running.cancel();
      if (event.type === "run-end") ends++;
    }
    return { result: await running.result, ends, count };
  }
});

test("a call that a middleware holds up ends when the run is cancelled", async () => {
  const { agent } = calculator();
  const holding: StepMiddleware = { tool: () => new Promise(() => {}) };
  const running = stream(agent, "1 + 2?", { middleware: [holding] });
  for await (const event of running) if (event.type === "tool-start") running.cancel();
  const { status, messages } = await running.result;
  expect(status).toBe("cancelled");
  expect(messages[1]).toMatchObject({ result: { outcome: "cancelled" } });
});
