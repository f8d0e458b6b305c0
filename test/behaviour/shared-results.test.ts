/** Equal calls of a tool with a cache are one call, also where something within it waits for a person. */
import { beforeEach, expect, test } from "vitest";
import { Agent, type RunOptions, type RunResult, run, tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";

const anything = { type: "object", properties: {} } as const;
const effects: string[] = [];
beforeEach(() => void effects.splice(0));

const ship = tool({ name: "ship", input: anything, execute: () => void effects.push("ship") });
const pay = tool({ name: "pay", input: anything, approval: true, execute: () => void effects.push("pay") });
const sign = tool({
  name: "sign",
  input: anything,
  approval: true,
  execute: () => void effects.push("sign"),
});
const order = tool({
  name: "order",
  input: { type: "object", properties: { item: { type: "string" } } },
  cache: true,
  execute: async (_: object, { call }) => {
    await call("ship", {});
    await call("pay", {});
    await call("sign", {});
    return `order ${effects.length}`;
  },
});
const both = tool({
  name: "both",
  input: anything,
  execute: async (_: object, { call }) => Promise.all([call("order", {}), call("order", {})]),
});

function agentCalling(...toolNames: readonly string[]): Agent {
  const model = new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "tool")
      ? "Done."
      : { toolCalls: toolNames.map((toolName) => ({ toolName })) },
  );
  return new Agent({ name: "A", model, tools: [ship, pay, sign, order, both] });
}

function textsOf({ state }: RunResult): readonly string[] {
  return state.messages.flatMap((message) =>
    message.role === "tool"
      ? message.result.content.map((part) => (part.type === "text" ? part.text : ""))
      : [],
  );
}

/** Decides on all that waits, as long as something does; the state is stored meanwhile. */
async function decideAll(
  agent: Agent,
  decision: "approve" | "deny",
  options: RunOptions = {},
): Promise<{ readonly result: RunResult; readonly pending: readonly string[] }> {
  const pending: string[] = [];
  let result = await run(agent, "Go.", options);
  while (result.status === "paused") {
    pending.push(result.pending.map(({ toolName }) => toolName).join());
    const approvals = result.pending.map(({ approvalId = "" }) => ({ approvalId, decision }));
    const input = options.session ? [] : JSON.parse(JSON.stringify(result.state));
    result = await run(agent, input, { ...options, approvals });
  }
  return { result, pending };
}

interface Way {
  readonly toolNames: readonly string[];
  readonly options?: () => RunOptions;
}

const two = ["order", "order"];
const ways: Readonly<Record<string, Way>> = {
  two: { toolNames: two },
  three: { toolNames: [...two, "order"] },
  "two, one after the other": { toolNames: two, options: () => ({ concurrency: 1 }) },
  "two, in a session": { toolNames: two, options: () => ({ session: memorySession() }) },
  "two, within another call": { toolNames: ["both"] },
};

test.each(Object.entries(ways))("equal calls that wait within are one call: %s", async (_, way) => {
  const { result, pending } = await decideAll(agentCalling(...way.toolNames), "approve", way.options?.());
  expect([result.status, pending, effects, result.warnings]).toEqual([
    "completed",
    ["pay", "sign"],
    ["ship", "pay", "sign"],
    [],
  ]);
  const [text = ""] = textsOf(result);
  expect(new Set(textsOf(result))).toEqual(new Set([text]));
  expect(text).toContain("order 3");
});

test("what went wrong for one has gone wrong for all", async () => {
  const { result, pending } = await decideAll(agentCalling("order", "order"), "deny");
  expect([result.status, pending, effects]).toEqual(["completed", ["pay"], ["ship"]]);
  expect(textsOf(result)).toEqual(
    Array.from({ length: 2 }, () => [
      "order failed: pay was not called: it was not approved.",
      "Calls that order made were carried out all the same: ship.",
    ]).flat(),
  );
});

test("a call that waits still has the equal ones wait, while others are decided", async () => {
  const agent = agentCalling("order", "order", "pay");
  const first = await run(agent, "Go.");
  const own = first.pending.filter(({ parentToolCallId }) => parentToolCallId === undefined);
  expect([first.pending.length, own.map(({ toolName }) => toolName)]).toEqual([2, ["pay"]]);
  const approvals = own.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" as const }));
  const second = await run(agent, first.state, { approvals });
  expect([second.pending.map(({ toolName }) => toolName), effects]).toEqual([["pay"], ["ship", "pay"]]);
});
