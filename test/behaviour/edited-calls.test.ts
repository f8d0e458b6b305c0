/** Arguments that a person wrote are carried out within middlewares that change calls, and what nobody has seen or written never is. */
import {
  Agent,
  type Middleware,
  run,
  type RunOptions,
  type RunResult,
  type RunState,
  tool,
  type Tool,
  type ToolContext,
} from "skein";
import { FunctionModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { calls, decide, does, effects, empty, keepers, plain } from "./test-nested.ts";

type Rewrite = (args: { amount: number }) => object | string;

/** Changes the arguments of the calls that pay. */
function rewriting(rewrite: Rewrite): Middleware {
  return {
    tool(call, _info, next) {
      if (call.toolName !== "pay") return next(call);
      const rewritten = rewrite(JSON.parse(call.arguments));
      const text = typeof rewritten === "string" ? rewritten : JSON.stringify(rewritten);
      return next({ ...call, arguments: text });
    },
  };
}

const spaced = rewriting((args) => JSON.stringify(args, null, 2));
/** Applied twice, it pays four times as much. */
const doubling = rewriting(({ amount }) => ({ amount: amount * 2 }));
const constant = rewriting(() => ({ amount: 3 }));

const paying = { toolName: "pay", arguments: { amount: 100 } };
const payTool = (): Tool => does("pay", { approval: true });

function passing(name: string, inner: string): Tool {
  return tool({
    name,
    input: empty,
    execute: (_: unknown, { call }: ToolContext) => call(inner, { amount: 100 }),
  });
}

const clerk = (): Agent => new Agent({ name: "Clerk", model: calls(paying), tools: [payTool()] });

/** Where the call is made that a person decides on. */
const places: readonly (readonly [string, () => Agent])[] = [
  ["the model's own", clerk],
  ["of an agent within", () => new Agent({ name: "Boss", model: calls("clerk"), tools: [clerk().asTool()] })],
  [
    "of a tool",
    () => new Agent({ name: "Boss", model: calls("outer"), tools: [passing("outer", "pay"), payTool()] }),
  ],
  [
    "of a tool within a tool",
    () =>
      new Agent({
        name: "Boss",
        model: calls("first"),
        tools: [passing("first", "outer"), passing("outer", "pay"), payTool()],
      }),
  ],
];

/** Makes one decision after the other on all that waits. */
interface Talk {
  readonly last: RunResult;
  decide(edited?: object, decision?: "approve" | "deny"): Promise<RunResult>;
}

async function begin(boss: () => Agent, options: RunOptions): Promise<Talk> {
  let last = await run(boss(), "go", options);
  return {
    get last() {
      return last;
    },
    async decide(edited, decision = "approve") {
      const approvals = decide(last, decision, edited && { arguments: edited });
      const input = "session" in options ? [] : plain(last.state);
      return (last = await run(boss(), input, { ...options, approvals }));
    },
  };
}

const shown = (result: RunResult): unknown => result.pending.map(({ input }) => input);

describe.each(places)("a call %s whose arguments a person wrote", (_place, boss) => {
  describe.each(keepers)("with %s", (_keeper, optionsOf) => {
    const beginWith = (middleware: Middleware): Promise<Talk> =>
      begin(boss, { ...optionsOf(), middleware: [middleware] });

    test("is executed where a middleware only formats them", async () => {
      const talk = await beginWith(spaced);
      expect(await talk.decide({ amount: 7 })).toMatchObject({ status: "completed", warnings: [] });
      expect(effects).toEqual(["pay 7"]);
    });

    test("is shown once more where it changes them, and then executed as shown", async () => {
      const talk = await beginWith(doubling);
      expect(shown(await talk.decide({ amount: 7 }))).toEqual([{ amount: 14 }]);
      expect(effects).toEqual([]);
      expect(await talk.decide()).toMatchObject({ status: "completed", warnings: [] });
      expect(effects).toEqual(["pay 14"]);
    });

    test("can be edited and denied once more", async () => {
      const talk = await beginWith(doubling);
      await talk.decide({ amount: 7 });
      expect(shown(await talk.decide({ amount: 8 }))).toEqual([{ amount: 16 }]);
      expect(await talk.decide(undefined, "deny")).toMatchObject({ status: "completed" });
      expect(effects).toEqual([]);
    });

    test("is not taken for the call that was shown first, where both come to the same", async () => {
      const talk = await beginWith(constant);
      expect(shown(await talk.decide({ amount: 7 }))).toEqual([{ amount: 3 }]);
      expect(effects).toEqual([]);
      expect(await talk.decide()).toMatchObject({ status: "completed", warnings: [] });
      expect(effects).toEqual(["pay 3"]);
    });
  });
});

test("the model reads what the person wrote", async () => {
  const talk = await begin(clerk, { middleware: [doubling] });
  await talk.decide({ amount: 7 });
  const { messages } = await talk.decide();
  expect(JSON.stringify(messages)).toContain(
    JSON.stringify('Note: a person approved this call with other arguments: {"amount":7}'),
  );
});

test.each([
  ["in another order", { amount: 7, memo: "rent" }, { memo: "rent", amount: 7 }],
  ["as the tool reads them", { amount: "7" }, { amount: 7 }],
])("what a person wrote counts as the same %s", async (_title, edited, rewritten) => {
  const middleware = [rewriting(({ amount }) => (amount === 100 ? { amount } : rewritten))];
  const talk = await begin(clerk, { middleware });
  expect(await talk.decide(edited)).toMatchObject({ status: "completed", warnings: [] });
  expect(effects).toEqual(["pay 7"]);
});

test("what a person has neither seen nor written is shown, also where a policy would let it pass", async () => {
  const pay = (): Tool =>
    tool({
      name: "pay",
      input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
      approval: ({ amount }: { amount: number }) => amount > 50,
      execute: ({ amount }: { amount: number }) => void effects.push(`pay ${amount}`),
    });
  const boss = (): Agent => new Agent({ name: "Clerk", model: calls(paying), tools: [pay()] });
  const talk = await begin(boss, { middleware: [doubling] });
  expect(shown(await talk.decide({ amount: 7 }))).toEqual([{ amount: 14 }]);
  expect(effects).toEqual([]);
  expect(await talk.decide()).toMatchObject({ status: "completed", warnings: [] });
  expect(effects).toEqual(["pay 14"]);
});

test("values that look alike are not taken for what a person wrote", async () => {
  class Money {
    readonly currency = "EUR";
    readonly #amount: number;
    constructor(amount: number) {
      this.#amount = amount;
    }
    get amount(): number {
      return this.#amount;
    }
  }
  const pay = (): Tool =>
    tool({
      name: "pay",
      input: z.object({ amount: z.number() }).transform(({ amount }) => ({ money: new Money(amount) })),
      approval: true,
      execute: ({ money }) => void effects.push(`pay ${money.amount}`),
    });
  const boss = (): Agent => new Agent({ name: "Clerk", model: calls(paying), tools: [pay()] });
  const talk = await begin(boss, { middleware: [doubling] });
  expect(await talk.decide({ amount: 7 })).toMatchObject({ status: "paused" });
  expect(effects).toEqual([]);
});

const twice = new FunctionModel(({ messages }) =>
  messages.length > 1 ? "Done." : { toolCalls: ["a", "b"].map((toolCallId) => ({ toolCallId, ...paying })) },
);
const both = tool({
  name: "both",
  input: empty,
  execute: (_: unknown, { call }: ToolContext) =>
    Promise.all([call("pay", { amount: 100 }), call("pay", { amount: 100 })]),
});

describe.each([
  ["the model's own", () => new Agent({ name: "Clerk", model: twice, tools: [payTool()] })],
  ["of a tool", () => new Agent({ name: "Clerk", model: calls("both"), tools: [both, payTool()] })],
] satisfies [string, () => Agent][])("a call %s that waits on", (_place, boss) => {
  test.each(keepers)("keeps what was written for it, with %s", async (_keeper, optionsOf) => {
    const options: RunOptions = { ...optionsOf(), middleware: [doubling] };
    const talk = await begin(boss, options);
    const first = await talk.decide({ amount: 7 });
    const inputOf = ({ state }: RunResult): [] | RunState => ("session" in options ? [] : plain(state));
    const [one, other] = decide(first);
    if (!one || !other) throw new Error("two decisions are missing");
    const second = await run(boss(), inputOf(first), { ...options, approvals: [one] });
    expect(second.pending).toMatchObject([{ input: { amount: 14 }, approvalId: other.approvalId }]);
    const third = await run(boss(), inputOf(second), { ...options, approvals: [other] });
    expect(third).toMatchObject({ status: "completed", warnings: [] });
    expect(effects).toEqual(["pay 14", "pay 14"]);
  });
});

describe.each(keepers)("with %s", (_keeper, optionsOf) => {
  const outer = (): Tool =>
    tool({
      name: "pay",
      input: { type: "object", properties: { amount: { type: "number" } } },
      approval: true,
      execute: async ({ amount }: { amount?: number }, { call }: ToolContext) => {
        await call("ship", {});
        effects.push(`pay ${amount}`);
        return "paid";
      },
    });
  const seller = (): Agent =>
    new Agent({ name: "Seller", model: calls(paying), tools: [outer(), does("ship", { approval: true })] });

  test.each([
    ["the model's own", seller],
    [
      "of a tool",
      () =>
        new Agent({
          name: "Seller",
          model: calls("outer"),
          tools: [passing("outer", "pay"), outer(), does("ship", { approval: true })],
        }),
    ],
  ])("a call %s that waits for one within it goes on as it began", async (_title, boss) => {
    const talk = await begin(boss, { ...optionsOf(), middleware: [doubling] });
    await talk.decide({ amount: 7 });
    expect((await talk.decide()).pending).toMatchObject([{ toolName: "ship" }]);
    expect(await talk.decide()).toMatchObject({ status: "completed", warnings: [] });
    expect(effects).toEqual(["ship", "pay 14"]);
  });

  test("a middleware may call another tool in place of that of a person's arguments", async () => {
    const renaming: Middleware = {
      tool: (call, _info, next) =>
        next({ ...call, toolName: call.toolName === "pay" ? "wire" : call.toolName }),
    };
    const boss = (): Agent =>
      new Agent({
        name: "Clerk",
        model: calls(paying),
        tools: [payTool(), does("wire", { approval: true })],
      });
    const talk = await begin(boss, { ...optionsOf(), middleware: [renaming] });
    expect(talk.last.pending).toMatchObject([{ toolName: "wire" }]);
    expect(await talk.decide({ amount: 7 })).toMatchObject({
      status: "completed",
      warnings: [],
      messages: [{ result: { toolName: "pay" } }, {}],
    });
    expect(effects).toEqual(["wire 7"]);
  });
});

test("what was written cannot be changed in a state", async () => {
  const talk = await begin(clerk, { middleware: [doubling] });
  const { state, pending } = await talk.decide({ amount: 7 });
  const text = JSON.stringify(state).replaceAll(String.raw`{\"amount\":7}`, String.raw`{\"amount\":9}`);
  expect(text).not.toBe(JSON.stringify(state));
  const changed: RunState = JSON.parse(text);
  await expect(
    run(clerk(), changed, { middleware: [doubling], approvals: decide({ pending }) }),
  ).rejects.toMatchObject({ code: "invalid-input" });
  expect(effects).toEqual([]);
});

test("a decision that a journal has carried out is not reported as unused", async () => {
  const [, optionsOf] = keepers.find(([name]) => name === "a journal") ?? [];
  const options: RunOptions = { ...optionsOf?.(), middleware: [doubling] };
  const talk = await begin(clerk, options);
  const { state, pending } = await talk.decide({ amount: 7 });
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await run(clerk(), plain(state), { ...options, approvals: decide({ pending }) })).toMatchObject({
      status: "completed",
      warnings: [],
    });
  expect(effects).toEqual(["pay 14"]);
});

test.each<[string, z.ZodType]>([
  ["multiplies", z.number().transform((euros) => euros * 100)],
  ["adds to a text", z.string().transform((path) => `/data/${path}`)],
])("arguments of a decision with two meanings are refused, where the schema %s", async (_, amount) => {
  const paid: unknown[] = [];
  const pay = tool({
    name: "pay",
    approval: true,
    input: z.object({ amount, to: z.string() }),
    execute: (args) => `${paid.push(args)}`,
  });
  const value = amount.safeParse(5).success ? 5 : "a";
  const call = { toolName: "pay", arguments: { amount: value, to: "Ada" } };
  const agent = new Agent({ name: "Clerk", model: calls(call), tools: [pay] });
  const paused = await run(agent, "Pay.");
  const [waiting] = paused.pending;
  const approve = (args?: object): Promise<RunResult> =>
    run(agent, plain(paused.state), {
      approvals: [
        { approvalId: waiting?.approvalId ?? "", decision: "approve", ...(args && { arguments: args }) },
      ],
    });
  for (const args of [waiting?.input, { amount: value, to: "Bea" }])
    await expect(approve(Object(args))).rejects.toThrow("have two meanings");
  expect(paid).toEqual([]);
  expect((await approve()).status).toBe("completed");
  expect(paid).toEqual([waiting?.input]);
});

test("the input that was shown can be edited where the schema reads it as it is", async () => {
  const paid: unknown[] = [];
  const input = z.object({
    to: z.string().trim(),
    id: z.string().default(() => `${Math.random()}`),
  });
  const pay = tool({ name: "pay", approval: true, input, execute: (args) => `${paid.push(args)}` });
  const call = { toolName: "pay", arguments: { to: " Ada" } };
  const agent = new Agent({ name: "Clerk", model: calls(call), tools: [pay] });
  const paused = await run(agent, "Pay.");
  const [waiting] = paused.pending;
  const edited = { ...Object(waiting?.input), to: "Bea" };
  const approvals = [
    { approvalId: waiting?.approvalId ?? "", decision: "approve" as const, arguments: edited },
  ];
  expect((await run(agent, plain(paused.state), { approvals })).status).toBe("completed");
  expect(paid).toEqual([{ to: "Bea", id: edited.id }]);
});
