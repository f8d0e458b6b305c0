/** An agent whose detached agents have calls that wait, for tests of what is decided on them. */
import { Agent, type AnyAgent, tool } from "skein";
import { type DurableStore, memoryStore, type RunHandle, type Runs, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { withoutSeveral } from "./dying-store.ts";
import { newFile, testRuns, until } from "./test-runs.ts";

/** Who is to get something. */
export const toInput = { type: "object", properties: { to: { type: "string" } }, required: ["to"] } as const;
/** Nothing. */
export const noInput = { type: "object", properties: {} } as const;

/** Stores that change several runs at once, and one that does not. */
export const stores: readonly (readonly [name: string, open: () => DurableStore])[] = [
  ["in memory", () => memoryStore()],
  ["in SQLite", () => sqliteStore(newFile())],
  ["in a store that changes one run at a time", () => withoutSeveral(memoryStore())],
];

/** An agent that calls its tools once, and then says what came of it. */
export function caller(
  name: string,
  tools: Agent["tools"],
  toolCalls: readonly (readonly [string, Readonly<Record<string, string>>])[],
): Agent {
  return new Agent({
    name,
    model: new FunctionModel(({ messages }) => {
      const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
      if (results.length > 0)
        return results
          .flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? part.text : [])))
          .join(", ");
      return { toolCalls: toolCalls.map(([toolName, input]) => ({ toolName, arguments: input })) };
    }),
    tools,
  });
}

/** An agent whose detached agent is to pay Ada and Bob, and that is to pay Cid and Dan itself and by another one. */
function desk(paid: string[]): AnyAgent {
  const pay = tool({
    name: "pay",
    input: toInput,
    approval: true,
    execute: ({ to }: { readonly to: string }) => {
      paid.push(to);
      return `paid ${to}`;
    },
  });
  const clerk = caller(
    "Clerk",
    [pay],
    [
      ["pay", { to: "Ada" }],
      ["pay", { to: "Bob" }],
    ],
  );
  const cashier = caller("Cashier", [pay], [["pay", { to: "Cid" }]]);
  const boss = caller("Boss", [cashier.asTool({ detached: true })], [["cashier", { input: "Pay" }]]);
  const tools = [clerk.asTool({ detached: true }), boss.asTool({ detached: true }), pay];
  return caller("Desk", tools, [
    ["clerk", { input: "Pay" }],
    ["boss", { input: "Pay" }],
    ["pay", { to: "Dan" }],
  ]);
}

/** What came of the calls of a run, by name. */
export async function partsOf(run: RunHandle): Promise<readonly string[]> {
  return (await run.result({ until: "end" })).text.split(", ").toSorted();
}

/** Who is to be paid. */
export const people: readonly string[] = ["Ada", "Bob", "Cid", "Dan"];

/** The approvals of a run, by who is to be paid. */
export async function approvalsOf(run: RunHandle): Promise<ReadonlyMap<string, string>> {
  const { pending } = await run.state();
  return new Map(
    pending.flatMap(({ approvalId, input }) => {
      const { to }: { readonly to?: unknown } = Object(input);
      return approvalId !== undefined && typeof to === "string" ? [[to, approvalId] as const] : [];
    }),
  );
}

/** A run of the desk that waits for all its calls, and no worker any more. */
export async function waitingDesk(
  store: DurableStore,
  paid: string[],
): Promise<{ app: Runs; agent: AnyAgent; run: RunHandle; ids: string[] }> {
  const agent = desk(paid);
  const app = testRuns(store, { agents: [agent] });
  const stop = new AbortController();
  const working = app.work({ signal: stop.signal });
  const run = await app.start(agent, "Pay them", { id: "r" });
  await until(
    async () => (await approvalsOf(run)).size === people.length && (await run.state()).status === "paused",
  );
  stop.abort();
  await working;
  const approvals = await approvalsOf(run);
  return { app, agent, run, ids: people.map((name) => approvals.get(name) ?? "") };
}

/** Approves calls. */
export function approving(ids: readonly string[]): { approvalId: string; decision: "approve" }[] {
  return ids.map((approvalId) => ({ approvalId, decision: "approve" }));
}
