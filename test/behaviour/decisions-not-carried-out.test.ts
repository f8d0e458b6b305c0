/** A run ends before it has carried out all that a person decided: the next one does, and nobody is asked again. */
import {
  Agent,
  type ApprovalDecision,
  type Middleware,
  run,
  type RunOptions,
  type RunState,
  tool,
  type Tool,
  type ToolContext,
  toolset,
} from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { beforeEach, describe, expect, test } from "vitest";

const paid: number[] = [];
beforeEach(() => void paid.splice(0));

const payTool = (interrupted: "repeat" | "tell"): Tool =>
  tool({
    name: "pay",
    input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
    approval: true,
    interrupted,
    execute: ({ amount }: { amount: number }) => {
      paid.push(amount);
      return "paid";
    },
  });

/** Makes three calls at once. */
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

/** Calls its tool once, which does all three. */
const once = new FunctionModel(({ messages }) =>
  messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "all", arguments: {} }] },
);
const all = (execute: (amount: number, context: ToolContext) => Promise<unknown>): Tool =>
  tool({
    name: "all",
    input: { type: "object", properties: {} },
    execute: (_, context) => Promise.all([100, 200, 300].map((amount) => execute(amount, context))),
  });

const clerkWith = (pay: Tool): Agent =>
  new Agent({
    name: "Clerk",
    description: "Pays.",
    tools: [pay],
    model: new FunctionModel(({ messages: [first, ...others] }) => {
      if (others.length > 0 || first?.role !== "user") return "Paid.";
      return { toolCalls: [{ toolName: "pay", arguments: { amount: Number(first.content) } }] };
    }),
  });

const desk = (tools: readonly Tool[], instructions = "", speaking = model): Agent =>
  new Agent({ name: "Desk", instructions, tools, model: speaking });

/** Agents whose calls wait, wherever these are made. */
const desks: Readonly<Record<string, (pay: Tool) => Agent>> = {
  "its own calls": (pay) => desk([pay]),
  "calls of agents": (pay) => desk([clerkWith(pay).asTool({ name: "clerk" })], "clerk"),
  "calls of a tool": (pay) =>
    desk(
      [
        pay,
        tool({
          name: "via",
          input: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
          execute: ({ input }: { input: string }, { call }) => call("pay", { amount: Number(input) }),
        }),
      ],
      "via",
    ),
  "calls of one tool": (pay) => desk([pay, all((amount, { call }) => call("pay", { amount }))], "", once),
  "calls of agents that a tool's code runs": (pay) =>
    desk([all((amount, { runAgent }) => runAgent(clerkWith(pay), String(amount)))], "", once),
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
  "fails before anything is done": () => ({
    middleware: [{ run: () => Promise.reject(new Error("The disk is full.")) }],
  }),
};

const cases = Object.entries(desks).flatMap(([what, make]) =>
  Object.entries(ends)
    // A call within another that is beyond the limit fails: what called it reads that.
    .filter(([end]) => what === "its own calls" || end !== "reaches its limit of calls")
    .flatMap(([end, options]) => {
      // Where something remembers steps, another process may have begun what is within a call.
      const interrupted = options().middleware?.some(({ step }) => step) ? "repeat" : "tell";
      return [undefined, "a secret of a server"].map((stateSecret) => ({
        what,
        end,
        options,
        stateSecret,
        team: make(payTool(interrupted)),
      }));
    }),
);

describe.each(cases)("$what, where the run $end (secret: $stateSecret)", ({ team, options, stateSecret }) => {
  const agents = [clerkWith(payTool("repeat"))];
  const secret = { agents, ...(stateSecret === undefined ? {} : { stateSecret }) };

  test("a state has the decisions", async () => {
    const first = await run(team, "Pay.", secret);
    const approvals = decide(first.pending);
    let state = plain(
      await run(team, plain(first.state), { ...secret, ...options(), approvals }).then(
        (result) => result.state,
        (error: { state: RunState }) => error.state,
      ),
    );
    for (let resumption = 0; state.status !== "completed"; resumption++) {
      expect(resumption).toBeLessThan(9);
      state = plain((await run(team, state, secret)).state);
    }
    expect(paid.toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(state.decisions).toBeUndefined();
  });
});

const ownCalls = desk([payTool("tell")]);

test("they are there where the run could not begin, too", async () => {
  const first = await run(ownCalls, "Pay.");
  const approvals = decide(first.pending);
  const broken = toolset({
    name: "remote",
    tools: () => {
      throw new Error("The server is down.");
    },
  });
  const down = new Agent({ name: "Desk", tools: [broken], model });
  const failure = await run(down, first.state, { approvals }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "run-failed", state: { decisions: [{}, {}, {}] } });
  const { state } = failure as { state: RunState };
  const again = await run(down, plain(state)).catch((error: unknown) => error);
  expect(again).toMatchObject({ state: { decisions: state.decisions } });
  await run(ownCalls, plain((again as { state: RunState }).state));
  expect(paid).toEqual([1, 2]);
});

const keepers: readonly (readonly [string, () => RunOptions])[] = [
  ["a state", () => ({})],
  ["a session", () => ({ session: memorySession() })],
];

test.each(keepers)(
  "from %s: of arguments that a changed tool does not take, another decision is asked for",
  async (_, keeper) => {
    const options = keeper();
    const first = await run(ownCalls, "Pay.", options);
    const limited = await run(ownCalls, options.session ? [] : plain(first.state), {
      ...options,
      maxToolCalls: 1,
      approvals: decide(first.pending),
    });
    const stricter = tool({
      name: "pay",
      input: {
        type: "object",
        properties: { amount: { type: "number", minimum: 50 } },
        required: ["amount"],
      },
      approval: true,
      execute: ({ amount }: { amount: number }) => void paid.push(amount),
    });
    const changed = desk([stricter]);
    const input = (state: RunState) => (options.session ? [] : plain(state));
    const paused = await run(changed, input(limited.state), options);
    expect(paused).toMatchObject({ status: "paused", pending: [{ toolName: "pay" }] });
    expect(paused.warnings.join("\n")).toContain("waits for another decision");
    const [approvalId = ""] = paused.pending.map((call) => call.approvalId);
    const edited = { approvalId, decision: "approve", arguments: { amount: 60 } } as const;
    await run(changed, input(paused.state), { ...options, approvals: [edited] });
    expect(paid).toEqual([1, 60]);
  },
);

test("an earlier decision cannot be changed", async () => {
  const first = await run(ownCalls, "Pay.");
  const [one, two] = decide(first.pending);
  const second = await run(ownCalls, first.state, {
    maxToolCalls: 1,
    approvals: [one, two].flatMap((each) => each ?? []),
  });
  expect(second.state.decisions).toMatchObject([{ decision: "approve", arguments: '{"amount":2}' }]);
  const [, id = ""] = first.pending.map(({ approvalId }) => approvalId);
  await expect(
    run(ownCalls, second.state, { approvals: [{ approvalId: id, decision: "deny" }] }),
  ).rejects.toThrow("which was approved before");
  expect(paid).toEqual([1]);
  const changed = { ...plain(second.state), decisions: [{ approvalId: id, decision: "aprove" }] };
  await expect(run(ownCalls, changed as unknown as RunState)).rejects.toThrow(
    'Each entry of state.decisions must be { approvalId, decision: "approve" | "deny" }.',
  );
});

test("a session that is read has them, too", async () => {
  const session = memorySession();
  const { pending } = await run(ownCalls, "Pay.", { session });
  await run(ownCalls, [], { session, maxToolCalls: 1, approvals: decide(pending) });
  const { state } = await readSession(session);
  expect(state?.decisions).toMatchObject([{ decision: "approve", arguments: { amount: 2 } }]);
});
