import { expect, test } from "vitest";
import { Agent, run, SkeinError, tool } from "skein";
import type { Middleware, RunEvent, ToolContext, ToolResult } from "skein";
import { codeMode } from "skein/code";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";

const item = { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as const;

/** A tool, and the ids that its calls had when they were executed. */
function recorder(name = "add", policy: object = {}) {
  const ids: string[] = [];
  const recorded = tool({
    name,
    input: item,
    execute: async ({ id }: { id: string }) => {
      ids.push(id);
      return `${id} is done`;
    },
    ...policy,
  });
  return { ids, recorded };
}

const callsOf = (ids: readonly string[], toolName = "add") => ({
  toolCalls: ids.map((id) => ({ toolName, arguments: { id } })),
});

const textOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

const resultsOf = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
  messages.flatMap((message) => ("result" in message ? [message.result as ToolResult] : []));

test("the calls of an answer beyond the limit are not executed, and wait in the state for the run to be resumed", async () => {
  const { ids, recorded } = recorder();
  const model = new ScriptedModel([callsOf(["a", "b", "c", "d", "e"]), "done"]);
  const agent = new Agent({ name: "A", model, tools: [recorded] });
  const events: RunEvent[] = [];
  const first = await run(agent, "go", { maxToolCalls: 3, onEvent: (event) => events.push(event) });
  expect(ids).toEqual(["a", "b", "c"]);
  expect(first).toMatchObject({ status: "max-tool-calls", pending: [], turns: 1 });
  expect(first.state.pending.map((call) => call.arguments)).toEqual(['{"id":"d"}', '{"id":"e"}']);
  expect(events.filter(({ type }) => type === "tool-end")).toHaveLength(3);
  const stored: typeof first.state = JSON.parse(JSON.stringify(first.state));
  const second = await run(agent, stored, { maxToolCalls: 2 });
  expect(second).toMatchObject({ status: "completed", text: "done" });
  expect(ids).toEqual(["a", "b", "c", "d", "e"]);
  model.assertComplete();
});

test("a run that has made exactly its calls goes on to its answer", async () => {
  const { recorded } = recorder();
  const model = new ScriptedModel([callsOf(["a", "b"]), callsOf(["c"]), "done"]);
  const agent = new Agent({ name: "A", model, tools: [recorded] });
  expect(await run(agent, "go", { maxToolCalls: 3 })).toMatchObject({ status: "completed", turns: 3 });
});

test("nothing to call executes nothing", async () => {
  const { ids, recorded } = recorder();
  const model = new ScriptedModel([callsOf(["a"])]);
  const agent = new Agent({ name: "A", model, tools: [recorded] });
  expect(await run(agent, "go", { maxToolCalls: 0 })).toMatchObject({ status: "max-tool-calls" });
  expect(ids).toEqual([]);
});

test("calls that are not executed do not count: unknown tools, wrong arguments, denials and cached results", async () => {
  const { ids, recorded } = recorder("add", { cache: true });
  const { ids: paid, recorded: pay } = recorder("pay", { approval: true });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "nothing" }, { toolName: "add", arguments: {} }] },
    callsOf(["a", "a"]),
    callsOf(["a"]),
    callsOf(["x"], "pay"),
    callsOf(["b"]),
    "done",
  ]);
  const agent = new Agent({ name: "A", model, tools: [recorded, pay] });
  const paused = await run(agent, "go", { maxToolCalls: 1 });
  expect(paused.status).toBe("paused");
  const approvals = paused.pending.map(({ approvalId = "" }) => ({ approvalId, decision: "deny" }) as const);
  expect(await run(agent, paused.state, { approvals, maxToolCalls: 1 })).toMatchObject({
    status: "completed",
  });
  expect(ids).toEqual(["a", "b"]);
  expect(paid).toEqual([]);
});

test("a call that waits for a person and one beyond the limit are both left: first the person decides", async () => {
  const { ids, recorded } = recorder();
  const { ids: paid, recorded: pay } = recorder("pay", { approval: true });
  const both = [...callsOf(["x"], "pay").toolCalls, ...callsOf(["a", "b"]).toolCalls];
  const model = new ScriptedModel([{ toolCalls: both }, "done"]);
  const agent = new Agent({ name: "A", model, tools: [recorded, pay] });
  const paused = await run(agent, "go", { maxToolCalls: 1 });
  expect(paused.status).toBe("paused");
  expect(paused.pending.map(({ toolName }) => toolName)).toEqual(["pay"]);
  expect(paused.state.pending.map(({ toolName }) => toolName)).toEqual(["pay", "add"]);
  expect(ids).toEqual(["a"]);
  const approvals = [{ approvalId: paused.pending[0]?.approvalId ?? "", decision: "approve" } as const];
  expect(await run(agent, paused.state, { approvals, maxToolCalls: 2 })).toMatchObject({
    status: "completed",
  });
  expect([ids, paid]).toEqual([["a", "b"], ["x"]]);
});

test("of calls that a person has approved, those beyond the limit are left as well, and a session has the decision", async () => {
  const { ids, recorded } = recorder("pay", { approval: true });
  const session = memorySession();
  const model = new ScriptedModel([callsOf(["a", "b"], "pay"), "done"]);
  const agent = new Agent({ name: "A", model, tools: [recorded] });
  const paused = await run(agent, "go", { session, maxToolCalls: 1 });
  const approvals = paused.pending.map(
    ({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const,
  );
  const limited = await run(agent, [], { session, approvals, maxToolCalls: 1 });
  expect(limited).toMatchObject({ status: "max-tool-calls", state: { pending: [{ toolName: "pay" }] } });
  expect(ids).toEqual(["a"]);
  expect(await run(agent, [], { session, maxToolCalls: 1 })).toMatchObject({ status: "completed" });
  expect(ids).toEqual(["a", "b"]);
});

test("an agent as a tool has its limit over its pauses", async () => {
  const { ids, recorded } = recorder("add", { approval: true });
  const helper = new Agent({
    name: "Helper",
    model: new ScriptedModel([callsOf(["a"]), callsOf(["b"]), callsOf(["c"]), "helped"]),
    tools: [recorded],
  });
  const agent = new Agent({
    name: "Outer",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "helper", arguments: { input: "go" } }] }, "done"]),
    tools: [helper.asTool({ maxToolCalls: 2 })],
  });
  let outcome = await run(agent, "go");
  while (outcome.status === "paused") {
    const approvals = outcome.pending.map(
      ({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const,
    );
    outcome = await run(agent, JSON.parse(JSON.stringify(outcome.state)), { approvals });
  }
  expect(ids).toEqual(["a", "b"]);
  expect(textOf(resultsOf(outcome)[0] as ToolResult)).toMatch(/Helper reached its limit of 2 tool calls/);
});

test("a tool that calls another beyond the limit gets an error, and the run ends before the next model call", async () => {
  const { ids, recorded } = recorder();
  const caught: unknown[] = [];
  const batch = tool({
    name: "batch",
    input: { type: "object", properties: {} },
    execute: async (_: object, context: ToolContext) => {
      for (const id of ["a", "b", "c"])
        await context.call("add", { id }).catch((error: unknown) => {
          caught.push(error);
          throw error;
        });
      return "all done";
    },
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "batch" }] }, "I could not add c."]);
  const agent = new Agent({ name: "A", model, tools: [batch, recorded] });
  const first = await run(agent, "go", { maxToolCalls: 3 });
  expect(first).toMatchObject({ status: "max-tool-calls", turns: 1, state: { pending: [] } });
  expect(ids).toEqual(["a", "b"]);
  expect(caught).toEqual([expect.any(SkeinError)]);
  expect(caught[0]).toMatchObject({
    code: "call-limit",
    data: { limit: "maxToolCalls", toolName: "add" },
    message: "add was not called: the run may call tools at most 3 times.",
  });
  expect(textOf(resultsOf(first)[0] as ToolResult)).toMatch(/^batch failed: add was not called: the run may/);
  expect(await run(agent, first.state)).toMatchObject({ status: "completed", text: "I could not add c." });
});

test("an agent as a tool has a limit of its own, and its calls count for the run around it", async () => {
  const { ids, recorded } = recorder();
  const helper = (limit?: number) =>
    new Agent({
      name: "Helper",
      model: new ScriptedModel([callsOf(["a", "b", "c"]), "helped"]),
      tools: [recorded],
    }).asTool(limit === undefined ? {} : { maxToolCalls: limit });
  const outer = (limit?: number) =>
    new Agent({
      name: "Outer",
      model: new ScriptedModel([
        { toolCalls: [{ toolName: "helper", arguments: { input: "go" } }] },
        callsOf(["d"]),
        "done",
      ]),
      tools: [helper(limit), recorded],
    });
  const own = await run(outer(2), "go", { maxToolCalls: 4 });
  expect(own).toMatchObject({ status: "completed" });
  expect(textOf(resultsOf(own)[0] as ToolResult)).toMatch(/Helper reached its limit of 2 tool calls before/);
  expect(ids.splice(0)).toEqual(["a", "b", "d"]);
  const around = await run(outer(), "go", { maxToolCalls: 3 });
  expect(around).toMatchObject({ status: "max-tool-calls", turns: 1 });
  expect(ids).toEqual(["a", "b"]);
});

test("a program in code mode cannot call tools beyond the limit", async () => {
  const { ids, recorded } = recorder();
  const code = `let count = 0; for (let i = 0; i < 50; i++) await tools.add({ id: String(i) }).then(() => count++, () => {}); return count;`;
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "execute_typescript", arguments: { code } }] },
    "done",
  ]);
  const agent = new Agent({ name: "A", model, tools: [codeMode([recorded], { check: false })] });
  const outcome = await run(agent, "go", { maxToolCalls: 8 });
  expect(outcome.status).toBe("max-tool-calls");
  expect(ids).toHaveLength(7);
});

test("retries of a call count once, and what a middleware calls again counts again", async () => {
  let attempts = 0;
  const flaky = tool({
    name: "flaky",
    input: { type: "object", properties: {} },
    retries: { times: 3, delay: 0, when: () => true },
    execute: () => {
      attempts++;
      if (attempts % 3 !== 0) throw new Error("not yet");
      return "ok";
    },
  });
  const call = { toolCalls: [{ toolName: "flaky" }] };
  const agent = new Agent({ name: "A", model: new ScriptedModel([call, call, "done"]), tools: [flaky] });
  expect(await run(agent, "go", { maxToolCalls: 2 })).toMatchObject({ status: "completed" });
  expect(attempts).toBe(6);
  const { ids, recorded } = recorder();
  const twice = new Agent({ name: "A", model: new ScriptedModel([callsOf(["a", "b"])]), tools: [recorded] });
  const outcome = await run(twice, "go", {
    maxToolCalls: 3,
    middleware: [
      {
        tool: async (made, _info, next) => {
          await next(made);
          return next(made);
        },
      },
    ],
  });
  expect(ids).toHaveLength(3);
  expect(outcome.status).toBe("max-tool-calls");
});

test("a session keeps the calls that were not executed for the run that goes on", async () => {
  const { ids, recorded } = recorder();
  const model = new ScriptedModel([callsOf(["a", "b", "c"]), "done"]);
  const agent = new Agent({ name: "A", model, tools: [recorded] });
  const session = memorySession();
  expect(await run(agent, "go", { session, maxToolCalls: 2 })).toMatchObject({ status: "max-tool-calls" });
  expect(await run(agent, [], { session, maxToolCalls: 2 })).toMatchObject({ status: "completed" });
  expect(ids).toEqual(["a", "b", "c"]);
});

test("a run that is started again under its journal counts the calls that it made before", async () => {
  const { ids, recorded } = recorder();
  const steps = new Map<string, unknown>();
  const journal = {
    step: async <T>(key: string, perform: () => Promise<T>): Promise<T> => {
      if (!steps.has(key)) steps.set(key, JSON.parse(JSON.stringify(await perform())));
      return steps.get(key) as T;
    },
  };
  const answers = [callsOf(["a", "b"]), callsOf(["c", "d"])];
  const agent = new Agent({
    name: "A",
    model: new FunctionModel(({ messages }) => {
      const answer = answers[messages.filter(({ role }) => role === "assistant").length];
      if (!answer) throw new Error("The process died.");
      return answer;
    }),
    tools: [recorded],
  });
  await expect(run(agent, "go", { journal, maxToolCalls: 5 })).rejects.toThrow("The process died.");
  answers.push(callsOf(["e", "f"]));
  expect(await run(agent, "go", { journal, maxToolCalls: 5 })).toMatchObject({ status: "max-tool-calls" });
  expect(ids).toEqual(["a", "b", "c", "d", "e"]);
});

test.each(["tell", "ask"] as const)(
  "calls beyond the limit have not begun: resumed, they are executed with interrupted: %s as well",
  async (interrupted) => {
    for (const session of [undefined, memorySession()]) {
      const { ids, recorded } = recorder("add", { interrupted });
      const model = new ScriptedModel([callsOf(["a", "b"]), "done"]);
      const agent = new Agent({ name: "A", model, tools: [recorded] });
      const options = session ? { session } : {};
      const first = await run(agent, "go", { ...options, maxToolCalls: 1 });
      const second = await run(agent, session ? [] : JSON.parse(JSON.stringify(first.state)), options);
      expect(second).toMatchObject({ status: "completed", text: "done" });
      expect(ids).toEqual(["a", "b"]);
    }
  },
);

test("where a conversation goes on without the calls beyond the limit, the model reads that they were not executed", async () => {
  const { recorded } = recorder();
  const model = new ScriptedModel([callsOf(["a", "b"]), "done"]);
  const agent = new Agent({ name: "A", model, tools: [recorded] });
  const session = memorySession();
  await run(agent, "go", { session, maxToolCalls: 1 });
  const second = await run(agent, "Never mind.", { session });
  expect(resultsOf(second.state).map(textOf)).toContain(
    "add was not executed: the conversation went on without it.",
  );
});

test("a call that a middleware makes once more beyond the limit has begun, and does not stay pending", async () => {
  const { ids, recorded } = recorder();
  const model = new ScriptedModel([callsOf(["a"]), "done"]);
  const agent = new Agent({ name: "A", model, tools: [recorded] });
  const twice: Middleware = {
    tool: async (each, _info, next) => {
      await next(each);
      return next(each);
    },
  };
  const first = await run(agent, "go", { maxToolCalls: 1, middleware: [twice] });
  expect(first).toMatchObject({ status: "max-tool-calls" });
  expect(first.state.pending).toEqual([]);
  expect(resultsOf(first).map(textOf)).toEqual(["add was not called: the run may call tools once."]);
  expect(ids).toEqual(["a"]);
});

test("a call beyond the limit stays pending, though an earlier answer had a call of the same id", async () => {
  const { ids, recorded } = recorder();
  const model = new FunctionModel(({ messages }) => {
    const id = String(messages.filter(({ role }) => role === "tool").length);
    return id === "3" ? "done" : { toolCalls: [{ toolCallId: "same", toolName: "add", arguments: { id } }] };
  });
  const agent = new Agent({ name: "A", model, tools: [recorded] });
  let outcome = await run(agent, "go", { maxToolCalls: 1 });
  while (outcome.status === "max-tool-calls") {
    expect(outcome.state.pending).toHaveLength(1);
    outcome = await run(agent, outcome.state, { maxToolCalls: 1 });
  }
  expect(outcome).toMatchObject({ status: "completed", text: "done" });
  expect(ids).toEqual(["0", "1", "2"]);
});

test("a call that a program got to execute itself is not simply made from the session, where it may have been executed", async () => {
  const { ids, recorded } = recorder("add", { interrupted: "tell" });
  const model = new ScriptedModel([callsOf(["a"]), "done"]);
  const agent = new Agent({ name: "A", model, tools: [recorded] });
  const session = memorySession();
  expect(await run(agent, "go", { session, executeTools: false })).toMatchObject({ status: "paused" });
  const second = await run(agent, [], { session });
  expect(ids).toEqual([]);
  expect(resultsOf(second.state).map(textOf)[0]).toContain("it may or may not have taken effect");
});
