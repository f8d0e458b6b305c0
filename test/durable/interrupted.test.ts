/** What becomes of a call that was under way when its process died. */
import { Agent, tool } from "skein";
import { type DurableStore, runs, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { approve } from "./agents.ts";
import { dyingStore } from "./dying-store.ts";
import { newFile, testRuns, until } from "./test-runs.ts";

const empty = { type: "object", properties: {} } as const;

/** Two calls, of which the second never ends in the first process. */
function agentWith(
  interrupted: "repeat" | "ask" | "tell",
  charge: (key: string) => unknown,
  options: { readonly approval?: boolean } = {},
): Agent {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? {
          toolCalls: [
            { toolCallId: "c1", toolName: "note" },
            { toolCallId: "c2", toolName: "charge" },
          ],
        }
      : "It is done.",
  );
  const tools = [
    tool({ name: "note", input: empty, execute: () => "noted" }),
    tool({
      name: "charge",
      input: empty,
      interrupted,
      ...options,
      execute: (_: unknown, { idempotencyKey }) => charge(idempotencyKey),
    }),
  ];
  return new Agent({ name: "Clerk", model, tools });
}

class Dead extends Error {}

/** Runs until the call has begun, and lets the process die then. */
async function dieWhileCharging(
  file: string,
  agent: (charge: (key: string) => unknown) => Agent,
): Promise<string[]> {
  const keys: string[] = [];
  let isDead = false;
  const store: DurableStore = sqliteStore(file);
  const dies = dyingStore(store, { at: Number.POSITIVE_INFINITY, isAfter: false }, () => {
    throw new Dead("dead");
  }).store;
  const alive =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (isDead) throw new Dead("dead");
      return work(...args);
    };
  const callStarted = Promise.withResolvers<void>();
  const app = runs({
    agents: [
      agent((key) => {
        keys.push(key);
        callStarted.resolve();
        return new Promise(() => {});
      }),
    ],
    store: { ...dies, commit: alive(dies.commit), renew: alive(dies.renew), claim: alive(dies.claim) },
    lease: 200,
    onError: () => {},
  });
  void app.work();
  await app.start("Clerk", "Charge it.", { id: "r" });
  const run = app.get("r");
  const first = await Promise.race([callStarted.promise.then(() => undefined), run.result()]);
  if (first?.status === "paused") {
    await approve(run);
    await callStarted.promise;
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  isDead = true;
  return keys;
}

test.each([false, true])(
  '"repeat" makes the call again, with the same key (approval: %s)',
  async (approval) => {
    const file = newFile();
    const keys = await dieWhileCharging(file, (charge) => agentWith("repeat", charge, { approval }));
    const app = testRuns(file, { agents: [agentWith("repeat", (key) => keys.push(key), { approval })] });
    void app.work();
    await until(async () => (await app.get("r").state()).status === "completed");
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  },
);

test('"ask" repeats a call that was approved before, with the same key', async () => {
  const file = newFile();
  const keys = await dieWhileCharging(file, (charge) => agentWith("ask", charge, { approval: true }));
  const app = testRuns(file, { agents: [agentWith("ask", (key) => keys.push(key), { approval: true })] });
  void app.work();
  await until(async () => (await app.get("r").state()).status === "completed");
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
});

test('"ask" has a person decide whether the call is made again', async () => {
  for (const decision of ["approve", "deny"] as const) {
    const file = newFile();
    const keys = await dieWhileCharging(file, (charge) => agentWith("ask", charge));
    const app = testRuns(file, { agents: [agentWith("ask", (key) => keys.push(key))] });
    void app.work();
    await until(async () => (await app.get("r").state()).status === "paused");
    expect((await app.get("r").state()).pending).toMatchObject([{ toolName: "charge", toolCallId: "c2" }]);
    expect(keys).toHaveLength(1);
    await approve(app.get("r"), decision);
    expect(await app.get("r").result()).toMatchObject({ status: "completed" });
    expect(keys).toHaveLength(decision === "approve" ? 2 : 1);
    expect(new Set(keys).size).toBe(1);
    const { messages } = await app.get("r").state();
    expect(JSON.stringify(messages).includes("may or may not have taken effect")).toBe(decision === "deny");
  }
});

test.each([false, true])('"tell" lets the model know, and calls nothing (approval: %s)', async (approval) => {
  const file = newFile();
  const keys = await dieWhileCharging(file, (charge) => agentWith("tell", charge, { approval }));
  const app = testRuns(file, { agents: [agentWith("tell", (key) => keys.push(key), { approval })] });
  void app.work();
  await until(async () => (await app.get("r").state()).status === "completed");
  expect(keys).toHaveLength(1);
  const { messages } = await app.get("r").state();
  expect(JSON.stringify(messages)).toContain("charge was interrupted: it may or may not have taken effect.");
});

test("a call that was not interrupted is made, whatever its tool says of interruptions", async () => {
  for (const interrupted of ["ask", "tell"] as const) {
    const keys: string[] = [];
    const agent = agentWith(interrupted, (key) => keys.push(key), { approval: true });
    const app = testRuns(newFile(), { agents: [agent] });
    void app.work();
    const run = await app.start(agent, "Charge it.");
    expect(await run.result()).toMatchObject({ status: "paused" });
    await approve(run);
    expect(await run.result()).toMatchObject({ status: "completed" });
    expect(keys).toHaveLength(1);
  }
});
