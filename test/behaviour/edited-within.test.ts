/** Arguments that a person wrote for calls within calls: all are checked before anything is executed. */
import {
  Agent,
  type Middleware,
  run,
  type RunOptions,
  type RunState,
  tool,
  type Tool,
  type ToolContext,
  toolset,
} from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { calls, clerk, decide, does, effects, empty, keepers, keys, pay, plain } from "./test-nested.ts";

/** Makes all its calls at once, and answers when they are done. */
function atOnce(...toolNames: readonly string[]): FunctionModel {
  return new FunctionModel(({ messages }) =>
    messages.length > 1
      ? "Done."
      : {
          toolCalls: toolNames.map((toolName, index) => ({
            toolCallId: `call_${index}`,
            toolName,
            arguments: toolName === "pay" ? { amount: 7 } : { input: "Go." },
          })),
        },
  );
}

interface Paused {
  readonly boss: () => Agent;
  readonly options: RunOptions;
  readonly paused: Awaited<ReturnType<typeof run>>;
  readonly input: () => [] | RunState;
}

async function pause(boss: () => Agent, options: RunOptions = {}): Promise<Paused> {
  const paused = await run(boss(), "go", options);
  const state = plain(paused.state);
  return { boss, options, paused, input: () => ("session" in options ? [] : plain(state)) };
}

/** Approves all that waits; the last call with an amount that is not one. Nothing may come of that, twice. */
async function expectRefused({ boss, options, paused, input }: Paused): Promise<void> {
  const before = [...effects];
  const decisions = decide(paused);
  const wrong = decisions.map((decision, index) =>
    index === decisions.length - 1 ? { ...decision, arguments: { amount: "much" } } : decision,
  );
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(run(boss(), input(), { ...options, approvals: wrong })).rejects.toThrow(
      /arguments that options.approvals gives to pay are wrong: \$\.amount/,
    );
  expect(effects).toEqual(before);
}

/** Approves all that waits; the last call with another amount. */
async function expectDone({ boss, options, paused, input }: Paused): Promise<void> {
  const decisions = decide(paused);
  const edited = decisions.map((decision, index) =>
    index === decisions.length - 1 ? { ...decision, arguments: { amount: 1 } } : decision,
  );
  const done = await run(boss(), input(), { ...options, approvals: edited });
  expect(done.status).toBe("completed");
  expect(effects.filter((effect) => effect === "pay 1")).toHaveLength(1);
  expect(new Set(keys).size).toBe(keys.length);
}

const cashier = (): Agent =>
  new Agent({ name: "Cashier", tools: [clerk("Two").asTool()], model: calls("two") });

const shapes: readonly (readonly [string, () => Agent])[] = [
  [
    "of an agent beside another",
    () =>
      new Agent({
        name: "Boss",
        model: atOnce("one", "two"),
        tools: [clerk("One").asTool(), clerk("Two").asTool()],
      }),
  ],
  [
    "of an agent beside a call of the run's own",
    () =>
      new Agent({
        name: "Boss",
        model: atOnce("pay", "clerk"),
        tools: [does("pay", { approval: true }), clerk().asTool()],
      }),
  ],
  [
    "of an agent within an agent",
    () =>
      new Agent({
        name: "Boss",
        model: atOnce("one", "cashier"),
        tools: [clerk("One").asTool(), cashier().asTool()],
      }),
  ],
  [
    "of an agent that took over",
    () => {
      const desk = new Agent({
        name: "Desk",
        model: calls("transfer_to_till"),
        handoffs: [
          new Agent({
            name: "Till",
            model: new FunctionModel(({ messages }) =>
              messages.length > 3 ? "Paid." : { toolCalls: [{ toolCallId: "p", ...pay }] },
            ),
            tools: [does("pay", { approval: true })],
          }),
        ],
      });
      return new Agent({
        name: "Boss",
        model: atOnce("one", "desk"),
        tools: [clerk("One").asTool(), desk.asTool()],
      });
    },
  ],
  [
    "of an agent that a tool calls",
    () => {
      const job = tool({
        name: "job",
        input: empty,
        execute: (_input: unknown, { call }: ToolContext) => call("two", { input: "Go." }),
      });
      return new Agent({
        name: "Boss",
        model: atOnce("one", "job"),
        tools: [clerk("One").asTool(), clerk("Two").asTool(), job],
      });
    },
  ],
  [
    "of an agent under another name, of a toolset with policies",
    () => {
      const helpers = toolset([{ ...clerk("Two").asTool(), name: "helper" }]);
      return new Agent({
        name: "Boss",
        model: atOnce("one", "team_helper"),
        tools: [clerk("One").asTool(), helpers.prefixed("team").withPolicy({ retries: 1 })],
      });
    },
  ],
];

describe.each(shapes)("wrong arguments for a call %s", (_title, boss) => {
  test.each(keepers)("are refused before anything is executed, with %s", async (_keeper, optionsOf) => {
    const paused = await pause(boss, optionsOf());
    await expectRefused(paused);
    await expectDone(paused);
  });
});

describe("an agent that a tool runs by itself", () => {
  const job = (): Tool =>
    tool({
      name: "job",
      input: empty,
      execute: (_input: unknown, { runAgent }: ToolContext) => runAgent(clerk("Two"), "Go."),
    });
  const boss = (): Agent =>
    new Agent({ name: "Boss", model: atOnce("one", "job"), tools: [clerk("One").asTool(), job()] });

  test("has its arguments refused where nothing shows what its tools are", async () => {
    const { paused, input } = await pause(boss);
    const before = [...effects];
    const [first, second] = decide(paused);
    if (!first || !second) throw new Error("two decisions are missing");
    await expect(
      run(boss(), input(), { approvals: [first, { ...second, arguments: { amount: 1 } }] }),
    ).rejects.toThrow(/gives to pay cannot be checked.* agent Two .* options\.agents/);
    expect(effects).toEqual(before);
    expect(await run(boss(), input(), { approvals: [first, second] })).toMatchObject({ status: "completed" });
  });

  test.each(keepers)("has them checked where options.agents has it, with %s", async (_keeper, optionsOf) => {
    const paused = await pause(boss, { ...optionsOf(), agents: [clerk("Two")] });
    await expectRefused(paused);
    await expectDone(paused);
  });
});

test("a namesake in options.agents that cannot have led to the open calls checks no arguments", async () => {
  const safe = (): Agent => new Agent({ name: "Safe", model: new FunctionModel(() => "Kept.") });
  const till = new Agent({
    name: "Till",
    model: new FunctionModel(() => ({
      toolCalls: [
        { toolCallId: "p", ...pay },
        { toolCallId: "t", toolName: "transfer_to_safe" },
      ],
    })),
    tools: [does("pay", { approval: true })],
    handoffs: [safe()],
  });
  const two = new Agent({ name: "Two", model: calls("transfer_to_till"), handoffs: [till] });
  const job = tool({
    name: "job",
    input: empty,
    execute: (_input: unknown, { runAgent }: ToolContext) => runAgent(two, "Go."),
  });
  const boss = (): Agent => new Agent({ name: "Boss", model: atOnce("job"), tools: [job] });
  // It reaches the agent that is next, and not the one whose call waits.
  const namesake = new Agent({ name: "Two", model: calls(), handoffs: [safe()] });
  const agents = [namesake];
  const { paused, input } = await pause(boss);
  const edited = decide(paused, "approve", { arguments: { amount: 1 } });
  await expect(run(boss(), input(), { approvals: edited, agents })).rejects.toThrow(
    /gives to pay cannot be checked.* agent Two /,
  );
  expect(effects).toEqual([]);
  const done = await run(boss(), input(), { approvals: decide(paused), agents });
  expect([done.status, effects]).toEqual(["completed", ["pay 5"]]);
});

test("an agent in options.agents counts at any depth", async () => {
  const job = tool({
    name: "job",
    input: empty,
    execute: (_input: unknown, { runAgent }: ToolContext) => runAgent(clerk("Two"), "Go."),
  });
  const desk = new Agent({ name: "Desk", model: calls("job"), tools: [job] });
  const boss = (): Agent =>
    new Agent({ name: "Boss", model: atOnce("one", "desk"), tools: [clerk("One").asTool(), desk.asTool()] });
  const paused = await pause(boss, { agents: [clerk("Two")] });
  await expectRefused(paused);
  await expectDone(paused);
});

test("a call that was changed in an agent's state is refused before anything is executed", async () => {
  const [, boss] = shapes[0] ?? [];
  if (!boss) throw new Error("no shape");
  const { paused } = await pause(boss);
  const before = [...effects];
  const state = plain(paused.state);
  for (const { steps } of state.nested?.slice(1) ?? [])
    for (const step of steps) if ("state" in step) Reflect.set(step.state, "turn", 7);
  await expect(run(boss(), state, { approvals: decide(paused) })).rejects.toThrow(
    /has changed since approval/,
  );
  expect(effects).toEqual(before);
});

test("a session keeps the arguments of a decision that is checked", async () => {
  const session = memorySession();
  const [, boss] = shapes[0] ?? [];
  if (!boss) throw new Error("no shape");
  const paused = await run(boss(), "go", { session });
  const edited = decide(paused, "approve", { arguments: { amount: 1 } });
  await run(boss(), [], { session, approvals: edited });
  const { entries } = await session.load();
  expect(entries.filter(({ type }) => type === "decision")).toMatchObject(edited);
});

test.each(keepers)(
  "with %s, an agent whose tool a middleware renames gets its edited arguments",
  async (_, keeper) => {
    const renaming: Middleware = {
      tool: (call, _info, next) =>
        next({ ...call, toolName: call.toolName === "office" ? "clerk" : call.toolName }),
    };
    const outer = tool({
      name: "outer",
      input: empty,
      execute: (_: unknown, { call }: ToolContext) => call("office", { input: "Go." }),
    });
    for (const called of ["outer", "office"]) {
      effects.length = 0;
      const tools = [outer, clerk().asTool({ name: "clerk" })];
      const boss = new Agent({ name: "Boss", model: calls(called), tools });
      const options = { ...keeper(), middleware: [renaming] };
      const paused = await run(boss, "go", options);
      const input = options.session ? [] : plain(paused.state);
      const unfit = decide(paused, "approve", { arguments: { amount: "x" } });
      await expect(run(boss, input, { ...options, approvals: unfit })).rejects.toThrow("amount");
      const edited = decide(paused, "approve", { arguments: { amount: 1 } });
      const done = await run(boss, input, { ...options, approvals: edited });
      expect([done.status, effects]).toEqual(["completed", ["look", "pay 1", "note"]]);
    }
  },
);
