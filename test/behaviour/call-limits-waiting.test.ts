/** A call that waits counts once, also where its process dies before the pause is stored, or the run is started again from its beginning. */
import { Agent, type Journal, run, type SessionEntry, tool } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";

const input = { type: "object", properties: {} } as const;
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** An agent that calls `order`, which waits for an approval within it, and `report`. */
function desk(report: () => Promise<string> | string, maxCalls?: number, interrupted?: "tell" | "ask") {
  const effects: string[] = [];
  const pay = tool({ name: "pay", input, approval: true, execute: () => `paid ${effects.push("pay")}` });
  const order = tool({
    name: "order",
    input,
    ...(interrupted && { interrupted }),
    ...(maxCalls !== undefined && { maxCalls }),
    execute: (_, context) => context.call("pay", {}),
  });
  const reporting = tool({ name: "report", input, execute: () => report() });
  const calls = ["order", "report"].map((toolName) => ({ toolCallId: toolName, toolName, arguments: {} }));
  const model = new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : { toolCalls: calls }));
  return { agent: new Agent({ name: "Desk", model, tools: [order, pay, reporting] }), effects };
}

test.each(["tell", "ask"] as const)(
  'a tool with maxCalls: 1 and interrupted: "%s" goes on with its approval after a death',
  async (interrupted) => {
    const slow = Promise.withResolvers<string>();
    const dying = desk(() => slow.promise, 1, interrupted);
    const first = memorySession();
    const running = run(dying.agent, "Go", { session: first });
    const isStopped = async (): Promise<boolean> =>
      (await first.load()).entries.some((entry) => entry.type === "step" && entry.key.includes("stopped"));
    while (!(await isStopped())) await new Promise((resolve) => setTimeout(resolve, 1));
    const left = (await first.load()).entries.filter(({ type }) => type !== "claim");
    const session = memorySession();
    await session.append(left.map((entry, index): SessionEntry => ({ ...entry, sequence: index + 1 })));
    const { agent, effects } = desk(() => "reported", 1, interrupted);
    const paused = await run(agent, [], { session });
    const approvals = paused.pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
    }));
    expect(approvals).toHaveLength(1);
    const { messages } = await run(agent, [], { session, approvals });
    expect([effects, JSON.stringify(messages).includes("may or may not")]).toEqual([["pay"], false]);
    slow.resolve("reported");
    await running;
  },
);

test.each([1, 3])(
  "under a journal, a run that is started again %i times from its beginning",
  async (times) => {
    const steps = new Map<string, unknown>();
    const journal: Journal = {
      async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
        if (!steps.has(key)) steps.set(key, copyOf((await perform()) ?? null));
        return copyOf(steps.get(key)) as T;
      },
    };
    const late = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 20, "reported"));
    const { agent, effects } = desk(late);
    // Of the agent: order, pay and report.
    const lead = new Agent({
      name: "Lead",
      model: new FunctionModel(({ messages }) =>
        messages.length > 1
          ? JSON.stringify(messages)
          : { toolCalls: [{ toolCallId: "desk", toolName: "desk", arguments: { input: "Go" } }] },
      ),
      tools: [agent.asTool({ maxToolCalls: 3 })],
    });
    let result = await run(lead, "Go", { journal, runId: "r" });
    for (let time = 0; time < times; time++) result = await run(lead, "Go", { journal, runId: "r" });
    const approvals = result.pending.map(({ approvalId = "" }) => ({
      approvalId,
      decision: "approve" as const,
    }));
    const { status, text } = await run(lead, copyOf(result.state), { journal, approvals });
    expect([status, effects, text.includes("limit")]).toEqual(["completed", ["pay"], false]);
  },
);
