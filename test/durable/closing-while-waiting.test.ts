/** Who waits for a run while its program closes learns that, and nothing holds the process. */
import { Agent, tool } from "skein";
import { type DurableStore, memoryStore, sqliteStore } from "skein/durable";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { newFile, testRuns } from "./test-runs.ts";

const stores: readonly (readonly [string, () => DurableStore])[] = [
  ["memoryStore()", memoryStore],
  ["sqliteStore()", () => sqliteStore(newFile())],
];

const pay = tool({ name: "pay", input: { type: "object" }, approval: true, execute: () => "paid" });

async function paused(store: DurableStore) {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: {} }] }, "Paid."]);
  const app = testRuns(store, { agents: [new Agent({ name: "Clerk", model, tools: [pay] })] });
  void app.work();
  const handle = await app.start("Clerk", "Pay.", { id: "r" });
  await handle.result();
  return { app, handle };
}

const closed = { code: "closed", message: expect.stringContaining("close() has been called") };

test.each(stores)("%s: a wait for a result ends with an error when its program closes", async (_, open) => {
  const { app, handle } = await paused(open());
  const [waiting] = await Promise.allSettled([handle.result({ until: "end" }), app.close()]);
  expect(waiting).toMatchObject({ status: "rejected", reason: closed });
});

test.each(stores)("%s: the reading of events ends with an error when its program closes", async (_, open) => {
  const { app, handle } = await paused(open());
  const types: string[] = [];
  const reading = (async () => {
    for await (const event of handle.events({ until: "end" })) {
      types.push(event.type);
      if (event.type === "run-end") setImmediate(() => void app.close());
    }
  })();
  await expect(reading).rejects.toMatchObject(closed);
  expect(types.at(-1)).toBe("run-end");
});

test("what is asked of a run afterwards is refused, and another program goes on with it", async () => {
  const store = memoryStore();
  const { app, handle } = await paused(store);
  await app.close();
  await expect(handle.state()).rejects.toMatchObject(closed);
  const { pending } = await testRuns(store, { agents: [] }).get("r").state();
  expect(pending).toMatchObject([{ toolName: "pay" }]);
});
