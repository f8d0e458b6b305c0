/** Answers to many calls at once: what a process does for each must not grow with their number. */
import { expect, test } from "vitest";
import { Agent, type PendingCall, tool } from "skein";
import { type DurableStore, memoryStore, type RunAnswers } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { isPlainObject } from "../../src/base/util/json.ts";
import { stores } from "./detached-desk.ts";
import { testRuns } from "./test-runs.ts";

/** An agent that makes many calls of a tool at once. */
function payer(count: number, approval: boolean, paid: number[] = []): Agent {
  const input = { type: "object", properties: { x: { type: "number" } }, required: ["x"] } as const;
  const pay = approval
    ? tool({ name: "pay", input, approval, execute: ({ x }: { readonly x: number }) => void paid.push(x) })
    : tool({ name: "pay", input });
  const calls = Array.from({ length: count }, (_, x) => ({ toolName: "pay", arguments: { x } }));
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: calls } : "All paid.",
  );
  return new Agent({ name: "Payer", description: "Pays.", model, tools: [pay] });
}

/** An agent whose only tool runs the payer on its own. */
function manager(inner: Agent): Agent {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { toolCalls: [{ toolName: "payer", arguments: { input: "Pay" } }] }
      : "Done.",
  );
  return new Agent({ name: "Manager", model, tools: [inner.asTool({ detached: true })] });
}

/** Counts how often anything of a value is read, at any depth. */
class ReadCounter {
  count = 0;

  watch<T>(value: T): T {
    if (!Array.isArray(value) && !isPlainObject(value)) return value;
    for (const [key, member] of Object.entries(value)) Reflect.set(value, key, this.watch(member));
    return new Proxy<T & object>(value, {
      get: (target, key): unknown => {
        this.count += 1;
        return Reflect.get(target, key);
      },
    });
  }
}

/** A store that counts how much is read of what it gives out, and how often it is read and written. */
function counting(store: DurableStore): { store: DurableStore; reads: () => number; uses: () => number } {
  const counter = new ReadCounter();
  let uses = 0;
  const using = async <T>(work: Promise<T>): Promise<T> => {
    uses += 1;
    return work;
  };
  const counted: DurableStore = {
    ...store,
    key: store.key,
    read: async (id) => counter.watch(structuredClone(await using(store.read(id)))),
    load: async (log) => counter.watch(structuredClone(await using(store.load(log)))),
    update: (id, revision, change) => using(store.update(id, revision, change)),
  };
  const { updateAll } = store;
  if (updateAll) counted.updateAll = (updates) => using(updateAll.call(store, updates));
  return { store: counted, reads: () => counter.count, uses: () => uses };
}

const kinds = [
  ["decisions", (count: number) => payer(count, true)],
  ["results", (count: number) => payer(count, false)],
  ["decisions for a run on its own", (count: number) => manager(payer(count, true))],
  ["results for a run on its own", (count: number) => manager(payer(count, false))],
] as const;

/** What answering all calls of a run takes. */
async function workOf(store: DurableStore, agent: Agent): Promise<{ reads: number; uses: number }> {
  const first = testRuns(store, { agents: [agent] });
  const working = new AbortController();
  const worker = first.work({ signal: working.signal });
  const { pending } = await (await first.start(agent, "Go", { id: "r" })).result();
  working.abort();
  await worker;
  const counted = counting(store);
  await testRuns(counted.store, { agents: [] }).get("r").answer(answersTo(pending));
  return { reads: counted.reads(), uses: counted.uses() };
}

function answersTo(pending: readonly PendingCall[]): RunAnswers {
  return {
    decisions: pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "approve" }],
    ),
    results: pending.flatMap(({ approvalId, toolCallId, toolName }) =>
      approvalId === undefined && toolName === "pay" ? [{ toolCallId, content: "paid" }] : [],
    ),
  };
}

for (const [storeName, open] of stores)
  test.for(kinds)(`twice as many %s take about twice the work ${storeName}`, async ([, agentWith]) => {
    const few = await workOf(open(), agentWith(100));
    const many = await workOf(open(), agentWith(200));
    expect(many.uses).toBe(few.uses);
    expect(many.reads).toBeGreaterThan(few.reads);
    expect(many.reads).toBeLessThan(2.5 * few.reads);
  });

test("4,000 calls are decided on at once, and are carried out", async () => {
  const paid: number[] = [];
  const agent = payer(4_000, true, paid);
  const app = testRuns(memoryStore(), { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Go", { id: "r" });
  await run.answer(answersTo((await run.result()).pending));
  expect(await run.result({ until: "end" })).toMatchObject({ status: "completed", text: "All paid." });
  expect(new Set(paid).size).toBe(4_000);
});
