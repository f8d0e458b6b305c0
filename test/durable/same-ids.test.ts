/** Runs of two stores that have one id, as where each tenant has a database of their own. */
import { expect, test } from "vitest";
import { Agent, tool } from "skein";
import { memoryStore, runs } from "skein/durable";
import { FunctionModel } from "skein/testing";

test("runs of two stores with one id do not wait for each other", async () => {
  const noted: unknown[] = [];
  const { promise: bothPay, resolve: pass } = Promise.withResolvers<void>();
  let paying = 0;
  const outcomes = ["ann", "bob"].map(async (tenant) => {
    const pay = tool({
      name: "pay",
      input: { type: "object", properties: {} },
      approval: true,
      execute: async () => {
        if (++paying === 2) pass();
        await bothPay;
        return "paid";
      },
    });
    const model = new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "user"
        ? { toolCalls: [{ toolName: "pay", arguments: {} }] }
        : `done for ${tenant}`,
    );
    const agent = new Agent({ name: "Cashier", tools: [pay], model });
    const store = memoryStore();
    const app = runs({ agents: [agent], store, onError: (error) => void noted.push(error) });
    const work = app.work();
    const handle = await app.start(agent, "Pay.", { id: "order-7" });
    const { pending } = await handle.result();
    await handle.decide(
      pending.flatMap(({ approvalId }) =>
        approvalId === undefined ? [] : [{ approvalId, decision: "approve" as const }],
      ),
    );
    const { text } = await handle.result();
    await app.close();
    await work;
    return text;
  });
  expect(await Promise.all(outcomes)).toEqual(["done for ann", "done for bob"]);
  expect(noted).toEqual([]);
});
