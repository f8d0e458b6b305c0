/** A run that pauses again and again within one call keeps what is new alone: its session grows with what is said, not with its pauses. */
import { Agent, run, tool, type RunResult } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { plain } from "./test-nested.ts";

const pauses = 40;
const logLength = 50_000;
const turnOf = (messages: readonly { readonly role: string }[]): number =>
  messages.filter(({ role }) => role === "assistant").length;
const empty = { type: "object", properties: {} };

const readLog = tool({
  name: "readLog",
  input: empty,
  execute: () => "all is well. ".repeat(logLength / 13),
});
let paid = 0;
const pay = tool({ name: "pay", input: empty, approval: true, execute: () => `paid ${(paid += 1)}` });

/** Reads a long log, and then asks for one approval after another. */
const clerk = new Agent({
  name: "Clerk",
  model: new FunctionModel(({ messages }) => {
    const turn = turnOf(messages);
    return turn > pauses ? "All paid." : { toolCalls: [{ toolName: turn === 0 ? "readLog" : "pay" }] };
  }),
  tools: [readLog, pay],
});

/** An agent whose tool has the clerk do it, by itself or through another agent. */
function desk(depth: number): Agent {
  const inner: Agent = depth === 0 ? clerk : desk(depth - 1);
  return new Agent({
    name: `Desk ${depth}`,
    model: new FunctionModel(({ messages }) =>
      turnOf(messages) === 0 ? { toolCalls: [{ toolName: "ask", arguments: { input: "Pay." } }] } : "Done.",
    ),
    tools: [inner.asTool({ name: "ask", maxTurns: 100 })],
  });
}

test.each([0, 1])("a session grows by what is new of a call, %i agents between", async (depth) => {
  paid = 0;
  const session = memorySession();
  const agent = desk(depth);
  const options = { session, maxTurns: 100 };
  let result: RunResult = await run(agent, "Pay all.", options);
  for (let count = 0; result.status === "paused"; count++) {
    expect(count).toBeLessThan(pauses);
    // As another process reads it.
    const state = (await readSession(session)).state;
    expect(plain(state?.nested)).toEqual(plain(result.state.nested));
    const approvals = result.pending.map(
      ({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const,
    );
    result = await run(agent, [], { ...options, approvals });
  }
  expect([result.status, result.text, paid]).toEqual(["completed", "Done.", pauses]);
  const { entries } = await session.load();
  expect(JSON.stringify(entries).length).toBeLessThan(logLength * 6);
});

test("a session has the arguments of calls that wait once, however many decisions are made one by one", async () => {
  const letter = "Dear Ada, ".repeat(2_000);
  const count = 20;
  const send = tool({
    name: "send",
    input: { type: "object", properties: { letter: { type: "string" } } },
    approval: true,
    execute: () => "Sent.",
  });
  const toolCalls = Array.from({ length: count }, () => ({ toolName: "send", arguments: { letter } }));
  const model = new FunctionModel(({ messages }) => (turnOf(messages) === 0 ? { toolCalls } : "All sent."));
  const agent = new Agent({ name: "Sender", model, tools: [send] });
  const session = memorySession();
  let result = await run(agent, "Send.", { session });
  while (result.status === "paused") {
    const [first] = result.pending;
    const approvals = [{ approvalId: first?.approvalId ?? "", decision: "approve" }] as const;
    result = await run(agent, [], { session, approvals });
  }
  expect(result.text).toBe("All sent.");
  const { entries } = await session.load();
  // In the answer, in the approvals, in what was shown, and in what came of it: not once for each decision.
  expect(JSON.stringify(entries).length).toBeLessThan(letter.length * count * 6);
});

test("a context that nothing changes is kept once", async () => {
  const session = memorySession();
  const context = { notes: "a ".repeat(10_000), when: new Date(0) };
  const agent = new Agent<typeof context>({ name: "A", model: new FunctionModel(() => "Hello.") });
  for (let count = 0; count < 10; count++) await run(agent, "Hi", { session, context });
  const { entries } = await session.load();
  expect(JSON.stringify(entries).length).toBeLessThan(context.notes.length * 2);
  expect((await readSession(session)).state?.context).toMatchObject({ notes: context.notes });
});

test("a context whose instance changes by itself is kept as it is at the end of each turn", async () => {
  class Cart {
    readonly items: string[] = [];
    toJSON(): object {
      return { items: this.items };
    }
  }
  const cart = new Cart();
  const add = tool({ name: "add", input: empty, execute: () => void cart.items.push("book") });
  const model = new FunctionModel(({ messages }) =>
    turnOf(messages) === 0 ? { toolCalls: [{ toolName: "add" }] } : "Added.",
  );
  const agent = new Agent<{ readonly cart: object }>({ name: "A", model, tools: [add] });
  const session = memorySession();
  await run(agent, "Add a book.", { session, context: { cart } });
  expect((await readSession(session)).state?.context).toEqual({ cart: { items: ["book"] } });
});
