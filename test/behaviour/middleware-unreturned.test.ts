/** A `tool` function that performs its call, and returns nothing: the run fails, and no call is executed twice. */
import {
  Agent,
  type AgentOptions,
  ConfigurationError,
  type Middleware,
  run,
  type RunEvent,
  type RunOptions,
  type RunState,
  tool,
} from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";

const neutral = "The call was executed; its result is not available.";

/** As a program in JavaScript may have it. */
function asMiddleware(middleware: {
  tool: (...input: Parameters<NonNullable<Middleware["tool"]>>) => unknown;
}) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it returns is what is tested
  return middleware as Middleware;
}

/** Forgets to return the results of `pay`. */
const forgetful = asMiddleware({
  async tool(call, _info, next) {
    const result = await next(call);
    if (call.toolName !== "pay") return result;
  },
});

function shop(options: Partial<AgentOptions> = {}, toolNames = ["look", "pay", "send"]) {
  const executed: string[] = [];
  const tools = ["look", "pay", "send"].map((name) =>
    tool({
      name,
      description: `Does ${name}.`,
      input: { type: "object", properties: {} },
      execute: () => {
        executed.push(name);
        return `${name} is done`;
      },
    }),
  );
  const model = new ScriptedModel([{ toolCalls: toolNames.map((toolName) => ({ toolName })) }, "done"]);
  return { executed, model, agent: new Agent({ name: "Shop", model, tools, ...options }) };
}

async function failureOf(
  agent: Agent,
  input: string,
  options: RunOptions<{}>,
): Promise<ConfigurationError & { state: RunState }> {
  const error: unknown = await run(agent, input, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConfigurationError) || !error.state) throw new TypeError("The run did not fail.");
  return Object.assign(error, { state: error.state });
}

function resultsOf({ messages }: { readonly messages: RunState["messages"] }) {
  return messages.flatMap((message) =>
    message.role === "tool" ? [[message.result.toolName, message.result.outcome]] : [],
  );
}

test("the results of a batch are in the state, and a resumed run executes none of its calls again", async () => {
  const { agent, executed, model } = shop();
  const error = await failureOf(agent, "x", { middleware: [forgetful] });
  expect(error).toMatchObject({
    code: "invalid-middleware",
    message: expect.stringContaining("`tool` of middleware[0] must return a tool result"),
  });
  expect(resultsOf(error.state)).toEqual([
    ["look", "success"],
    ["pay", "error"],
    ["send", "success"],
  ]);
  const resumed = await run(agent, error.state);
  expect(resumed).toMatchObject({ status: "completed", text: "done" });
  expect(executed).toEqual(["look", "pay", "send"]);
  const texts = JSON.stringify(model.requests[1]?.messages);
  expect(texts).toContain(neutral);
  expect(texts).not.toContain("middleware");
});

test("a call that the function neither waits for nor returns is waited for", async () => {
  let finish = (): void => undefined;
  const finished = new Promise<string>((resolve) => (finish = () => resolve("paid")));
  const pay = tool({ name: "pay", description: "Pays.", input: {}, execute: () => finished });
  const { agent } = shop({ tools: [pay] }, ["pay"]);
  const middleware = [asMiddleware({ tool: (call, _info, next) => void next(call) })];
  setTimeout(() => finish(), 5);
  const error = await failureOf(agent, "x", { middleware });
  expect(error.state.messages.at(-1)).toMatchObject({
    result: { toolCallId: "call_1", outcome: "error", content: [{ text: neutral }] },
  });
});

test("calls that were not executed stay open, and a resumed run executes them", async () => {
  const { agent, executed } = shop();
  const middleware = [
    asMiddleware({ tool: (call, _info, next) => (call.toolName === "pay" ? undefined : next(call)) }),
  ];
  const error = await failureOf(agent, "x", { middleware, concurrency: 1 });
  expect(resultsOf(error.state)).toEqual([["look", "success"]]);
  expect(executed).toEqual(["look"]);
  await run(agent, error.state);
  expect(executed).toEqual(["look", "pay", "send"]);
});

test("a result that ends the run still ends it once the run is resumed", async () => {
  const look = tool({ name: "look", description: "Looks.", input: {}, final: true, execute: () => "seen" });
  const pay = tool({ name: "pay", description: "Pays.", input: {}, execute: () => "paid" });
  const { agent, model } = shop({ tools: [look, pay] }, ["look", "pay"]);
  const error = await failureOf(agent, "x", { middleware: [forgetful] });
  expect(await run(agent, error.state)).toMatchObject({ status: "completed", text: "seen" });
  expect(model.requests).toHaveLength(1);
});

test("an outer function cannot hide the mistake of an inner one", async () => {
  const { agent, executed } = shop();
  const outer: Middleware = {
    async tool(call, _info, next) {
      try {
        return await next(call);
      } catch {
        throw new Error("hidden");
      }
    },
  };
  const error = await failureOf(agent, "x", { middleware: [outer, forgetful] });
  expect(error.message).toContain("middleware[1]");
  expect(JSON.stringify(error.state)).toContain(neutral);
  expect(executed).toEqual(["look", "pay", "send"]);
});

test("with a journal, a run that is started again executes no call again", async () => {
  const { agent, executed } = shop();
  const journal = memoryJournal();
  await failureOf(agent, "x", { middleware: [forgetful], journal });
  const again = await run(agent, "x", { middleware: [forgetful], journal });
  expect(again.status).toBe("completed");
  expect(executed).toEqual(["look", "pay", "send"]);
});

test.each([[["pay"]], [["look", "pay", "send"]]])(
  "with a session, a run that goes on executes none of %j again",
  async (names) => {
    const { agent, executed } = shop({}, names);
    const session = memorySession();
    await failureOf(agent, "x", { middleware: [forgetful], session });
    const resumed = await run(agent, [], { session });
    expect(resumed).toMatchObject({ status: "completed", text: "done" });
    expect(executed).toEqual(names);
  },
);

test("a mistake within an agent used as a tool fails the run with the state of the outer run", async () => {
  const { agent: inner, executed } = shop({ name: "inner", middleware: [forgetful] });
  const call = { toolCalls: [{ toolName: "inner", arguments: { input: "q" } }] };
  const outer = new Agent({ name: "A", model: new ScriptedModel([call, "done"]), tools: [inner.asTool()] });
  const passing: Middleware = { tool: (toolCall, _info, next) => next(toolCall) };
  const error = await failureOf(outer, "x", { middleware: [passing] });
  expect(error.message).toContain("middleware[0] of the agent");
  expect(resultsOf(error.state)).toEqual([["inner", "error"]]);
  expect(JSON.stringify(error.state)).toContain(neutral);
  await run(outer, error.state);
  expect(executed).toEqual(["look", "pay", "send"]);
});

test("a call that a tool makes fails for the tool in neutral words, and then the run fails", async () => {
  const executed: string[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    input: {},
    execute: () => void executed.push("pay"),
  });
  const order = tool({
    name: "order",
    description: "Orders.",
    input: {},
    execute: async (_input, { call }) => call("pay", {}),
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "order" }] }, "done"]);
  const agent = new Agent({ name: "A", model, tools: [order, pay] });
  const ends: RunEvent[] = [];
  const onEvent = (event: RunEvent) => event.type === "run-end" && ends.push(event);
  const error = await failureOf(agent, "x", { middleware: [forgetful], onEvent });
  expect(error.state.messages.at(-1)).toMatchObject({
    result: { toolName: "order", content: [{ text: `order failed: ${neutral}` }] },
  });
  expect(ends).toMatchObject([{ status: "failed" }]);
  expect(executed).toEqual(["pay"]);
});
