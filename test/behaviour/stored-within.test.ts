/** What an agent within a run does is stored before the next thing that it does, at every depth: a process may end at any place. */
import { describe, expect, test } from "vitest";
import { Agent, run, tool, type Session } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;

/** A team of agents that call each other as tools; the innermost pays. Models name their calls at random, as providers do. */
function team(depth: number, onPay: () => void, onAnswer: () => void) {
  const keys: string[] = [];
  const pay = tool({
    name: "pay",
    input: empty,
    execute: (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      onPay();
      return "Paid.";
    },
  });
  let agent = new Agent({
    name: "Payer",
    tools: [pay],
    model: new FunctionModel(({ messages }) => {
      if (messages.at(-1)?.role === "tool") {
        onAnswer();
        return "Done.";
      }
      return { toolCalls: [{ toolName: "pay", toolCallId: crypto.randomUUID() }] };
    }),
  });
  for (let level = 0; level < depth; level++) {
    const inner = agent.asTool({ name: "delegate" });
    agent = new Agent({
      name: `Level ${level}`,
      tools: [inner],
      model: new FunctionModel(({ messages }) =>
        messages.at(-1)?.role === "tool"
          ? "All done."
          : {
              toolCalls: [
                { toolName: "delegate", toolCallId: crypto.randomUUID(), arguments: { input: "Pay." } },
              ],
            },
      ),
    });
  }
  return { agent, keys };
}

/** A store that takes a moment for each append. */
function slowSession(): { session: Session; stored: () => string } {
  const store = memorySession();
  let stored = "";
  const append: Session["append"] = async (entries) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await store.append(entries);
    stored += JSON.stringify(entries);
  };
  return { session: { ...store, append }, stored: () => stored };
}

describe.each([0, 1, 2])("at depth %i", (depth) => {
  test("the answer is stored before its calls are executed, and a result before the next answer", async () => {
    const { session, stored } = slowSession();
    const before: { answer?: string; result?: string } = {};
    const { agent } = team(
      depth,
      () => (before.answer = stored()),
      () => (before.result = stored()),
    );
    await run(agent, "Go", { session });
    expect(before.answer).toContain('"toolName":"pay"');
    expect(before.answer).not.toContain("Paid.");
    expect(before.result).toContain("Paid.");
  });

  test("where the store refuses the answer, none of its calls is executed", async () => {
    const store = memorySession();
    let isFull = true;
    const append: Session["append"] = async (entries) => {
      if (isFull && JSON.stringify(entries).includes('"toolName":"pay"')) throw new Error("disk full");
      await store.append(entries);
    };
    const session = { ...store, append };
    const { agent, keys } = team(
      depth,
      () => {},
      () => {},
    );
    await expect(run(agent, "Go", { session })).rejects.toMatchObject({ code: "session-failed" });
    expect(keys).toEqual([]);
    isFull = false;
    expect(await run(agent, [], { session })).toMatchObject({ status: "completed" });
    expect(keys).toHaveLength(1);
  });
});
