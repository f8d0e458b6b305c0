/** Agents that are durable runs of their own: their store fails while they are started, and they call each other without end. */
import { expect, test } from "vitest";
import { Agent, type AnyAgent, tool } from "skein";
import { type DurableStore, memoryStore, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { newFile, testRuns } from "./test-runs.ts";

const input = { type: "object", properties: {} } as const;

/** Fails once, at the nth call of a method, before or after the store has done its work. */
function failingOnce(store: DurableStore, method: string, at: number, isAfter: boolean): DurableStore {
  let calls = 0;
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        const isLost = key === method && (calls += 1) === at;
        if (!isLost) return Reflect.apply(value, target, args);
        const lost = (): never => {
          throw new Error("Connection terminated unexpectedly");
        };
        return isAfter ? Promise.resolve(Reflect.apply(value, target, args)).then(lost) : lost();
      };
    },
  });
}

/** An agent that pays, and one that asks it to; like any model, it asks once more after a failure. */
function deskOf(paid: string[], read: string[]): readonly [desk: AnyAgent, cashier: AnyAgent] {
  const pay = tool({
    name: "pay",
    input,
    execute: (_, { idempotencyKey }) => {
      paid.push(idempotencyKey);
      return "paid";
    },
  });
  const cashier = new Agent({
    name: "Cashier",
    model: new FunctionModel(({ messages }) =>
      messages.length === 1 ? { toolCalls: [{ toolName: "pay", arguments: {} }] } : "It is paid.",
    ),
    tools: [pay],
  });
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "tool") read.push(last.result.outcome);
    const isFailed = last?.role === "tool" && last.result.isError && messages.length < 4;
    return last?.role === "user" || isFailed
      ? { toolCalls: [{ toolName: "cashier", arguments: { input: "Pay 5." } }] }
      : "Done.";
  });
  const tools = [cashier.asTool({ name: "cashier", detached: true })];
  return [new Agent({ name: "Desk", model, tools }), cashier];
}

const failures = ["create", "read", "update"].flatMap((method) =>
  [1, 2, 3, 4].flatMap((at) => [false, true].map((isAfter) => ({ method, at, isAfter }))),
);

test.each(failures)(
  "a store that fails at $method $at (after it has done its work: $isAfter) has the run started once",
  async ({ method, at, isAfter }) => {
    const paid: string[] = [];
    const read: string[] = [];
    const [desk, cashier] = deskOf(paid, read);
    const store = memoryStore();
    await testRuns(store, { agents: [desk, cashier] }).start(desk, "Pay 5.", { id: "r" });
    const worker = testRuns(failingOnce(store, method, at, isAfter), { agents: [desk, cashier] });
    void worker.work();
    expect(
      await testRuns(store, { agents: [desk] })
        .get("r")
        .result(),
    ).toMatchObject({ status: "completed" });
    expect(paid).toHaveLength(1);
    expect(new Set(read)).toEqual(new Set(["success"]));
  },
);

test("agents that call each other without end are stopped as deep as they are within a run", async () => {
  let read = "";
  const ask = tool({
    name: "ask",
    input,
    execute: (_, { runAgent }) => runAgent(researcher, "x", { detached: true }),
  });
  const researcher: Agent = new Agent({
    name: "Researcher",
    model: new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === "tool" && last.result.isError && read === "")
        read = JSON.stringify(last.result.content);
      return messages.length === 1 ? { toolCalls: [{ toolName: "ask", arguments: {} }] } : "Done.";
    }),
    tools: [ask],
  });
  const app = testRuns(sqliteStore(newFile()), { agents: [researcher] });
  void app.work();
  const run = await app.start(researcher, "Go.");
  expect(await run.result()).toMatchObject({ status: "completed" });
  expect(await app.list({ limit: 100 })).toHaveLength(9);
  expect(read).toContain("ask failed: Researcher was not run: agents have called each other 8 deep.");
});
