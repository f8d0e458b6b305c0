/** Guards of calls of tools, and of what those return. */
import { expect, test } from "vitest";
import {
  Agent,
  type Middleware,
  run,
  type RunEvent,
  type RunState,
  type StepMiddleware,
  tool,
  type ToolContext,
  type ToolResult,
} from "skein";
import { guard, type GuardChecks, personalData } from "skein/guards";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";

const input = { type: "object", properties: { word: { type: "string" } } } as const;
const say = (word: string, toolName = "say"): ScriptedToolCall => ({ toolName, arguments: { word } });
const resultsOf = ({ messages }: Pick<RunState, "messages">): readonly ToolResult[] =>
  messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
const textOf = (result: ToolResult | undefined): string =>
  (result?.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");

/** A tool that says words, and those it has said. */
function speaker(policy: Partial<Parameters<typeof tool>[0]> = {}) {
  const words: string[] = [];
  const execute = ({ word }: { word: string }): string => {
    words.push(word);
    return `said ${word}`;
  };
  return { words, say: tool({ name: "say", input, execute, ...policy } as Parameters<typeof tool>[0]) };
}

const noBad: GuardChecks = { tool: ({ text }) => (text.includes("bad") ? "a bad word" : undefined) };

test("a denied call is not executed: the model reads why, and the run goes on", async () => {
  const { words, say: tools } = speaker();
  const model = new ScriptedModel([{ toolCalls: [say("bad"), say("good")] }, "Done."]);
  const deny = guard({
    tool: ({ input: read }) => (JSON.stringify(read).includes("bad") ? { deny: "Be polite." } : true),
  });
  const outcome = await run(new Agent({ name: "A", model, tools: [tools] }), "go", { middleware: [deny] });
  expect(outcome).toMatchObject({ status: "completed", text: "Done." });
  expect(words).toEqual(["good"]);
  expect(resultsOf(outcome).map((result) => [result.outcome, textOf(result)])).toEqual([
    ["denied", "Be polite."],
    ["success", "said good"],
  ]);
});

test("a blocked call ends the run: calls beside it that have begun are completed, others never begin", async () => {
  const { words, say: tools } = speaker();
  const calls = [say("one"), say("bad"), say("three")];
  const model = new ScriptedModel([{ toolCalls: calls }, "Hello again."]);
  const agent = new Agent({ name: "A", model, tools: [tools] });
  const outcome = await run(agent, "go", { middleware: [guard(noBad, { name: "manners" })], concurrency: 1 });
  expect(outcome).toMatchObject({
    status: "blocked",
    text: "",
    pending: [],
    blocked: {
      guard: "manners",
      stage: "tool",
      reason: "a bad word",
      toolCallId: "call_2",
    },
  });
  expect(words).toEqual(["one"]);
  expect(resultsOf(outcome).map((result) => result.outcome)).toEqual(["success", "denied", "not-executed"]);
  const history = [...outcome.state.messages, { role: "user" as const, content: "Hello?" }];
  expect(await run(agent, history)).toMatchObject({ status: "completed", text: "Hello again." });
});

test("an escape in the arguments hides nothing", async () => {
  const { words, say: tools } = speaker();
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "say", arguments: '{"word":"\\u0062ad"}' }] }]);
  const agent = new Agent({ name: "A", model, tools: [tools] });
  expect(await run(agent, "go", { middleware: [guard(noBad)] })).toMatchObject({ status: "blocked" });
  expect(words).toEqual([]);
});

test.each(["ignores", "catches"])(
  "a call within a tool that %s the refusal ends the run all the same",
  async (kind) => {
    const { words, say: inner } = speaker();
    const outer = tool({
      name: "outer",
      input,
      async execute(_: unknown, { call }: ToolContext) {
        const calls = ["bad", "good"].map((word) => call("say", { word }));
        if (kind === "catches") await Promise.allSettled(calls);
        else await Promise.allSettled([calls[0]]).then(() => call("say", { word: "later" }).catch(() => ""));
        return "all is well";
      },
    });
    const model = new ScriptedModel([{ toolCalls: [say("", "outer")] }]);
    const agent = new Agent({ name: "A", model, tools: [inner, outer] });
    const outcome = await run(agent, "go", { middleware: [guard(noBad)] });
    expect(outcome).toMatchObject({ status: "blocked", blocked: { stage: "tool" } });
    expect(words).not.toContain("bad");
    expect(words).not.toContain("later");
  },
);

test("a call of an agent within the run ends that run, and the run around it", async () => {
  const { words, say: tools } = speaker();
  const helper = new Agent({
    name: "Helper",
    model: new ScriptedModel([{ toolCalls: [say("bad")] }]),
    tools: [tools],
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "helper", arguments: { input: "?" } }] }]);
  const outcome = await run(new Agent({ name: "Boss", model, tools: [helper.asTool()] }), "go", {
    middleware: [guard(noBad)],
  });
  expect(outcome).toMatchObject({
    status: "blocked",
    blocked: { agent: "Helper", stage: "tool" },
    agentRuns: [{ agent: "Helper", status: "blocked" }],
    agent: { name: "Boss" },
  });
  expect(words).toEqual([]);
});

test("a guard of an agent that a tool runs stops the calls beside it that have not begun, though their agent has none", async () => {
  const { words, say: tools } = speaker();
  const helper = new Agent({
    name: "Helper",
    model: new ScriptedModel(["bad"]),
    middleware: [guard({ output: () => "no" })],
  });
  const calls = [{ toolName: "helper", arguments: { input: "?" } }, say("after")];
  const model = new ScriptedModel([{ toolCalls: calls }]);
  const agent = new Agent({ name: "Boss", model, tools: [helper.asTool(), tools] });
  const outcome = await run(agent, "go", { concurrency: 1 });
  expect(outcome).toMatchObject({ status: "blocked", blocked: { agent: "Helper", stage: "output" } });
  expect(words).toEqual([]);
  expect(resultsOf(outcome).map((result) => result.outcome)).toEqual(["error", "not-executed"]);
});

test("what a tool returned is judged before the model reads it", async () => {
  const seen: string[] = [];
  const { say: tools } = speaker();
  const turns = [{ toolCalls: [say("secret")] }, { toolCalls: [say("bad")] }];
  const model = new ScriptedModel(turns);
  const check = guard({
    result: ({ text, call, result }) => {
      seen.push(`${call.toolName}: ${result.outcome}`);
      if (text.includes("secret")) return { deny: "Nothing to see." };
      return text.includes("bad") ? { block: "a bad word", message: "Sorry." } : undefined;
    },
  });
  const outcome = await run(new Agent({ name: "A", model, tools: [tools] }), "go", { middleware: [check] });
  expect(outcome).toMatchObject({ status: "blocked", text: "Sorry.", blocked: { stage: "result" } });
  expect(seen).toEqual(["say: success", "say: success"]);
  const results = resultsOf(outcome);
  expect(results.map((result) => [result.outcome, textOf(result)])).toEqual([
    ["error", "Nothing to see."],
    ["error", "A guard withheld what say returned."],
  ]);
});

test("all that a result has is judged: what was cut off, and its value", async () => {
  const long = `${"x".repeat(200)} bad`;
  const tools = [
    tool({ name: "long", input, maxResultChars: 50, execute: () => long }),
    tool({ name: "value", input, execute: () => ({ list: [{ word: "bad" }] }) }),
  ];
  const check = guard({ result: ({ text }) => (text.includes("bad") ? { deny: "No." } : undefined) });
  const model = new ScriptedModel([{ toolCalls: [say("", "long"), say("", "value")] }, "Done."]);
  const outcome = await run(new Agent({ name: "A", model, tools }), "go", { middleware: [check] });
  expect(resultsOf(outcome).map(textOf)).toEqual(["No.", "No."]);
});

test("a call that waits for a person is judged before they are asked, and again once it is approved", async () => {
  const judged: string[] = [];
  const { words, say: tools } = speaker({ approval: true });
  const model = new ScriptedModel([{ toolCalls: [say("good")] }, "Done."]);
  const agent = new Agent({ name: "A", model, tools: [tools] });
  const check = guard({
    tool: ({ text }) => {
      judged.push(text);
      return text.includes("bad") ? "a bad word" : undefined;
    },
  });
  const { status, state, pending } = await run(agent, "go", { middleware: [check] });
  expect([status, words]).toEqual(["paused", []]);
  const approvalId = pending[0]?.approvalId ?? "";
  const edited = [{ approvalId, decision: "approve" as const, arguments: { word: "bad" } }];
  const outcome = await run(agent, JSON.parse(JSON.stringify(state)), {
    approvals: edited,
    middleware: [check],
  });
  expect(outcome).toMatchObject({ status: "blocked", pending: [], state: { pending: [] } });
  const approvals = [{ approvalId, decision: "approve" as const }];
  expect(await run(agent, state, { approvals, middleware: [check] })).toMatchObject({ status: "completed" });
  expect(words).toEqual(["good"]);
  expect(judged).toEqual(["word\ngood", "word\nbad", "word\ngood"]);
});

test("a call that waits beside a blocked one gets its result, and no person is asked", async () => {
  const approved = tool({ name: "ask", input, approval: true, execute: () => "done" });
  const { say: tools } = speaker();
  const model = new ScriptedModel([{ toolCalls: [say("fine", "ask"), say("bad")] }]);
  const types: string[] = [];
  const outcome = await run(new Agent({ name: "A", model, tools: [tools, approved] }), "go", {
    middleware: [guard(noBad)],
    onEvent: ({ type }) => types.push(type),
  });
  expect(outcome).toMatchObject({ status: "blocked", pending: [], state: { pending: [] } });
  expect(outcome.state.approvals).toBeUndefined();
  expect(types.filter((type) => type.startsWith("tool-"))).toHaveLength(
    types.includes("tool-input-delta") ? 6 : 4,
  );
  expect(resultsOf(outcome).map((result) => [result.outcome, textOf(result)])).toContainEqual([
    "not-executed",
    "ask was not executed: the run was blocked.",
  ]);
});

const failing = (): never => {
  throw new Error("no judge");
};

test.each([
  ["tool", []],
  ["result", ["A"]],
] as const)(
  "a check `%s` that fails, fails the run; resumed, it judges what is open again",
  async (stage, executed) => {
    const { words, say: tools } = speaker();
    const model = new ScriptedModel([{ toolCalls: [say("A")] }, "Done."]);
    const agent = new Agent({ name: "A", model, tools: [tools] });
    const failed = run(agent, "go", { middleware: [guard({ [stage]: failing })] });
    await expect(failed).rejects.toMatchObject({ code: "guard-failed", data: { stage } });
    expect(words).toEqual(executed);
    const { state } = await failed.catch((error: { readonly state: RunState }) => error);
    expect(await run(agent, state)).toMatchObject({ status: "completed" });
    expect(words).toEqual(["A"]);
  },
);

test("neither a tool nor another middleware passes over a guard that failed", async () => {
  const { words, say: inner } = speaker();
  const outer = tool({
    name: "outer",
    input,
    execute: (_: unknown, { call }: ToolContext) => call("say", { word: "x" }).catch(() => "all is well"),
  });
  const model = new ScriptedModel([{ toolCalls: [say("", "outer")] }]);
  const check = guard({ tool: ({ call }) => (call.toolName === "say" ? failing() : undefined) });
  const calming: Middleware = {
    tool: (call, _info, next) =>
      next(call).catch(() => ({
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        content: [],
        isError: false,
        outcome: "success" as const,
      })),
  };
  const agent = new Agent({ name: "A", model, tools: [inner, outer] });
  await expect(run(agent, "go", { middleware: [calming, check] })).rejects.toMatchObject({
    code: "guard-failed",
  });
  expect(words).toEqual([]);
});

test("a guard that fails in an agent within the run fails the run around it", async () => {
  const helper = new Agent({
    name: "Helper",
    model: new ScriptedModel(["Hello."]),
    middleware: [guard({ output: failing })],
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "helper", arguments: { input: "?" } }] }]);
  await expect(run(new Agent({ name: "Boss", model, tools: [helper.asTool()] }), "go")).rejects.toMatchObject(
    {
      code: "guard-failed",
      state: { agent: "Boss" },
    },
  );
});

test("a reference to another result is judged as what it stands for", async () => {
  const { words, say: tools } = speaker();
  const find = tool({ name: "find", input, execute: () => "bad" });
  const calls = [
    { ...say("", "find"), toolCallId: "f1" },
    { toolName: "say", arguments: { word: { $result: "f1" } } },
  ];
  const model = new ScriptedModel([{ toolCalls: calls }, "Done."]);
  const agent = new Agent({ name: "A", model, tools: [tools, find] });
  const outcome = await run(agent, "go", { middleware: [guard(noBad)] });
  expect(words).toEqual([]);
  expect(outcome.status).toBe("blocked");
});

test.each(["denied", "blocked"])(
  "no reader gets what a tool threw that was %s, or a warning about it",
  async (verdict) => {
    const schema = { type: "object", properties: { total: { enum: ["none"] } } } as const;
    const failing = {
      plain: (): never => {
        throw new Error("no account for ann@example.com");
      },
      mistaken: (): never => {
        throw new TypeError("no account for ann@example.com");
      },
    };
    const checked = tool({
      name: "checked",
      input: { type: "object" },
      output: schema,
      validateOutput: true,
      execute: () => ({ total: "ann@example.com" }),
    });
    const isPrivate = personalData();
    const result = ({ text }: { readonly text: string }) =>
      isPrivate({ text }) && (verdict === "denied" ? { deny: "Not for you." } : "private");
    for (const toolName of ["plain", "mistaken", "checked"]) {
      const model = new ScriptedModel([{ toolCalls: [{ toolName, arguments: {} }] }, "Done."]);
      const agent = new Agent({
        name: "A",
        model,
        tools: { ...failing, checked },
        middleware: [guard({ result })],
      });
      const events: RunEvent[] = [];
      const outcome = await run(agent, "go", { onEvent: (event) => void events.push(event) });
      expect(outcome.status).toBe(verdict === "denied" ? "completed" : "blocked");
      expect(JSON.stringify([events, outcome, outcome.warnings])).not.toContain("ann@");
      expect(events.flatMap((event) => (event.type === "tool-end" ? [event.error] : []))).toEqual([
        undefined,
      ]);
    }
  },
);

test("an error to which a middleware adds words is still the program's to read", async () => {
  const adding: StepMiddleware = {
    async tool(call, _, next) {
      const before = await next(call);
      return { ...before, content: [...before.content, { type: "text", text: "Try later." }] };
    },
  };
  const fail = (): never => {
    throw new Error("no connection");
  };
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "fail", arguments: {} }] }, "Done."]);
  const errors: unknown[] = [];
  await run(new Agent({ name: "A", model, tools: { fail }, middleware: [adding] }), "go", {
    onEvent: (event) => event.type === "tool-end" && errors.push(event.error),
  });
  expect(errors).toMatchObject([{ message: "no connection" }]);
});
