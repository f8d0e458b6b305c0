/** A process that stood still: another one has its run by then, and what that has done is not done again. */
import { Agent, tool, type ToolContext } from "skein";
import { type DurableStore, memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { testRuns, until } from "./test-runs.ts";

const input = { type: "object" } as const;

/** A store that one process does not reach while its leases run out: it learns nothing of that until it does. */
function unreachable(store: DurableStore) {
  const gate = Promise.withResolvers<void>();
  let isAway = false;
  const away: DurableStore = {
    ...store,
    key: store.key,
    renew: async (...args) => {
      if (isAway) await gate.promise;
      return store.renew(...args);
    },
  };
  return { away, leave: () => void (isAway = true), comeBack: () => gate.resolve() };
}

const effects: Readonly<Record<string, (context: ToolContext, effect: () => string) => Promise<unknown>>> = {
  "a step of a tool": (context, effect) => context.step("pay", effect),
  "a call within a tool": (context) => context.call("pay", {}),
};

test.each(Object.entries(effects))("%s that another process has done is not done again", async (_, act) => {
  const done: string[] = [];
  const stopped = Promise.withResolvers<void>();
  const store = memoryStore();
  const { away, leave, comeBack } = unreachable(store);
  const program = (name: string, reached: DurableStore, wait?: Promise<void>) => {
    const effect = (): string => {
      done.push(name);
      return `paid by ${name}`;
    };
    const pay = tool({ name: "pay", input, execute: effect });
    const buy = tool({
      name: "buy",
      input,
      execute: async (_input, context) => {
        await context.step("look", () => `looked by ${name}`);
        if (wait) leave();
        await wait;
        return act(context, effect);
      },
    });
    const model = new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Bought." : { toolCalls: [{ toolName: "buy" }] },
    );
    return testRuns(reached, {
      agents: [new Agent({ name: "Buyer", model, tools: [buy, pay] })],
      lease: 300,
    });
  };
  const first = program("the first", away, stopped.promise);
  const run = await first.start("Buyer", "Buy.", { id: "r" });
  void first.work();
  await until(async () => (await run.state()).status === "running");
  // As in a process of its own: within one, a conversation is locked.
  void program("the second", { ...store, key: "another process" }).work();
  expect((await run.result()).text).toBe("Bought.");
  stopped.resolve();
  await new Promise((resolve) => setTimeout(resolve, 20));
  comeBack();
  await first.close({ drain: 100 });
  expect(done).toEqual(["the second"]);
});
