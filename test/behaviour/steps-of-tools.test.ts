/** Steps of a tool's own: what they did is not done again where the tool is executed again. */
import { Agent, executeToolCalls, type Journal, run, tool, type ToolContext } from "skein";
import { memorySession } from "skein/sessions";
import { describe, expect, test } from "vitest";
import { FunctionModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;

interface World {
  readonly done: string[];
  /** Where the process dies: the tool never goes on from there. */
  dieAt?: string;
  /** Called when it dies. */
  readonly onDeath?: () => void;
}

/** An agent whose tool works in three steps, the second of which may be a call that needs approval. */
function agentOf(
  world: World,
  options: { readonly approval?: boolean; readonly retries?: number } = {},
): Agent {
  const { approval = false, retries } = options;
  const step = (name: string) => async (): Promise<object> => {
    if (world.dieAt === name) {
      world.onDeath?.();
      await new Promise(() => {});
    }
    world.done.push(name);
    return { name, at: world.done.length };
  };
  const pay = tool({ name: "pay", input: empty, approval, execute: () => world.done.push("pay") });
  const order = tool({
    name: "order",
    input: empty,
    ...(retries !== undefined && { retries: { times: retries, delay: 0, when: () => true } }),
    execute: async (_: unknown, context: ToolContext) => {
      const first = await context.step("reserve", step("reserve"));
      await context.call("pay", {});
      const last = await context.step("ship", step("ship"));
      if (world.dieAt === "failing") {
        delete world.dieAt;
        throw new Error("down");
      }
      return { first, last };
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: [{ toolCallId: "c", toolName: "order" }] } : "Done.",
  );
  return new Agent({ name: "Shop", model, tools: [order, pay] });
}

const resultIn = (messages: readonly object[]): string => JSON.stringify(messages);

test("without anything that keeps them, steps are performed", async () => {
  const world: World = { done: [] };
  const { messages } = await run(agentOf(world), "Order");
  expect(world.done).toEqual(["reserve", "pay", "ship"]);
  expect(resultIn(messages)).toContain(String.raw`{\"first\":{\"name\":\"reserve\",\"at\":1}`);
});

test("outside a run, too", async () => {
  const twice = tool({
    name: "twice",
    input: empty,
    execute: async (_: unknown, { step }: ToolContext) => [
      await step("a", () => 1),
      await step("b", () => 2),
    ],
  });
  const [result] = await executeToolCalls([{ toolCallId: "1", toolName: "twice", arguments: "{}" }], [twice]);
  expect(result?.structuredContent ?? result?.content).toEqual([1, 2]);
});

describe.each(["session", "journal"])("after a crash, with a %s", (keeper) => {
  test.each(["reserve", "ship"])("in the step %s, those before are not performed again", async (dieAt) => {
    const death = Promise.withResolvers<void>();
    const world: World = { done: [], dieAt, onDeath: death.resolve };
    const session = memorySession();
    const results = new Map<string, string>();
    const journal: Journal = {
      step: async <T>(key: string, perform: () => Promise<T>): Promise<T> => {
        const text = results.get(key);
        if (text !== undefined) return JSON.parse(text);
        const value = await perform();
        results.set(key, JSON.stringify(value));
        return value;
      },
    };
    // Nobody sees what becomes of it.
    const gone = run(agentOf(world), "Order", keeper === "session" ? { session } : { journal, runId: "r" });
    gone.catch(() => undefined);
    await death.promise;
    const { entries } = await session.load();
    delete world.dieAt;
    // What the first process would still do is not seen by the second one.
    const copy = memorySession();
    await copy.append(entries.map((entry) => (entry.type === "claim" ? { ...entry, until: 0 } : entry)));
    const copied: Journal = {
      step: async (key, perform) => (results.has(key) ? JSON.parse(results.get(key) ?? "") : perform()),
    };
    const { messages } = await (keeper === "session"
      ? run(agentOf(world), [], { session: copy })
      : run(agentOf(world), "Order", { journal: copied, runId: "r" }));
    expect(world.done).toEqual(["reserve", "pay", "ship"]);
    expect(resultIn(messages)).toContain(String.raw`\"at\":1`);
  });
});

test.each(["state", "session"])("after a pause, with a %s, steps are not performed again", async (keeper) => {
  const world: World = { done: [] };
  const session = memorySession();
  const options = keeper === "session" ? { session } : {};
  const paused = await run(agentOf(world, { approval: true }), "Order", options);
  expect(paused.status).toBe("paused");
  expect(world.done).toEqual(["reserve"]);
  const state: typeof paused.state = JSON.parse(JSON.stringify(paused.state));
  const approvals = paused.pending.map(
    ({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const,
  );
  const { status } = await run(agentOf(world, { approval: true }), keeper === "session" ? [] : state, {
    ...options,
    approvals,
  });
  expect(status).toBe("completed");
  expect(world.done).toEqual(["reserve", "pay", "ship"]);
});

test("another attempt of a tool that retries performs only the step again that has failed", async () => {
  const world: World = { done: [], dieAt: "failing" };
  await run(agentOf(world, { retries: 2 }), "Order");
  expect(world.done).toEqual(["reserve", "pay", "ship", "pay"]);
});

test.each<[string, (context: ToolContext) => unknown, string]>([
  [
    "has a name twice",
    async ({ step }) => [await step("a", () => 1), await step("a", () => 2)],
    'used the step "a" twice',
  ],
  ["has no name", ({ step }) => step("", () => 1), "must be a text of 1 to 200 characters"],
  [
    "returns what JSON has no form for",
    ({ step }) => step("a", () => ({ at: new Map() })),
    "must return plain JSON: its value.at is a Map",
  ],
  ["throws", ({ step }) => step("a", () => Promise.reject(new Error("broken"))), "broken"],
])("a step that %s is an error of its tool", async (_, execute, message) => {
  const wrong = tool({
    name: "wrong",
    input: empty,
    execute: (_input: unknown, context) => execute(context),
  });
  const [result] = await executeToolCalls([{ toolCallId: "1", toolName: "wrong", arguments: "{}" }], [wrong]);
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result?.content)).toContain(JSON.stringify(message).slice(1, -1));
});
