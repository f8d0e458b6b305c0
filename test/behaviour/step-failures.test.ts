import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { Agent, run, tool, type Journal, type RunEvent, type RunState } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";

const input = { type: "object", properties: { ms: { type: "number" } } } as const;

/** A journal that fails once to keep a call that it has let happen. */
function failingOnce(part = "call_1"): Journal {
  let failures = 0;
  return {
    async step(key, perform) {
      const value = await perform();
      if (key.includes(part) && failures++ === 0) throw new Error("disk full");
      return value;
    },
  };
}

async function stateOfFailure(running: Promise<unknown>): Promise<RunState> {
  const error: unknown = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error) || !("state" in error)) throw new Error("The run did not fail.");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored and read again, as programs do
  return JSON.parse(JSON.stringify(error.state)) as RunState;
}

function acting(...delays: number[]) {
  const done: number[] = [];
  const act = tool({
    name: "act",
    input,
    execute: async ({ ms }: { ms: number }) => {
      await wait(ms);
      done.push(ms);
      return `waited ${ms}`;
    },
  });
  const toolCalls = delays.map((ms) => ({ toolName: "act", arguments: { ms } }));
  return {
    done,
    agent: new Agent({ name: "A", model: new ScriptedModel([{ toolCalls }, "done"]), tools: [act] }),
  };
}

test("a call whose step cannot be kept fails the run, and is not executed again when that is resumed", async () => {
  let paid = 0;
  const pay = tool({
    name: "pay",
    input: { type: "object" },
    approval: true,
    execute: () => `paid ${++paid}`,
  });
  const agent = new Agent({ name: "A", tools: [pay] });
  const asking = agent.with({ model: new ScriptedModel([{ toolCalls: [{ toolName: "pay" }] }]) });
  const paused = await run(asking, "Pay");
  const approvals = [{ approvalId: paused.pending[0]?.approvalId ?? "", decision: "approve" as const }];
  const answering = agent.with({ model: new ScriptedModel(["ok"]) });
  const state = await stateOfFailure(run(answering, paused.state, { approvals, journal: failingOnce() }));
  expect(state.pending).toEqual([]);
  const resumed = await run(answering, state);
  expect([resumed.status, paid]).toEqual(["completed", 1]);
});

test("the run ends once the whole batch is done, with its results: nothing happens behind run-end", async () => {
  const { agent, done } = acting(0, 40);
  const events: string[] = [];
  const onEvent = ({ type }: RunEvent): number => events.push(type);
  const state = await stateOfFailure(run(agent, "go", { journal: failingOnce(), onEvent }));
  expect(events.at(-1)).toBe("run-end");
  expect(done).toEqual([0, 40]);
  await wait(60);
  expect(events.at(-1)).toBe("run-end");
  expect(state.messages.filter(({ role }) => role === "tool")).toHaveLength(2);
  const resumed = await run(agent, state);
  expect([resumed.status, done.length]).toEqual(["completed", 2]);
});

test("calls of the batch that had not begun stay open, and are executed when the run is resumed", async () => {
  const { agent, done } = acting(0, 1, 2, 3);
  const state = await stateOfFailure(run(agent, "go", { journal: failingOnce(), concurrency: 1 }));
  expect([done.length, state.pending.length]).toEqual([1, 3]);
  const resumed = await run(agent, state);
  expect([resumed.status, done.toSorted((a, b) => a - b)]).toEqual(["completed", [0, 1, 2, 3]]);
});

test("in a session, too, a call whose step function fails is executed once", async () => {
  const { agent, done } = acting(0, 1);
  const session = memorySession();
  let failures = 0;
  const step = async <T>(key: { readonly id: string }, next: () => Promise<T>): Promise<T> => {
    const value = await next();
    if (key.id === "call_2" && failures++ === 0) throw new Error("no");
    return value;
  };
  await stateOfFailure(run(agent, "go", { session, middleware: [{ step }] }));
  const resumed = await run(agent, [], { session });
  expect([resumed.status, done.length]).toEqual(["completed", 2]);
});

test.each([
  ["a bigint", { id: 1n }],
  ["an object within itself", circular()],
])(
  "a tool middleware that returns %s fails the run, and its call is executed once",
  async (_, structuredContent) => {
    const { agent, done } = acting(0);
    const session = memorySession();
    const failing = run(agent, "go", {
      session,
      middleware: [
        {
          tool: async (call, _info, next) => ({
            ...(await next(call)),
            structuredContent: structuredContent as never,
          }),
        },
      ],
    });
    await expect(failing).rejects.toMatchObject({ code: "invalid-middleware" });
    const resumed = await run(agent, [], { session });
    expect([resumed.status, done.length]).toEqual(["completed", 1]);
  },
);

function circular(): object {
  const object: { self?: object } = {};
  object.self = object;
  return object;
}

test.each([
  ["at once", 0, "waited 0"],
  ["later", 20, "The call was executed; its result is not available."],
])(
  "a run cancelled within a middleware, behind its call, keeps what the call did: %s",
  async (_, ms, text) => {
    const { agent, done } = acting(0);
    const controller = new AbortController();
    const { status, messages } = await run(agent, "go", {
      signal: controller.signal,
      middleware: [
        {
          async tool(call, _info, next) {
            const returned = await next(call);
            controller.abort();
            if (ms > 0) await wait(ms);
            return returned;
          },
        },
      ],
    });
    expect([status, done]).toEqual(["cancelled", [0]]);
    expect(JSON.stringify(messages.filter(({ role }) => role === "tool"))).toContain(text);
  },
);
