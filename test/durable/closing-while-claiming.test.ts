import { Agent, tool } from "skein";
import { type DurableStore, memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { testRuns } from "./test-runs.ts";

/** A store whose claims take their time: `claimed` is settled once one is under way, and it is answered after `letGo`. */
function slowClaims(store: DurableStore) {
  const claimed = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const slow = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "claim")
        return async (...args: Parameters<DurableStore["claim"]>) => {
          const runs = await target.claim(...args);
          if (runs.length === 0) return runs;
          claimed.resolve();
          await gate.promise;
          return runs;
        };
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store: slow, claimed: claimed.promise, letGo: () => gate.resolve() };
}

test("what is being claimed while a program closes is left to others at the end of the drain, too", async () => {
  const work = tool({
    name: "work",
    input: { type: "object" },
    execute: () => new Promise<string>(() => {}),
  });
  const agent = new Agent({
    name: "Worker",
    model: new FunctionModel(() => ({ toolCalls: [{ toolName: "work", arguments: {} }] })),
    tools: [work],
  });
  const { store, claimed, letGo } = slowClaims(memoryStore());
  const app = testRuns(store, { agents: [agent] });
  void app.work();
  await app.start(agent, "Go");
  await claimed;
  const closing = app.close({ drain: 0 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  letGo();
  await expect(closing).resolves.toBeUndefined();
}, 5_000);

test("what is being claimed while a program closes is waited for within the drain", async () => {
  const agent = new Agent({ name: "Quick", model: new FunctionModel(() => "Done.") });
  const { store, claimed, letGo } = slowClaims(memoryStore());
  const app = testRuns(store, { agents: [agent] });
  void app.work();
  const run = await app.start(agent, "Go");
  await claimed;
  const closing = app.close({ drain: 20_000 });
  letGo();
  await closing;
  expect((await store.read(run.id))?.status).toBe("completed");
});
