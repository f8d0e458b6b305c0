/** What a middleware of calls decides on after the tool was called. */
import { Agent, type Middleware, result, run, type RunEvent, SkeinError, type ToolResult, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";

const input = { type: "object", properties: {} };

function named(name: string, execute: () => unknown, options: object = {}) {
  return tool({ name, description: name, input, execute, ...options });
}

function calling(name: string, ...tools: ReturnType<typeof named>[]) {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: name }] }, "done"]);
  return new Agent({ name: "A", model, tools });
}

const rejected: Middleware = {
  tool: async (call, _info, next) => ({
    ...(await next(call)),
    content: [{ type: "text", text: "no" }],
    isError: true,
    outcome: "error",
  }),
};

describe("a result that a middleware rejects", () => {
  test("hands nothing off", async () => {
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_second" }] }, "stayed"]);
    const second = new Agent({ name: "Second", model: new ScriptedModel(["moved"]) });
    const agent = new Agent({ name: "First", model, handoffs: [second] });
    expect(await run(agent, "x", { middleware: [rejected] })).toMatchObject({
      text: "stayed",
      agent: { name: "First" },
    });
  });

  test("neither ends the run nor changes its context", async () => {
    const agent = calling(
      "end",
      named("end", () => result({ value: "over", final: true, context: { paid: true } })),
    );
    const ended = await run(agent, "x", { context: {}, middleware: [rejected] });
    expect(ended).toMatchObject({ text: "done", context: {} });
    expect(ended.context).not.toHaveProperty("paid");
  });
});

describe("a call that waits for an approval", () => {
  const agent = () =>
    calling(
      "pay",
      named("pay", () => "paid", { approval: true }),
    );

  test("goes on waiting where its middleware passes the result on", async () => {
    const passing: Middleware = { tool: (call, _info, next) => next(call) };
    expect(await run(agent(), "x", { middleware: [passing] })).toMatchObject({
      status: "paused",
      pending: [{ toolName: "pay" }],
    });
  });

  test("has the result that its middleware returns instead", async () => {
    const answering: Middleware = {
      tool: async (call, _info, next) => ({
        ...(await next(call)),
        content: [{ type: "text", text: "paid by invoice" }],
        isError: false,
        outcome: "success",
      }),
    };
    const { status, messages, pending } = await run(agent(), "x", { middleware: [answering] });
    expect({ status, pending }).toEqual({ status: "completed", pending: [] });
    expect(messages[1]).toMatchObject({
      result: { outcome: "success", content: [{ text: "paid by invoice" }] },
    });
  });
});

test("a call that a middleware leaves out has the result that it returns", async () => {
  let calls = 0;
  const refusing: Middleware = {
    tool: async ({ toolCallId, toolName }) => ({
      toolCallId,
      toolName,
      content: [{ type: "text", text: "Not on Sundays." }],
      isError: true,
      outcome: "not-executed",
    }),
  };
  const agent = calling(
    "open",
    named("open", () => (calls += 1)),
  );
  const { status, messages } = await run(agent, "x", { middleware: [refusing] });
  expect(messages[1]).toMatchObject({
    result: { outcome: "not-executed", content: [{ text: "Not on Sundays." }] },
  });
  expect([status, calls]).toEqual(["completed", 0]);
});

test("a failure that a middleware turned into a success is not reported as an error", async () => {
  const ends: RunEvent[] = [];
  const recovered: Middleware = {
    tool: async (call, _info, next) => ({
      ...(await next(call)),
      content: [{ type: "text", text: "recovered" }],
      isError: false,
      outcome: "success",
    }),
  };
  const agent = calling(
    "fail",
    named("fail", () => Promise.reject(new Error("boom"))),
  );
  await run(agent, "x", {
    middleware: [recovered],
    onEvent: (event) => event.type === "tool-end" && ends.push(event),
  });
  expect(ends).toMatchObject([{ result: { outcome: "success" } }]);
  expect(ends[0]).not.toHaveProperty("error");
});

test("a changed result takes the hidden value back; one that is passed on does not", async () => {
  const seen: unknown[] = [];
  const agent = () =>
    calling(
      "secret",
      named("secret", () => "1234", { mask: true }),
    );
  const onEvent = (event: RunEvent) => event.type === "tool-end" && seen.push(event.value);
  const passing: Middleware = { tool: (call, _info, next) => next(call) };
  const changing: Middleware = {
    tool: async (call, _info, next) => ({ ...(await next(call)), content: [{ type: "text", text: "x" }] }),
  };
  await run(agent(), "x", { middleware: [passing], onEvent });
  await run(agent(), "x", { middleware: [changing], onEvent });
  expect(seen).toEqual(["1234", undefined]);
});

test("context changes of several calls are merged in the order of the calls", async () => {
  const slow = named("slow", async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return result({ value: "slow", context: { slow: 1, last: "slow" } });
  });
  const quick = named("quick", () => result({ value: "quick", context: { quick: 1, last: "quick" } }));
  const both: Middleware = {
    async tool(call, _info, next) {
      const [first] = await Promise.all([next(call), next({ ...call, toolName: "quick" })]);
      return first;
    },
  };
  const { context } = await run(calling("slow", slow, quick), "x", { context: {}, middleware: [both] });
  expect(context).toEqual({ slow: 1, quick: 1, last: "quick" });
});

test("next is refused once the function has returned, calls nothing, and the run warns", async () => {
  let calls = 0;
  let late: (() => Promise<ToolResult>) | undefined;
  const keeping: Middleware = {
    tool(call, _info, next) {
      late = () => next(call);
      return next(call);
    },
  };
  const { warnings } = await run(
    calling(
      "count",
      named("count", () => ++calls),
    ),
    "x",
    { middleware: [{ tool: (call, _info, next) => next(call) }, keeping] },
  );
  expect(warnings).toEqual([]);
  await expect(late?.()).rejects.toThrow("called next after it had returned");
  expect(calls).toBe(1);
  expect(warnings).toEqual([expect.stringContaining("`tool` of middleware[1] called next after")]);
});

test.each([undefined, { toolName: "count", arguments: {} }])(
  "next refuses %j, which is not a call",
  async (wrong) => {
    // @ts-expect-error -- as a program in JavaScript may have it
    const careless: Middleware = { tool: (_call, _info, next) => next(wrong) };
    const agent = calling(
      "count",
      named("count", () => 1),
    );
    await expect(run(agent, "x", { middleware: [careless] })).rejects.toMatchObject({
      code: "invalid-middleware",
      message: "The function `tool` of middleware[0] must call next with a call.",
      state: { messages: [{ role: "user" }, { role: "assistant" }] },
    });
  },
);

test("calls that a cancelled run did not begin are made when it is started again under its journal", async () => {
  const done: string[] = [];
  const journal = memoryJournal();
  const { steps } = journal;
  const agent = (first: () => void) =>
    new Agent({
      name: "A",
      model: new ScriptedModel([{ toolCalls: [{ toolName: "a" }, { toolName: "b" }] }, "done"]),
      tools: [named("a", first), named("b", () => done.push("b"))],
    });
  const controller = new AbortController();
  const options = { journal, concurrency: 1 };
  const cancelling = agent(() => controller.abort());
  await run(cancelling, "x", { ...options, signal: controller.signal });
  expect(done).toEqual([]);
  expect([...steps.keys()]).not.toContain("turn-1/tool/call_2");
});

test("instanceof answers for an error whose class has no constructor", () => {
  const prototype = Object.create(Error.prototype, { constructor: { value: undefined } });
  expect(Object.create(prototype) instanceof SkeinError).toBe(false);
});
