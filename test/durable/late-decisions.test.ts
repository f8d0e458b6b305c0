/** Decisions, results and cancellations that come while a worker has the run: what is acknowledged holds. */
import { expect, test, vi } from "vitest";
import { Agent, tool } from "skein";
import { type DurableStore, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { worker } from "./agents.ts";
import { all, newFile, testRuns, until } from "./test-runs.ts";

const input = { type: "object", properties: {} } as const;

/** An agent whose call is denied unless somebody approves it. */
function payer(): Agent {
  return new Agent({
    name: "Payer",
    model: new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role !== "tool") return { toolCalls: [{ toolName: "pay", arguments: {} }] };
      return last.result.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
    }),
    tools: [tool({ name: "pay", input, approval: true, execute: () => "paid" })],
  });
}

/** A store that does something at a moment of the worker which carries out a deadline: before it reads, or once it has decided. */
function storeAt(moment: "before" | "after", act: () => Promise<unknown>): DurableStore {
  const store = sqliteStore(newFile());
  let isDue = false;
  let isDone = false;
  const actOnce = async (): Promise<void> => {
    if (!isDue || isDone) return;
    isDone = true;
    await act();
  };
  return {
    ...store,
    claim: async (request) => {
      const claimed = await store.claim(request);
      isDue ||= claimed.some(({ attempts }) => attempts > 1);
      return claimed;
    },
    load: async (log) => {
      const entries = await store.load(log);
      if (moment === "before") await actOnce();
      return entries;
    },
    commit: async (lease, write) => {
      const isWritten = await store.commit(lease, write);
      if (moment === "after" && write.change) await actOnce();
      return isWritten;
    },
  };
}

test.each([
  ["before", ["acknowledged", "paid"]],
  [
    "after",
    [
      "refused",
      "pay was not called: it was not approved. The reason given: No person decided on it in time.",
    ],
  ],
] as const)(
  "a decision at its deadline is carried out or refused, %s the worker has denied the call",
  async (moment, outcome) => {
    const agent = payer();
    const decided = Promise.withResolvers<string>();
    const app = testRuns(
      storeAt(moment, async () => {
        const { pending } = await waiting;
        const decisions = pending.map(({ approvalId = "" }) => ({
          approvalId,
          decision: "approve" as const,
        }));
        decided.resolve(
          await run.decide(decisions).then(
            () => "acknowledged",
            () => "refused",
          ),
        );
      }),
      { agents: [agent], approvalTimeout: 300 },
    );
    const run = await app.start(agent, "Pay.", { id: "r" });
    void app.work();
    const waiting = run.result();
    await waiting;
    const { text } = await run.result({ until: "end" });
    expect([await decided.promise, text]).toEqual(outcome);
  },
);

test.each([
  ["before", ["acknowledged", "40 euros"]],
  ["after", ["refused", 'Nothing came for "money" in time.']],
] as const)(
  "a value at the end of a wait arrives or is refused, %s the worker has ended the wait",
  async (moment, outcome) => {
    const agent = worker(({ waitFor }) =>
      waitFor("money", { timeout: 1_300 }).catch((error: unknown) =>
        error instanceof Error ? error.message : "",
      ),
    );
    const resolved = Promise.withResolvers<string>();
    const app = testRuns(
      storeAt(moment, async () => {
        resolved.resolve(
          await run.resolve("money", "40 euros").then(
            () => "acknowledged",
            () => "refused",
          ),
        );
      }),
      { agents: [agent] },
    );
    const run = await app.start(agent, "Work.", { id: "r" });
    void app.work();
    const { text } = await run.result({ until: "end" });
    expect([await resolved.promise, text]).toEqual(outcome);
  },
);

test("a run that was cancelled ends so, whatever it came to meanwhile", async () => {
  const released = Promise.withResolvers<string>();
  const toolCalled = Promise.withResolvers<void>();
  const agent = worker(() => {
    toolCalled.resolve();
    return released.promise;
  });
  const file = newFile();
  const app = testRuns(file, { agents: [agent] });
  const run = await app.start(agent, "Work.", { id: "r" });
  void app.work();
  await toolCalled.promise;
  expect(await testRuns(file, { agents: [] }).get("r").cancel("Not needed.")).toBe(true);
  released.resolve("done");
  expect(await run.result()).toMatchObject({ status: "cancelled", cancelReason: "Not needed." });
  expect((await all(run.events())).at(-1)).toMatchObject({ type: "run-end", status: "cancelled" });
});

test("what onError rejects with is a warning of the process", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const agent = worker(() => "done").with({
    model: new FunctionModel(() => {
      throw new Error("broken");
    }),
  });
  const app = testRuns(newFile(), {
    agents: [agent],
    onError: () => Promise.reject(new Error("The logging service is down.")),
  });
  const run = await app.start(agent, "Work.");
  void app.work();
  expect(await run.result()).toMatchObject({ status: "failed" });
  await until(() => warn.mock.calls.length > 0);
  expect(warn.mock.calls[0]?.[0]).toContain("The logging service is down.");
});

test("events of large results are stored in groups that every store has room for", async () => {
  const store = sqliteStore(newFile());
  const sizes: number[] = [];
  const agent = new Agent({
    name: "Loud",
    model: new FunctionModel(({ messages }) =>
      messages.length === 1
        ? { toolCalls: Array.from({ length: 6 }, () => ({ toolName: "shout", arguments: {} })) }
        : "Done.",
    ),
    tools: [tool({ name: "shout", input, execute: () => "x".repeat(200_000) })],
  });
  const app = testRuns(
    {
      ...store,
      commit: (lease, write) => {
        sizes.push(...(write.events?.groups ?? []).map((group) => JSON.stringify(group).length));
        return store.commit(lease, write);
      },
    },
    { agents: [agent] },
  );
  const run = await app.start(agent, "Go.");
  void app.work();
  expect(await run.result()).toMatchObject({ status: "completed" });
  // The last of a turn has all of its results.
  expect(sizes.filter((size) => size > 1_000_000)).toHaveLength(1);
  const events = await all(run.events());
  expect(events.map(({ index }) => index)).toEqual(events.map((_, index) => index));
});
