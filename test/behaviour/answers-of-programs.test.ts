/** What a program answers to a call of an agent within a run is kept once the agent has read it. */
import { Agent, type Journal, run, type Session, type SessionEntry, tool } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";

const input = { type: "object", properties: {} } as const;
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** A desk whose clerk asks the user, then looks, and says what it has heard. */
function desk(way: "tool" | "code") {
  const reads: string[] = [];
  const clerk = new Agent({
    name: "Clerk",
    tools: [tool({ name: "ask", input }), tool({ name: "look", input, execute: () => "seen" })],
    model: new FunctionModel(({ messages }) => {
      const results = messages.flatMap((each) => (each.role === "tool" ? [each.result] : []));
      const heard = results.map(({ content: [part] }) => (part?.type === "text" ? part.text : ""));
      reads.push(heard.join("+"));
      const next = ["ask", "look"][results.length];
      if (next === undefined) return `Heard ${heard[0]}.`;
      return { toolCalls: [{ toolCallId: next, toolName: next, arguments: {} }] };
    }),
  });
  const byCode = tool({ name: "clerk", input, execute: (_, context) => context.runAgent(clerk, "Go") });
  const agent = new Agent({
    name: "Desk",
    tools: [way === "tool" ? clerk.asTool() : byCode],
    model: new FunctionModel(({ messages }) =>
      messages.length === 1
        ? {
            toolCalls: [
              { toolCallId: "c", toolName: "clerk", arguments: way === "tool" ? { input: "Go" } : {} },
            ],
          }
        : "Done.",
    ),
  });
  return { agent, clerk, reads };
}

const answer = (pending: readonly { readonly toolCallId: string }[], content: string) =>
  pending.map(({ toolCallId }) => ({ toolCallId, content }));

test.each(["tool", "code"] as const)(
  "a session that fails after an agent of a %s has read it",
  async (way) => {
    const { agent, clerk, reads } = desk(way);
    const inner = memorySession();
    let isFull = false;
    const session: Session = {
      ...inner,
      append: (entries: readonly SessionEntry[]) => {
        const isLook = entries.some((entry) => entry.type === "step" && entry.key.endsWith("tool/look"));
        if (!isFull || !isLook) return inner.append(entries);
        isFull = false;
        return Promise.reject(new Error("disk full"));
      },
    };
    const options = { session, agents: [clerk] };
    const { pending } = await run(agent, "Go", options);
    isFull = true;
    const failing = run(agent, [], { ...options, results: answer(pending, "large") });
    await expect(failing).rejects.toMatchObject({ code: "session-failed" });
    expect((await readSession(session)).state?.pending).toEqual([]);
    const { messages, status } = await run(agent, [], options);
    expect([status, JSON.stringify(messages).includes("Heard large.")]).toEqual(["completed", true]);
    expect(reads).toEqual(["", "large", "large+seen"]);
  },
);

test("a journal whose run dies after an agent has read it, and that has another answer afterwards", async () => {
  const { agent, reads } = desk("tool");
  const steps = new Map<string, unknown>();
  let isDying = false;
  const journal: Journal = {
    async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
      if (steps.has(key)) return copyOf(steps.get(key)) as T;
      const value = await perform();
      if (isDying && key.endsWith("tool/look")) throw new Error("dead");
      steps.set(key, copyOf(value ?? null));
      return value;
    },
  };
  const first = await run(agent, "Go", { journal });
  isDying = true;
  const dying = run(agent, copyOf(first.state), { journal, results: answer(first.pending, "large") });
  await expect(dying).rejects.toThrow("dead");
  isDying = false;
  const results = answer(first.pending, "small");
  const { status } = await run(agent, copyOf(first.state), { journal, results });
  expect([status, reads]).toEqual(["completed", ["", "large", "large+seen"]]);
});
