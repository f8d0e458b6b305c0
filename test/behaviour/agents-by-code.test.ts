/** The next build runs an agent by a tool's code that was a tool itself, or the other way round, while a call within it waits. */
import { Agent, AgentNotFoundError, run, type RunOptions, tool, type Tool } from "skein";
import { expect, test } from "vitest";
import { sessionsOfDeath } from "./sessions-of-death.ts";
import { boss, calls, clerk, decide, effects, keepers, keys, plain } from "./test-nested.ts";

const input = { type: "object", properties: { input: { type: "string" } } } as const;

/** A tool whose own code runs agents, one after the other. */
function byCode(...agents: readonly (readonly [agent: Agent, prompt: string])[]): Tool {
  return tool({
    name: "clerk",
    input,
    async execute(_, context) {
      const texts: string[] = [];
      for (const [agent, prompt] of agents) texts.push(await context.runAgent(agent, prompt));
      return texts.join("\n");
    },
  });
}

const asTool = (): Tool => clerk().asTool();
const ofCode = (): Tool => byCode([clerk(), "Go."]);

const options = keepers.flatMap(([keeper, make]) =>
  (
    [
      ["by code", asTool, ofCode],
      ["as a tool", ofCode, asTool],
    ] as const
  ).map(([form, before, after]) => ({ keeper, make, form, before, after })),
);

async function pauseAndDecide(
  before: Tool,
  after: Tool,
  keeper: RunOptions,
  helpers: readonly Agent[] = [],
): ReturnType<typeof run> {
  const paused = await run(boss([before]), "go", keeper);
  return run(boss([after]), keeper.session ? [] : plain(paused.state), {
    ...keeper,
    agents: helpers,
    approvals: decide(paused),
  });
}

test.each(options)("with $keeper, an agent goes on where it was $form", async ({ make, before, after }) => {
  const keeper = make();
  const done = await pauseAndDecide(before(), after(), keeper);
  expect([done.status, done.warnings]).toEqual(["completed", []]);
  expect(effects).toEqual(["look", "pay 5", "note"]);
  expect(new Set(keys.map((key) => key.replace(/\/turn-\d\/tool\/[^/]*$/, ""))).size).toBe(1);
});

test.each(options)("with $keeper, two deep, it does so $form", async ({ make, before, after }) => {
  const within = (inner: Tool): Tool => boss([inner]).asTool({ name: "clerk" });
  const done = await pauseAndDecide(within(before()), within(after()), make());
  expect([done.status, done.warnings]).toEqual(["completed", []]);
  expect(effects).toEqual(["look", "pay 5", "note"]);
});

test("arguments that a person wrote reach the agent that code runs by now", async () => {
  const paused = await run(boss([asTool()]), "go");
  const approvals = decide(paused, "approve", { arguments: '{"amount":3}' });
  const done = await run(boss([ofCode()]), plain(paused.state), { approvals, agents: [clerk()] });
  expect(done.status).toBe("completed");
  expect(effects).toEqual(["look", "pay 3", "note"]);
});

/** An agent that answers at once. */
const quick = new Agent({ name: "Quick", model: calls() });

test.each([
  ["an agent of another name", asTool, () => byCode([clerk("Seller"), "Go."])],
  ["the agent with another input", asTool, () => byCode([clerk(), "Check."], [clerk(), "Go."])],
  ["a tool made of an agent of another name", ofCode, () => clerk("Seller").asTool({ name: "clerk" })],
  ["a tool made of the agent, with another input", () => byCode([clerk(), "Check."]), asTool],
  ["a tool made of one of two agents", () => byCode([quick, "Go."], [clerk(), "Go."]), asTool],
] as const)("the run says what is not certain, and goes on where it is: %s", async (_, before, after) => {
  for (const [, make] of keepers) {
    effects.length = 0;
    const keeper = make();
    const paused = await run(boss([before()]), "go", keeper);
    const start = keeper.session ? [] : plain(paused.state);
    const approvals = decide(paused);
    const agents = [clerk()];
    const refused = run(boss([after()]), start, { ...keeper, agents, approvals });
    await expect(refused).rejects.toThrow(AgentNotFoundError);
    expect(effects).toEqual(["look"]);
    const done = await run(boss([before()]), start, { ...keeper, approvals });
    expect([done.status, done.warnings]).toEqual(["completed", []]);
    expect(effects).toEqual(["look", "pay 5", "note"]);
  }
});

test("where a process died, an agent of code goes on as a tool", async () => {
  for (const { session, entries } of await sessionsOfDeath(boss([ofCode()]))) {
    const hasLooked = JSON.stringify(entries).includes("look is done");
    effects.length = 0;
    const paused = await run(boss([asTool()]), [], { session });
    const done = await run(boss([asTool()]), [], { session, approvals: decide(paused) });
    expect([done.status, done.warnings]).toEqual(["completed", []]);
    expect(effects).toEqual([...(hasLooked ? [] : ["look"]), "pay 5", "note"]);
  }
});

test("where a process died before an agent waited, it is not run by code beside what it has done", async () => {
  const cuts = await sessionsOfDeath(boss([asTool()]));
  const unpaused = cuts.filter(
    ({ entries }) =>
      entries.some(({ type }) => type === "step") &&
      !entries.some((entry) => entry.type === "state" && entry.status === "paused"),
  );
  expect(unpaused.length).toBeGreaterThan(2);
  for (const { session } of unpaused) {
    effects.length = 0;
    await expect(run(boss([ofCode()]), [], { session })).rejects.toThrow(AgentNotFoundError);
    expect(effects).toEqual([]);
    const paused = await run(boss([asTool()]), [], { session });
    const done = await run(boss([asTool()]), [], { session, approvals: decide(paused) });
    expect([done.status, done.warnings]).toEqual(["completed", []]);
    expect(effects.slice(-2)).toEqual(["pay 5", "note"]);
  }
});

test("code that catches the error does not go on beside what is not certain", async () => {
  const catching = tool({
    name: "clerk",
    input,
    execute: (_, { runAgent }) => runAgent(clerk("Seller"), "Go.").catch(() => "caught"),
  });
  for (const [, make] of keepers) {
    effects.length = 0;
    const keeper = make();
    const paused = await run(boss([asTool()]), "go", keeper);
    const start = keeper.session ? [] : plain(paused.state);
    const resumed = run(boss([catching]), start, { ...keeper, approvals: decide(paused) });
    await expect(resumed).rejects.toThrow(AgentNotFoundError);
    expect(effects).toEqual(["look"]);
  }
});
