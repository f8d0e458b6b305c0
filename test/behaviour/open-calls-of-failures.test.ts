/** Calls that a run leaves open as it fails: its events say the same as its history. */
import { expect, test } from "vitest";
import { Agent, type Middleware, run, type RunEvent, type SkeinError, tool } from "skein";
import { guard } from "skein/guards";
import { FunctionModel } from "skein/testing";
import { calls, does, effects, empty } from "./test-nested.ts";

const fail = (): never => {
  throw new Error("The service is down.");
};

const failing: Readonly<Record<string, () => Middleware>> = {
  "a guard that fails": () => guard({ tool: fail }),
  "a middleware that returns no result": () => ({
    // @ts-expect-error -- what a program in JavaScript may do
    tool: async () => undefined,
  }),
  "a middleware that passes no call on": () => ({
    // @ts-expect-error -- the same
    tool: (_call, _info, next) => next({}),
  }),
};

/** What became of the calls of a run that fails. */
async function failed(agent: Agent, middleware: readonly Middleware[], signal?: AbortSignal) {
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): unknown => events.push(event);
  const options = { middleware, onEvent, ...(signal && { signal }) };
  const ended = await run(agent, "Go.", options).catch((error: SkeinError) => error);
  const { state } = ended;
  if (!state) throw new Error("The run has no state.");
  return {
    state,
    started: events.flatMap((event) => (event.type === "tool-start" ? event.toolCall.toolCallId : [])),
    ended: events.flatMap((event) => (event.type === "tool-end" ? event.result.toolCallId : [])),
    results: state.messages.flatMap((message) => (message.role === "tool" ? message.result.toolCallId : [])),
  };
}

test.each(Object.keys(failing))("%s ends no call that stays open", async (kind) => {
  const agent = new Agent({
    name: "Clerk",
    model: calls("look", "note"),
    tools: [does("look"), does("note")],
  });
  const { state, started, ended, results } = await failed(agent, [failing[kind]?.() ?? {}]);
  expect(started).not.toEqual([]);
  expect([ended, results]).toEqual([[], []]);
  expect(state.pending).toHaveLength(1);
  expect((await run(agent, state)).status).toBe("completed");
  expect(effects).toEqual(["look", "note"]);
});

test.each(Object.keys(failing))("a call that a tool makes ends with that one: %s", async (kind) => {
  const outer = tool({
    name: "outer",
    input: empty,
    async execute(_: object, { call }) {
      await call("look", {});
      return String(await call("note", {}));
    },
  });
  const agent = new Agent({
    name: "Clerk",
    model: calls("outer"),
    tools: [outer, does("look"), does("note")],
  });
  const middleware = failing[kind]?.() ?? {};
  const ofNote: Middleware = {
    tool: (call, info, next) =>
      call.toolName === "note" && middleware.tool ? middleware.tool(call, info, next) : next(call),
  };
  const { state, started, ended, results } = await failed(agent, [ofNote]);
  const isOpen = state.pending.length > 0;
  expect(started).toHaveLength(3);
  expect([ended.length, results.length]).toEqual(isOpen ? [1, 0] : [3, 1]);
  expect((await run(agent, state)).status).toBe("completed");
  expect(effects).toEqual(isOpen ? ["look", "note"] : ["look"]);
});

test("a call that was to stay open ends where the run is cancelled meanwhile", async () => {
  const controller = new AbortController();
  const wait = tool({
    name: "wait",
    input: empty,
    execute: () => new Promise((resolve) => setTimeout(() => resolve(controller.abort()), 5)),
  });
  const both = { toolCalls: ["look", "wait"].map((toolName) => ({ toolName, arguments: {} })) };
  const model = new FunctionModel(() => both);
  const agent = new Agent({ name: "Clerk", model, tools: [does("look"), wait] });
  const failsAtLook = guard({ tool: ({ call }) => (call.toolName === "look" ? fail() : undefined) });
  const { state, ended, results } = await failed(agent, [failsAtLook], controller.signal);
  expect(ended.toSorted()).toEqual(["call_1", "call_2"]);
  expect(results).toEqual(["call_1", "call_2"]);
  expect(state).toMatchObject({ status: "cancelled", pending: [] });
});
