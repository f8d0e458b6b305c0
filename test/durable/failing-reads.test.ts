/** A store that fails once, at any of its reads: what was answered and done before stands, and the model is not asked again for it. */
import { Agent, result, tool } from "skein";
import { type DurableStore, memoryStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { testRuns } from "./test-runs.ts";

const input = { type: "object" } as const;

/** A store whose k-th read of a run fails, once. */
function failingAtRead(at: number): DurableStore {
  const store = memoryStore();
  let reads = 0;
  const read: DurableStore["read"] = async (id) => {
    if ((reads += 1) === at) throw new Error("The connection was lost.");
    return store.read(id);
  };
  return { ...store, key: store.key, read };
}

/** The answers of a run over two turns, and how often the model and the tool were called. */
async function played(at: number) {
  const store = failingAtRead(at);
  let requests = 0;
  let sent = 0;
  const send = tool({
    name: "send",
    input,
    execute: () => result({ value: ++sent, context: { sent } }),
  });
  const model = new FunctionModel(({ messages }) => {
    requests += 1;
    const isDone = messages.some(({ role }) => role === "tool");
    return isDone ? `Done ${messages.length}.` : { toolCalls: [{ toolName: "send" }] };
  });
  const agent = new Agent({ name: "Clerk", model, tools: [send] });
  const app = testRuns(store, { agents: [agent], lease: 500 });
  let handle = await app.start(agent, "Send it.", { id: "r" }).catch(() => undefined);
  handle ??= await app.start(agent, "Send it.", { id: "r" });
  void app.work();
  for (;;) {
    const state = await handle.state().catch(() => undefined);
    if (state && state.status !== "queued" && state.status !== "running") {
      const texts = state.messages.map(({ role }) => role);
      return { status: state.status, texts, requests, sent };
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a store that fails at read %d costs no call and no answer",
  async (at) => {
    expect(await played(at)).toEqual({
      status: "completed",
      texts: ["user", "assistant", "tool", "assistant"],
      requests: 2,
      sent: 1,
    });
  },
);

/** A run whose tool waits for `work`, and a store of it that fails the next times. */
async function waitingRun() {
  const store = memoryStore();
  let failures = 0;
  const orFail = <T>(work: () => Promise<T>): Promise<T> =>
    (failures -= 1) >= 0 ? Promise.reject(new Error("The connection was lost.")) : work();
  const away: DurableStore = {
    ...store,
    key: store.key,
    read: (id) => orFail(() => store.read(id)),
    events: (id, after, limit) => orFail(() => store.events(id, after, limit)),
    // What has changed has to be read.
    watch: (listener, scope) => store.watch((id) => listener(id), scope),
  };
  const work = Promise.withResolvers<string>();
  const wait = tool({ name: "wait", input, execute: () => work.promise });
  const model = new FunctionModel(({ messages }) =>
    messages.length === 1 ? { toolCalls: [{ toolName: "wait" }] } : "Done.",
  );
  const agent = new Agent({ name: "Waiter", model, tools: [wait] });
  const worker = testRuns(store, { agents: [agent] });
  void worker.work();
  await worker.start(agent, "Go", { id: "r" });
  return {
    handle: testRuns(away, { agents: [] }).get("r"),
    fail: (times: number) => void (failures = times),
    hasFailed: () => failures < 0,
    work,
  };
}

test("a reader bears that the store is away for a moment, and reads the run to its end", async () => {
  const { handle, fail, hasFailed, work } = await waitingRun();
  const types: string[] = [];
  for await (const event of handle.events()) {
    types.push(event.type);
    if (event.type !== "tool-start") continue;
    fail(4);
    work.resolve("done");
  }
  expect(hasFailed()).toBe(true);
  expect(types.at(-1)).toBe("run-end");
  expect(types.filter((type) => type === "run-end")).toHaveLength(1);
});

test("who waits for a result bears that the store is away for a moment", async () => {
  const { handle, fail, hasFailed, work } = await waitingRun();
  const result = handle.result();
  for await (const event of handle.events()) if (event.type === "tool-start") break;
  fail(4);
  work.resolve("done");
  expect((await result).status).toBe("completed");
  expect(hasFailed()).toBe(true);
});

test("a store that is away when a result is first asked for is an error at once", async () => {
  const { handle, fail, work } = await waitingRun();
  fail(1);
  await expect(handle.result()).rejects.toMatchObject({ code: "store-failed" });
  work.resolve("done");
});
