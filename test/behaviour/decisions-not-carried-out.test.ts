/** A run ends before it has carried out all that a person decided: the next one does, and nobody is asked again. */
import {
  Agent,
  type ApprovalDecision,
  type Middleware,
  run,
  type RunOptions,
  type RunState,
  tool,
} from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { beforeEach, describe, expect, test } from "vitest";

const paid: number[] = [];
beforeEach(() => void paid.splice(0));

const pay = tool({
  name: "pay",
  input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  approval: true,
  execute: ({ amount }: { amount: number }) => {
    paid.push(amount);
    return "paid";
  },
});

const model = new FunctionModel(({ messages, instructions = "" }) =>
  messages.at(-1)?.role === "tool"
    ? "Done."
    : {
        toolCalls: [100, 200, 300].map((amount) => ({
          toolName: instructions || "pay",
          arguments: instructions ? { input: String(amount) } : { amount },
        })),
      },
);

/** Agents whose calls wait: its own, those of an agent that it calls, and those of a tool. */
const clerk = new Agent({
  name: "Clerk",
  description: "Pays.",
  tools: [pay],
  model: new FunctionModel(({ messages: [first, ...others] }) => {
    if (others.length > 0 || first?.role !== "user") return "Paid.";
    return { toolCalls: [{ toolName: "pay", arguments: { amount: Number(first.content) } }] };
  }),
});

const desks: Readonly<Record<string, Agent>> = {
  "its own calls": new Agent({ name: "Desk", tools: [pay], model }),
  "calls of agents": new Agent({
    name: "Desk",
    instructions: "clerk",
    tools: [clerk.asTool({ name: "clerk" })],
    model,
  }),
  "calls of a tool": new Agent({
    name: "Desk",
    instructions: "via",
    tools: [
      pay,
      tool({
        name: "via",
        input: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
        execute: ({ input }: { input: string }, { call }) => call("pay", { amount: Number(input) }),
      }),
    ],
    model,
  }),
};

const plain = (state: RunState): RunState => JSON.parse(JSON.stringify(state)) as RunState;

/** Approves all with an amount of a hundredth, but for the last, which is denied. */
const decide = (pending: RunState["pending"]): readonly ApprovalDecision[] =>
  pending.map(({ approvalId = "", input }, index) =>
    index === pending.length - 1
      ? { approvalId, decision: "deny", reason: "Too much." }
      : { approvalId, decision: "approve", arguments: { amount: Number(Object(input).amount) / 100 } },
  );

/** Fails once something is paid. */
const failing: Middleware = {
  step: async (_, next) => {
    const value = await next();
    if (paid.length > 0) throw new Error("The disk is full.");
    return value;
  },
};

const ends: Readonly<Record<string, () => Partial<RunOptions>>> = {
  "reaches its limit of calls": () => ({ maxToolCalls: 1 }),
  "fails in a middleware": () => ({ middleware: [failing], concurrency: 1 }),
};

const cases = Object.entries(desks).flatMap(([what, desk]) =>
  Object.entries(ends)
    // A call within another that is beyond the limit fails: what called it reads that.
    .filter(([end]) => what === "its own calls" || end !== "reaches its limit of calls")
    .flatMap(([end, options]) =>
      [undefined, "a secret of a server"].map((stateSecret) => ({ what, desk, end, options, stateSecret })),
    ),
);

describe.each(cases)("$what, where the run $end (secret: $stateSecret)", ({ desk, options, stateSecret }) => {
  const secret = stateSecret === undefined ? {} : { stateSecret };

  test("a state has the decisions", async () => {
    const first = await run(desk, "Pay.", secret);
    const approvals = decide(first.pending);
    let state = plain(
      await run(desk, plain(first.state), { ...secret, ...options(), approvals }).then(
        (result) => result.state,
        (error: { state: RunState }) => error.state,
      ),
    );
    for (let resumption = 0; state.status !== "completed"; resumption++) {
      expect(resumption).toBeLessThan(9);
      state = plain((await run(desk, state, secret)).state);
    }
    expect(paid.toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(state.decisions).toBeUndefined();
  });
});

test("an earlier decision cannot be changed", async () => {
  const desk = desks["its own calls"] ?? clerk;
  const first = await run(desk, "Pay.");
  const [one, two] = decide(first.pending);
  const second = await run(desk, first.state, {
    maxToolCalls: 1,
    approvals: [one, two].flatMap((each) => each ?? []),
  });
  expect(second.state.decisions).toMatchObject([{ decision: "approve", arguments: '{"amount":2}' }]);
  const [, id = ""] = first.pending.map(({ approvalId }) => approvalId);
  await expect(
    run(desk, second.state, { approvals: [{ approvalId: id, decision: "deny" }] }),
  ).rejects.toThrow("which was approved before");
  expect(paid).toEqual([1]);
  const changed = { ...plain(second.state), decisions: [{ approvalId: id, decision: "aprove" }] };
  await expect(run(desk, changed as unknown as RunState)).rejects.toThrow(
    'Each entry of state.decisions must be { approvalId, decision: "approve" | "deny" }.',
  );
});

test("a session that is read has them, too", async () => {
  const desk = desks["its own calls"] ?? clerk;
  const session = memorySession();
  const { pending } = await run(desk, "Pay.", { session });
  await run(desk, [], { session, maxToolCalls: 1, approvals: decide(pending) });
  const { state } = await readSession(session);
  expect(state?.decisions).toMatchObject([{ decision: "approve", arguments: { amount: 2 } }]);
});
