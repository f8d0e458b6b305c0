/** A state, or two states of one run, that are resumed at the same time: what follows is done once. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Agent, run, tool, type ApprovalDecision, type RunState } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;
const call = (toolName: string) => ({ toolCalls: [{ toolName }] });

const decide = (decision: "approve" | "deny", approvalId = ""): readonly ApprovalDecision[] => [
  { approvalId, decision },
];

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a state that is resumed twice", () => {
  test("at once executes its pending calls once", async () => {
    const gate = Promise.withResolvers<void>();
    const execution = Promise.withResolvers<void>();
    const keys: string[] = [];
    const pay = tool({
      name: "pay",
      input: empty,
      approval: true,
      execute: async (_, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        execution.resolve();
        await gate.promise;
        return "paid";
      },
    });
    const agent = new Agent({
      name: "Clerk",
      model: new ScriptedModel([call("pay"), "Done."]),
      tools: [pay],
    });
    const { state, pending } = await run(agent, "Pay");
    const first = run(agent, state, { approvals: decide("approve", pending[0]?.approvalId) });
    await execution.promise;
    const second = await errorOf(run(agent, state, { approvals: decide("deny", pending[0]?.approvalId) }));
    gate.resolve();
    expect(await first).toMatchObject({ status: "completed" });
    expect(second).toMatchObject({ code: "session-busy" });
    expect(keys).toHaveLength(1);
  });

  test.each(["max-turns", "cancelled", "failed"])(
    "at once is carried on once, %s without open calls",
    async (end) => {
      const { agent, keys, state } = await endedEarly(end);
      const before = keys.length;
      const ends = await Promise.allSettled([1, 2].map(() => run(agent, structuredClone(state))));
      expect(ends.map(({ status }) => status)).toStrictEqual(["fulfilled", "rejected"]);
      expect(ends[1]).toMatchObject({ reason: { code: "session-busy" } });
      expect(keys.length - before).toBe(2);
      expect(new Set(keys).size).toBe(keys.length);
      // Its end gives the state back.
      expect(await run(agent, structuredClone(state))).toMatchObject({ status: "completed" });
    },
  );

  test("at once is carried on once, from two states of one run", async () => {
    const { agent, state } = await endedEarly("max-turns");
    const later = await run(agent, state, { maxTurns: 1 });
    const ends = await Promise.allSettled([run(agent, state), run(agent, later.state)]);
    expect(ends).toMatchObject([{ status: "fulfilled" }, { reason: { code: "session-busy" } }]);
  });

  test("at once gives its answer to both, when it has completed", async () => {
    const { agent, state } = await endedEarly("max-turns");
    const { state: done } = await run(agent, state);
    const ends = await Promise.all([run(agent, done), run(agent, done)]);
    expect(ends).toMatchObject([{ text: "Done." }, { text: "Done." }]);
  });

  test("after a failure can be resumed again", async () => {
    const failing = tool({ name: "pay", input: empty, approval: true, execute: () => "paid" });
    const model = new ScriptedModel([call("pay")]);
    const agent = new Agent({ name: "Clerk", model, tools: [failing] });
    const { state, pending } = await run(agent, "Pay");
    const approvals = decide("approve", pending[0]?.approvalId);
    const first = await errorOf(run(agent, state, { approvals }));
    const second = await errorOf(run(agent, state, { approvals }));
    for (const error of [first, second]) expect(error).not.toMatchObject({ code: "session-busy" });
  });
});

/** An agent that acts in three turns, and the state of a run of it that ended after the first: its call has a result. */
async function endedEarly(end: string) {
  const keys: string[] = [];
  const act = tool({
    name: "act",
    input: empty,
    execute: async (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      await sleep(5);
      return "ok";
    },
  });
  let isDown = end === "failed";
  const model = new FunctionModel(({ messages }) => {
    const turns = messages.filter(({ role }) => role === "assistant").length;
    if (turns > 0 && isDown) throw new Error("down");
    return turns < 3 ? call("act") : "Done.";
  });
  const agent = new Agent({ name: "Clerk", model, tools: [act] });
  const stop = new AbortController();
  const ending: unknown = await run(agent, "Go", {
    ...(end === "max-turns" && { maxTurns: 1 }),
    signal: stop.signal,
    onEvent: ({ type }) => end === "cancelled" && type === "turn-end" && stop.abort(),
  }).catch((error: unknown) => error);
  isDown = false;
  if (!isEnding(ending)) throw new Error("the run left no state");
  return { agent, keys, state: ending.state };
}

function isEnding(value: unknown): value is { readonly state: RunState } {
  return typeof value === "object" && value !== null && "state" in value;
}
