/** Calls of tools with `interrupted` that nobody has made do not count as interrupted. */
import { Agent, run, tool, type Journal } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { empty } from "./test-nested.ts";

/** Charges with a tool of its own, or by another tool, once a program has answered. */
function clerk(interrupted: "tell" | "ask", within: boolean) {
  const effects: string[] = [];
  const charge = tool({
    name: "charge",
    input: { type: "object", properties: { code: {} } },
    interrupted,
    execute: () => `charged ${effects.push("charge")}`,
  });
  const order = tool({
    name: "order",
    input: { type: "object", properties: { code: {} } },
    execute: (_, context) => context.call("charge", {}),
  });
  const ask = tool({ name: "ask", input: empty });
  const calls = [
    { toolCallId: "a", toolName: "ask", arguments: {} },
    { toolCallId: "c", toolName: within ? "order" : "charge", arguments: { code: { $result: "a" } } },
  ];
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: calls } : "Done.",
  );
  return { agent: new Agent({ name: "Clerk", model, tools: [ask, charge, order] }), effects };
}

const kinds = (["tell", "ask"] as const).flatMap((policy) => [
  [policy, false] as const,
  [policy, true] as const,
]);

test.each(kinds)(
  'a call of a tool with "%s" that waits for the result of a program (within: %s)',
  async (...kind) => {
    const { agent, effects } = clerk(...kind);
    const session = memorySession();
    expect((await run(agent, "Charge.", { session })).status).toBe("paused");
    const results = [{ toolCallId: "a", content: "1234" }];
    expect(await run(agent, [], { session, results })).toMatchObject({ status: "completed", pending: [] });
    expect(effects).toEqual(["charge"]);
  },
);

test.each(kinds)(
  'one of a tool with "%s" that a program may have made counts (within: %s)',
  async (policy, within) => {
    const { agent, effects } = clerk(policy, within);
    const session = memorySession();
    const first = await run(agent, "Charge.", { session, executeTools: false });
    expect(first.state.isLeftToProgram).toBe(true);
    const results = [{ toolCallId: "a", content: "1234" }];
    const second = await run(agent, [], { session, results });
    // The program may have executed what the tool calls as well.
    expect(effects).toEqual([]);
    expect(second.status).toBe(policy === "ask" ? "paused" : "completed");
  },
);

test.each(["tell", "ask"] as const)(
  'a call of a tool with "%s" of an answer that a journal has beyond the state',
  async (interrupted) => {
    let charges = 0;
    const charge = tool({ name: "charge", input: empty, interrupted, execute: () => ++charges });
    const model = new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName: "charge", arguments: {} }] } : "Done.",
    );
    const agent = new Agent({ name: "Clerk", model, tools: [charge] });
    const steps = new Map<string, string>();
    const stop = new AbortController();
    const step: Journal["step"] = async (key, perform) => {
      const stored = steps.get(key);
      if (stored !== undefined) return JSON.parse(stored);
      const value = await perform();
      steps.set(key, JSON.stringify(value));
      if (key.endsWith("model")) stop.abort();
      return value;
    };
    const first = await run(agent, "Charge.", { journal: { step }, signal: stop.signal });
    expect([first.status, [...steps.keys()].filter((key) => key.endsWith("model"))]).toEqual([
      "cancelled",
      ["turn-1/model"],
    ]);
    const second = await run(agent, JSON.parse(JSON.stringify(first.state)), { journal: { step } });
    expect([second.status, charges]).toEqual(["completed", 1]);
  },
);
