import { expect, test } from "vitest";
import { Agent, result, run, tool, type RunEvent, type Tool, type ToolContext } from "skein";
import { ScriptedModel } from "skein/testing";

const open = { type: "object" } as const;

/** A tool that does what it does through others. */
function through(name: string, execute: (context: ToolContext) => unknown): Tool {
  return tool({ name, input: open, execute: (_, context) => execute(context) });
}

/** Calls `outer` beside the other tools' agent, and gives back what came of it. */
async function callOuter(execute: (context: ToolContext) => unknown, tools: readonly Tool[] = []) {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "outer" }] }, "done"]);
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => void events.push(event);
  const agent = new Agent({ name: "A", model, tools: [through("outer", execute), ...tools] });
  const outcome = await run(agent, "go", { onEvent, context: { count: 0 } });
  const message = outcome.messages[1];
  if (message?.role !== "tool") throw new Error("there is no tool message");
  return { ...outcome, result: message.result, events };
}

const double = tool<{ value: number }>({
  name: "double",
  input: { type: "object", properties: { value: { type: "integer" } }, required: ["value"] },
  execute: ({ value }) => ({ value: value * 2 }),
});

test("every inner call has an id of its own, and its events name the call that made it", async () => {
  const inner = through("inner", async ({ call, progress }) => {
    progress("half");
    return call("double", { value: 4 });
  });
  const { events } = await callOuter(
    async ({ call }) => [await call("inner", {}), await call("inner", {})],
    [inner, double],
  );
  const told = events.flatMap((event) => {
    const parent =
      event.type.startsWith("tool-") && "parentToolCallId" in event ? event.parentToolCallId : undefined;
    const named = (what: string, id: string) => [[what, short(id), parent && short(parent)]];
    if (event.type === "tool-start") return named("start", event.toolCall.toolCallId);
    if (event.type === "tool-progress") return named("progress", event.toolCallId);
    return event.type === "tool-end" ? named("end", event.result.toolCallId) : [];
  });
  /** An id of a call within another has a fingerprint of the arguments. */
  function short(id: string): string {
    return id.replaceAll(/\/[0-9a-f]{16}/g, "/#");
  }
  const once = (id: string): unknown[] => [
    ["start", id, "call_1"],
    ["progress", id, "call_1"],
    ["start", `${id}/double/#`, id],
    ["end", `${id}/double/#`, id],
    ["end", id, "call_1"],
  ];
  expect(told).toEqual([
    ["start", "call_1", undefined],
    ...once("call_1/inner/#"),
    ...once("call_1/inner/#/2"),
    ["end", "call_1", undefined],
  ]);
});

test("validates inner calls, and applies the policies of their tools", async () => {
  const wrong = await callOuter(({ call }) => call("double", { value: "many" }), [double]);
  expect(wrong.result.outcome).toBe("error");
  expect(JSON.stringify(wrong.result.content)).toContain("$.value");
  const limited = tool({ name: "pay", input: open, allow: () => false, execute: () => "paid" });
  const paid = await callOuter(({ call }) => call("pay", {}), [limited]);
  expect(paid.result.outcome).toBe("error");
  expect(JSON.stringify(paid.result.content)).toContain("pay");
  const unknown = await callOuter(({ call }) => call("duoble", {}), [double]);
  expect(JSON.stringify(unknown.result.content)).toContain("double");
});

test("tools that call each other without end are stopped", async () => {
  const { result: given, events } = await callOuter(({ call }) => call("outer", {}));
  expect(given.outcome).toBe("error");
  expect(JSON.stringify(given.content)).toContain("16 deep");
  expect(events.filter(({ type }) => type === "tool-start")).toHaveLength(17);
});

test("what inner tools change of the context is changed, also where the outer one fails", async () => {
  const count = tool<{ to: number }>({
    name: "count",
    input: { type: "object", properties: { to: { type: "integer" } } },
    execute: ({ to }) => result({ value: to, context: { count: to, [`at${to}`]: true } }),
  });
  const { context } = await callOuter(
    async ({ call }) => {
      await call("count", { to: 1 });
      await call("count", { to: 2 });
      throw new Error("too late");
    },
    [count],
  );
  expect(context).toEqual({ count: 2, at1: true, at2: true });
});

test("a tool that calls one which hands off receives the agent, and hands off by returning it", async () => {
  const other = new Agent({ name: "Other" });
  const { agent } = await callOuter(({ call }) => call("ask", {}), [through("ask", () => other)]);
  expect(agent.name).toBe("Other");
});

test("a tool may change the value that another returned: it is a copy", async () => {
  const cached = tool({ name: "cached", input: open, cache: true, execute: () => ({ list: [1] }) });
  const { result: given } = await callOuter(
    async ({ call }) => {
      const first = (await call("cached", {})) as { list: number[] };
      first.list.push(2);
      return call("cached", {});
    },
    [cached],
  );
  expect(given.structuredContent).toEqual({ list: [1] });
});

test("an inner call ends with the outer one", async () => {
  const controller = new AbortController();
  let seen: AbortSignal | undefined;
  const slow = through("slow", ({ signal }) => {
    seen = signal;
    controller.abort();
    return new Promise(() => undefined);
  });
  const outer = through("outer", ({ call }) => call("slow", {}));
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "outer" }] }]);
  const agent = new Agent({ name: "A", model, tools: [outer, slow] });
  const { status } = await run(agent, "go", { signal: controller.signal });
  expect(status).toBe("cancelled");
  expect(seen?.aborted).toBe(true);
});

test("what a call refers to, and what a tool receives, is the value without the note of an edit", async () => {
  const received: unknown[] = [];
  const create = tool({
    name: "create",
    input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
    approval: true,
    execute: ({ amount }: { amount: number }) => `INV-${amount}`,
  });
  const send = tool({
    name: "send",
    input: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    execute: ({ id }: { id: string }) => received.push(id),
  });
  const wrap = tool({
    name: "wrap",
    input: { type: "object", properties: {} },
    execute: async (_input: unknown, { call }: ToolContext) =>
      received.push(await call("create", { amount: 6 })),
  });
  const toolCalls = [
    { toolName: "create", arguments: { amount: 5 } },
    { toolName: "send", arguments: { id: { $result: "create" } } },
    { toolName: "wrap" },
  ];
  const model = new ScriptedModel([{ toolCalls }, "Done."]);
  const agent = new Agent({ name: "A", model, tools: [create, send, wrap] });
  const paused = await run(agent, "go");
  const approvals = paused.pending.flatMap(({ approvalId }) =>
    approvalId === undefined ? [] : [{ approvalId, decision: "approve" as const, arguments: { amount: 7 } }],
  );
  const { status, messages } = await run(agent, paused.state, { approvals });
  expect(status).toBe("completed");
  expect(received).toEqual(["INV-7", "INV-7"]);
  expect(JSON.stringify(messages)).toContain("Note: a person approved this call with other arguments");
});
