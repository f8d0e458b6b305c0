/** A call that is done elsewhere passes the policies of its tool: what stands in front of it, and around its result. */
import {
  Agent,
  run,
  tool,
  type JsonValue,
  type RunOptions,
  type RunResult,
  type Tool,
  type ToolCall,
  type ToolPolicy,
  type ToolResult,
} from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { failure, stored } from "./test-clerk.ts";

const secret = "4111 1111";
const numbered = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;

/** Asks the user: in the program, or in this process. */
function asking(policy: ToolPolicy, isHere = false): Tool {
  const options = { name: "ask", input: { type: "object" }, output: numbered, ...policy } as const;
  return isHere ? tool({ ...options, execute: () => "asked here" }) : tool(options);
}

const login = tool({ name: "login", input: {}, execute: () => "welcome" });

/** An agent that calls the tool first. It answers with what the model has read. */
function desk(ask: Tool, toolName = "ask", ...others: readonly Tool[]): Agent {
  const model = new FunctionModel(({ messages }) => {
    const contents = messages.flatMap((each) => (each.role === "tool" ? [each.result.content] : []));
    return contents.length > 0 ? JSON.stringify(contents) : { toolCalls: [{ toolName }] };
  });
  return new Agent({ name: "Desk", model, tools: [ask, login, ...others] });
}

const answer = ({ pending: [call] }: RunResult, content: JsonValue): RunOptions => ({
  results: [{ toolCallId: call?.toolCallId ?? "", content }],
});

/** How a run resumes with a result. */
const ways: [string, boolean, (agent: Agent, content: JsonValue) => Promise<RunResult>][] = [
  [
    "a state",
    false,
    async (agent, content) => {
      const paused = await run(agent, "Pay");
      return run(agent, stored(paused.state), answer(paused, content));
    },
  ],
  [
    "a session",
    false,
    async (agent, content) => {
      const session = memorySession();
      const paused = await run(agent, "Pay", { session });
      return run(agent, [], { session, ...answer(paused, content) });
    },
  ],
  [
    "messages",
    false,
    async (agent, content) => {
      const paused = await run(agent, "Pay");
      return run(agent, paused.state.messages, answer(paused, content));
    },
  ],
  [
    "executeTools: false",
    true,
    async (agent, content) => {
      const paused = await run(agent, "Pay", { executeTools: false });
      return run(agent, stored(paused.state), answer(paused, content));
    },
  ],
];

const resultOf = ({ state }: RunResult): ToolResult | undefined =>
  state.messages.flatMap((each) => (each.role === "tool" ? [each.result] : [])).at(-1);

test.each(ways)("a result that comes from elsewhere is masked, with %s", async (_title, isHere, resume) => {
  const ended = await resume(desk(asking({ mask: true }, isHere)), secret);
  expect(ended.text).toContain("[hidden]");
  expect(JSON.stringify([ended.text, ended.state, ended.warnings])).not.toContain(secret);
  const part = await resume(desk(asking({ mask: ["card"] }, isHere)), { card: secret, name: "Ada" });
  expect(resultOf(part)?.structuredContent).toEqual({ card: "[hidden]", name: "Ada" });
});

test.each(ways)(
  "a result that comes from elsewhere ends the run if its tool is final, with %s",
  async (...way) => {
    const ended = await way[2](desk(asking({ final: true }, way[1])), "THE END");
    expect([ended.status, ended.text]).toEqual(["completed", "THE END"]);
  },
);

test.each(ways)("a long result that comes from elsewhere is cut for the model, with %s", async (...way) => {
  const ended = await way[2](desk(asking({ maxResultChars: 50 }, way[1])), "z".repeat(5_000));
  expect(ended.text).toContain("4950 of 5000 characters left out: read on with read_result");
  expect(resultOf(ended)?.truncated?.length).toBe(5_000);
});

test.each(ways)("a result that comes from elsewhere is checked, with %s", async (_title, isHere, resume) => {
  const agent = desk(asking({ validateOutput: true }, isHere));
  const wrong = await resume(agent, { n: "no" });
  expect(resultOf(wrong)?.outcome).toBe("error");
  expect(wrong.warnings).toEqual([expect.stringContaining("$.n: expected a number")]);
  const right = await resume(agent, { n: 1 });
  expect([resultOf(right)?.structuredContent, right.warnings]).toEqual([{ n: 1 }, []]);
});

test("a call that requires another is answered with what comes first, and not left to the program", async () => {
  const ended = await run(desk(asking({ requires: ["login"] })), "Pay");
  expect([ended.status, resultOf(ended)?.outcome]).toEqual(["completed", "not-executed"]);
  expect(ended.text).toMatch(/first call .*login.* and wait for success/);
  const outer = tool({ name: "outer", input: {}, execute: (_, { call }) => call("ask", {}).catch(String) });
  const within = await run(desk(asking({ requires: ["login"] }), "outer", outer), "Pay");
  expect(within.text).toMatch(/first call .*login/);
});

test("the tool that made the call gets the value of a masked result, and no other reader does", async () => {
  const seen: unknown[] = [];
  const outer = tool({
    name: "outer",
    input: {},
    execute: async (_, { call }) => `${seen.push(await call("ask", {}))} value`,
  });
  const agent = desk(asking({ mask: true }), "outer", outer);
  const paused = await run(agent, "Pay");
  const events: string[] = [];
  const ended = await run(agent, stored(paused.state), {
    ...answer(paused, secret),
    onEvent: (event) => void events.push(JSON.stringify(event)),
  });
  expect([seen, ended.status]).toEqual([[secret], "completed"]);
  expect(JSON.stringify([events, ended.state])).not.toContain(secret);
});

test("a result is masked for a caller who may not use the tool any more", async () => {
  let isAllowed = true;
  const agent = desk(asking({ mask: true, allow: () => isAllowed }));
  const paused = await run(agent, "Pay");
  isAllowed = false;
  const ended = await run(agent, stored(paused.state), answer(paused, secret));
  expect(JSON.stringify(ended.state)).not.toContain(secret);
});

test("a call that waits for a decision takes no result", async () => {
  const agent = desk(asking({ approval: true, mask: true }, true));
  const paused = await run(agent, "Pay");
  expect(paused.pending).toMatchObject([{ approvalId: expect.any(String) }]);
  await expect(run(agent, stored(paused.state), answer(paused, secret))).rejects.toMatchObject({
    code: "invalid-input",
  });
});

test("no function of the program is called for a result with a state that was changed", async () => {
  let contexts: unknown[] = [];
  const ask = asking({});
  const model = new FunctionModel(() => ({ toolCalls: [{ toolName: "ask" }] }));
  const toolset = {
    name: "set",
    tools: ({ context }: { context: unknown }) => {
      contexts.push(context);
      return [ask];
    },
  };
  const agent = new Agent({ name: "Desk", model, tools: [toolset] });
  const stateSecret = "0123456789abcdef";
  const paused = await run(agent, "Pay", { stateSecret, context: { user: "Ada" } });
  contexts = [];
  const changed = { ...stored(paused.state), context: { user: "Eve" } };
  const { code } = await failure(run(agent, changed, { stateSecret, ...answer(paused, "x") }));
  expect([code, contexts]).toEqual(["invalid-input", []]);
});

test("with executeTools: false, a call of a refused tool is denied, and not left to the program", async () => {
  const agent = desk(asking({ allow: ({ context }) => (context as { admin?: boolean }).admin === true }));
  const ended = await run(agent, "Pay", { executeTools: false });
  expect(ended).toMatchObject({
    status: "completed",
    messages: [{}, { result: { toolCallId: "call_1", outcome: "denied" } }, {}],
  });
  const admin = await run(agent, "Pay", { executeTools: false, context: { admin: true } });
  expect(admin.pending).toMatchObject([{ toolName: "ask" }]);
});

test("beside one that is denied, the others are left to the program", async () => {
  const executed: string[] = [];
  const redirecting = {
    tool: (call: ToolCall, _info: unknown, next: (call: ToolCall) => Promise<ToolResult>) => {
      executed.push("middleware");
      return next({ ...call, toolName: "login" });
    },
  };
  const model = new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "tool")
      ? "Done."
      : {
          toolCalls: [
            { toolCallId: "a", toolName: "ask" },
            { toolCallId: "b", toolName: "login" },
          ],
        },
  );
  const here = tool({ name: "login", input: {}, execute: () => executed.push("login") });
  const agent = new Agent({ name: "Desk", model, tools: [asking({ allow: () => false }), here] });
  const options = { executeTools: false, middleware: [redirecting] };
  const paused = await run(agent, "Pay", options);
  expect(paused.pending.map(({ toolCallId }) => toolCallId)).toEqual(["b"]);
  const results = [{ toolCallId: "b", content: "welcome" }];
  const ended = await run(agent, stored(paused.state), { ...options, results });
  expect(ended.status).toBe("completed");
  expect(ended.state.messages.flatMap((each) => (each.role === "tool" ? [each.result.outcome] : []))).toEqual(
    ["denied", "success"],
  );
  expect(executed).toEqual([]);
});
