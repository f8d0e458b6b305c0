/** A call that is executed after a pause sees the history as it would have without: up to the answer that it is in. */
import { expect, test } from "vitest";
import { Agent, type RunOptions, type RunResult, run, tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";

const anything = { type: "object", properties: { x: {} } } as const;
const effects: string[] = [];
const done = (name: string, options: { approval?: true; requires?: string[] } = {}) =>
  tool({ name, input: anything, ...options, execute: () => void effects.push(name) });
const gate = done("gate", { approval: true });
const login = done("login");
const refund = done("refund", { requires: ["login"] });
const outer = tool({
  name: "outer",
  input: anything,
  execute: async (_: object, { call, messages }) => {
    effects.push(messages.map(({ role }) => role).join(" "));
    await call("gate", {});
    return call("refund", {}).catch(String);
  },
});

async function approved(optionsOf: () => RunOptions, ...toolCalls: readonly object[]): Promise<RunResult> {
  effects.length = 0;
  const model = new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "assistant") ? "Done." : JSON.parse(JSON.stringify({ toolCalls })),
  );
  const agent = new Agent({ name: "A", model, tools: [gate, login, refund, outer] });
  const options = optionsOf();
  const paused = await run(agent, "go", options);
  return run(agent, options.session ? [] : JSON.parse(JSON.stringify(paused.state)), {
    ...options,
    approvals: paused.pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "approve" }],
    ),
  });
}

const keepers: readonly (readonly [string, () => RunOptions])[] = [
  ["a state", () => ({})],
  ["a session", () => ({ session: memorySession() })],
];

test.each(keepers)(
  "a tool that is called again sees no results of calls beside it, with %s",
  async (_title, optionsOf) => {
    const { status } = await approved(optionsOf, { toolName: "outer" }, { toolName: "login" });
    expect([status, effects]).toEqual(["completed", ["user assistant", "login", "user assistant", "gate"]]);
  },
);

test.each(keepers)(
  "a call of the same answer is not earlier, also after a pause, with %s",
  async (_title, optionsOf) => {
    await approved(
      optionsOf,
      { toolName: "login", toolCallId: "c1" },
      { toolName: "gate", toolCallId: "c2" },
      { toolName: "refund", toolCallId: "c3", arguments: { x: { $result: "c2" } } },
      { toolName: "login", toolCallId: "c4", arguments: { x: [{ $result: "c1" }, { $result: "c2" }] } },
    );
    expect(effects).toEqual(["login", "gate", "login"]);
  },
);
