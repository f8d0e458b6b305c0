/** Guards that fail within an agent as a tool, or within a call that a tool makes. */
import { expect, test } from "vitest";
import {
  Agent,
  type JsonObject,
  run,
  type RunInput,
  type RunOptions,
  type RunState,
  tool,
  type Tool,
} from "skein";
import { memoryStore, runs } from "skein/durable";
import { guard, type GuardChecks } from "skein/guards";
import { calls, decide, does, effects, empty, keepers, pay, plain } from "./test-nested.ts";

/** An agent whose tool pays, and does something before and behind that. */
function payer(approval: boolean, middleware?: Agent["middleware"]): Agent {
  return new Agent({
    name: "Payer",
    model: calls("look", pay, "note"),
    tools: [does("look"), does("pay", { approval }), does("note")],
    ...(middleware && { middleware }),
  });
}

/** A tool that calls three others. */
function caller(name: string, ...toolNames: readonly string[]): Tool {
  return tool({
    name,
    input: empty,
    async execute(_: unknown, { call }) {
      const done: string[] = [];
      for (const toolName of toolNames) {
        const args: JsonObject = toolName === "pay" ? pay.arguments : {};
        done.push(String(await call(toolName, args)));
      }
      return done.join();
    },
  });
}

const boss = (tools: readonly Tool[], first: string): Agent =>
  new Agent({ name: "Boss", model: calls(first), tools });

/** The agents of a program, the first of which is run, by where the tool that pays is called. */
const places: Readonly<Record<string, (approval: boolean) => [Agent, ...Agent[]]>> = {
  "the run itself": (approval) => [payer(approval)],
  "an agent as a tool": (approval) => [boss([payer(approval).asTool()], "payer")],
  "an agent of an agent": (approval) => [
    boss(
      [new Agent({ name: "Middle", model: calls("payer"), tools: [payer(approval).asTool()] }).asTool()],
      "middle",
    ),
  ],
  "an agent that a tool runs": (approval) => {
    const agent = payer(approval);
    const execute = (
      _: unknown,
      { runAgent }: { runAgent: (agent: Agent, input: string) => Promise<string> },
    ) => runAgent(agent, "Go.");
    return [boss([tool({ name: "outer", input: empty, execute })], "outer"), agent];
  },
  "a call of a tool": (approval) => [
    boss(
      [caller("outer", "look", "pay", "note"), does("look"), does("pay", { approval }), does("note")],
      "outer",
    ),
  ],
  "a call of a call": (approval) => [
    boss(
      [
        caller("outer", "look", "middle", "note"),
        caller("middle", "pay"),
        does("look"),
        does("pay", { approval }),
        does("note"),
      ],
      "outer",
    ),
  ],
};

/** A guard that fails as often as that at one stage, once the tool that pays is to be called. */
function failing(stage: keyof GuardChecks, times = 1) {
  let failures = 0;
  const fail = (): undefined => {
    if (failures++ < times) throw new Error("the judge is down");
  };
  const checks: GuardChecks = {
    tool: ({ call }) => (stage === "tool" && call.toolName === "pay" ? fail() : undefined),
    result: ({ call }) => (stage === "result" && call.toolName === "pay" ? fail() : undefined),
  };
  return guard(checks, { name: "judge" });
}

async function stateOfFailure(running: Promise<unknown>): Promise<RunState> {
  const error: unknown = await running.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "guard-failed" });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored and read again, as programs do
  return plain((error as { readonly state: RunState }).state);
}

const table = Object.entries(places).flatMap(([place, agentsOf]) =>
  keepers.map(([keeper, keep]) => ({ place, agentsOf, keeper, keep })),
);

/** What a run is resumed with: its state, its session, or its journal from the beginning. */
const inputOf = (options: RunOptions, state: RunState, isBegunAgain: boolean): RunInput => {
  if (options.session) return [];
  return options.journal && isBegunAgain ? "Go." : state;
};

/** Resumes a run whose guard has failed: it fails once more, and goes on then. */
async function resumeTwice(agent: Agent, state: RunState, options: RunOptions, isBegunAgain: boolean) {
  expect(effects).toEqual(["look"]);
  expect(state.messages.filter(({ role }) => role === "tool")).toHaveLength(agent.name === "Boss" ? 0 : 1);
  const again = await stateOfFailure(run(agent, inputOf(options, state, isBegunAgain), options));
  const resumed = await run(agent, inputOf(options, again, isBegunAgain), options);
  expect(effects).toEqual(["look", "pay 5", "note"]);
  return resumed;
}

const completed = { status: "completed", text: expect.stringContaining("pay is done") as unknown };

test.each(table)(
  "a guard that fails in $place, kept by $keeper, leaves the call open: resumed, it judges again",
  async ({ agentsOf, keep }) => {
    const [agent, ...agents] = agentsOf(false);
    const options: RunOptions = { ...keep(), agents, middleware: [failing("tool", 2)] };
    const state = await stateOfFailure(run(agent, "Go.", options));
    expect(await resumeTwice(agent, state, options, true)).toMatchObject(completed);
  },
);

test.each(table)(
  "an approved call that a guard fails to judge in $place, kept by $keeper, is made as decided later",
  async ({ agentsOf, keep }) => {
    const [agent, ...agents] = agentsOf(true);
    const options: RunOptions = { ...keep(), agents };
    const paused = await run(agent, "Go.", options);
    const approvals = decide(paused);
    expect(approvals).toHaveLength(1);
    const judged = { ...options, middleware: [failing("tool", 2)] };
    const input = inputOf(options, plain(paused.state), false);
    const state = await stateOfFailure(run(agent, input, { ...judged, approvals }));
    expect(state.decisions).toEqual(approvals);
    expect(await resumeTwice(agent, state, judged, false)).toMatchObject(completed);
  },
);

test.each(table)(
  "a call in $place whose result a guard fails to judge is not made again: $keeper",
  async ({ agentsOf, keep }) => {
    const [agent, ...agents] = agentsOf(false);
    const options: RunOptions = { ...keep(), agents };
    const middleware = [failing("result")];
    const state = await stateOfFailure(run(agent, "Go.", { ...options, middleware }));
    expect(effects).toEqual(["look", "pay 5"]);
    const resumed = await run(agent, inputOf(options, state, true), { ...options, middleware });
    expect(resumed.status).toBe("completed");
    expect(resumed.text).toContain("its result is not available");
    expect(effects.filter((each) => each === "pay 5")).toHaveLength(1);
  },
);

test.each(Object.entries(places))(
  "a durable run that failed so in %s goes on when it is retried",
  async (_, agentsOf) => {
    const agents = agentsOf(true);
    // The person is asked once a guard has passed the call.
    let isDown = false;
    const judge = guard({
      tool({ call }) {
        if (isDown && call.toolName === "pay") throw new Error("the judge is down");
        return undefined;
      },
    });
    const app = runs({ agents, store: memoryStore(), onError() {}, runOptions: { middleware: [judge] } });
    void app.work();
    const started = await app.start(agents[0], "Go.");
    const paused = await started.result();
    isDown = true;
    await started.decide(
      paused.pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" as const })),
    );
    expect(await started.result({ until: "end" })).toMatchObject({ status: "failed" });
    expect(effects).toEqual(["look"]);
    isDown = false;
    await started.retry();
    expect(await started.result({ until: "end" })).toMatchObject({ status: "completed" });
    expect(effects).toEqual(["look", "pay 5", "note"]);
    await app.close();
  },
);

test.each(["input", "output"] as const)(
  "an agent as a tool whose own guard fails at its `%s` goes on when the run around it is resumed",
  async (stage) => {
    let failures = 0;
    const own = guard({
      [stage]: () => {
        if (failures++ === 0) throw new Error("the judge is down");
      },
    });
    const agent = boss([payer(false, [own]).asTool()], "payer");
    const state = await stateOfFailure(run(agent, "Go."));
    expect(state.pending).toMatchObject([{ toolName: "payer" }]);
    expect(await run(agent, state)).toMatchObject({ status: "completed" });
    expect(effects).toEqual(["look", "pay 5", "note"]);
  },
);

test("what a tool calls beside a call that a guard failed to judge is done once", async () => {
  const outer = tool({
    name: "outer",
    input: empty,
    execute: async (_: unknown, { call }) =>
      (await Promise.all(["look", "pay", "note"].map((name) => call(name, {})))).join(),
  });
  const agent = boss([outer, does("look"), does("pay"), does("note")], "outer");
  const middleware = [failing("tool")];
  const state = await stateOfFailure(run(agent, "Go.", { middleware }));
  const resumed = await run(agent, state, { middleware });
  expect(resumed.text).toContain("look is done,pay is done,note is done");
  expect(effects.toSorted()).toEqual(["look", "note", "pay"]);
});

test("of two approved calls of a tool, the one that a guard failed to judge keeps its decision", async () => {
  const outer = tool({
    name: "outer",
    input: empty,
    execute: async (_: unknown, { call }) =>
      (await Promise.all([1, 2].map((amount) => call("pay", { amount })))).join(),
  });
  const agent = boss([outer, does("pay", { approval: true })], "outer");
  const paused = await run(agent, "Go.");
  const approvals = decide(paused);
  expect(approvals).toHaveLength(2);
  const middleware = [failing("tool")];
  const state = await stateOfFailure(run(agent, paused.state, { approvals, middleware }));
  expect(state.decisions).toEqual([approvals[0]]);
  expect(effects).toEqual(["pay 2"]);
  expect(await run(agent, state, { middleware })).toMatchObject({ status: "completed" });
  expect(effects).toEqual(["pay 2", "pay 1"]);
});

test("a tool that has made too many calls for a state to keep ends with the run: none of them is made again", async () => {
  const outer = tool({
    name: "outer",
    input: empty,
    async execute(_: unknown, { call }) {
      for (let amount = 0; amount <= 10_000; amount++) await call("look", { amount });
      return call("pay", {});
    },
  });
  const agent = boss([outer, does("look"), does("pay")], "outer");
  const state = await stateOfFailure(run(agent, "Go.", { middleware: [failing("tool")] }));
  expect(state.pending).toEqual([]);
  expect(await run(agent, state)).toMatchObject({ status: "completed" });
  expect(effects).toHaveLength(10_001);
});
