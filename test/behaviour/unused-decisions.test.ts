/** A decision that is not carried out is a warning: nobody may take a call for approved, or denied, that was not. */
import { Agent, run, type RunState, tool, type ToolContext } from "skein";
import { memorySession } from "skein/sessions";
import { describe, expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";
import { boss, calls, clerk, decide, does, effects, empty, keepers, plain } from "./test-nested.ts";

/** An agent whose tool does something else when it is called again. */
function fickle(...works: readonly ((context: ToolContext) => Promise<unknown>)[]): Agent {
  let count = 0;
  const job = tool({
    name: "job",
    input: empty,
    execute: (_input: unknown, context: ToolContext) => works[count++]?.(context),
  });
  return new Agent({
    name: "Boss",
    model: calls({ toolName: "job", arguments: {} }),
    tools: [job, does("pay", { approval: true }), does("look")],
  });
}

const done = async (): Promise<string> => "Never mind.";
const payTwice = async (context: ToolContext): Promise<unknown> => [
  await context.call("pay", { amount: 3 }),
  await context.call("pay", { amount: 4 }),
];
const payCall = (amount: number) => (context: ToolContext) => context.call("pay", { amount });

describe("a decision that a tool does not come to", () => {
  test.each(["approve", "deny"] as const)("is a warning where the call is gone (%s)", async (decision) => {
    const agent = fickle(payCall(3), done);
    const paused = await run(agent, "go");
    const ended = await run(agent, plain(paused.state), { approvals: decide(paused, decision) });
    expect(ended).toMatchObject({ status: "completed" });
    expect(ended.warnings).toEqual([
      `The decision "${decision}" on pay (call "${paused.pending[0]?.toolCallId}") was not carried out: the call was not made again.`,
    ]);
    expect(effects).toEqual([]);
  });

  test("is a warning where the call has other arguments now, which wait again", async () => {
    const agent = fickle(payCall(3), payCall(300));
    const paused = await run(agent, "go");
    const again = await run(agent, plain(paused.state), { approvals: decide(paused) });
    expect(again).toMatchObject({ status: "paused", pending: [{ arguments: '{"amount":300}' }] });
    expect(again.warnings).toEqual([
      expect.stringMatching(/^The decision "approve" on pay .* not carried out/),
    ]);
  });

  test("is a warning where the agent is not run again", async () => {
    const agent = fickle((context) => context.runAgent(clerk(), "Go."), done);
    const paused = await run(agent, "go");
    const ended = await run(agent, plain(paused.state), { approvals: decide(paused) });
    expect(ended.warnings).toEqual([
      expect.stringMatching(/^The decision "approve" on pay .* not carried out/),
    ]);
    expect(effects).toEqual(["look"]);
  });

  test("is a warning of the run around where an agent's tool does not come to it", async () => {
    const inner = fickle(payCall(3), done);
    const outer = new Agent({ name: "Top", model: calls("boss"), tools: [inner.asTool()] });
    const paused = await run(outer, "go");
    const ended = await run(outer, plain(paused.state), { approvals: decide(paused) });
    expect(ended.warnings).toEqual([
      expect.stringMatching(/^Boss: The decision "approve" on pay .* not carried out/),
    ]);
  });
});

describe("a decision that something which remembers steps contradicts", () => {
  test.each([
    ["of the run's own", () => boss([does("clerk", { approval: true })])],
    ["of a tool that waits again", () => fickle(...Array.from({ length: 5 }, () => payTwice))],
  ])("is a warning for a call %s, and the first one stands", async (_title, create) => {
    const agent = create();
    const journal = memoryJournal();
    const paused = await run(agent, "go", { journal });
    const state: RunState = plain(paused.state);
    const approvals = decide(paused);
    expect((await run(agent, state, { journal, approvals })).warnings).toEqual([]);
    const before = [...effects];
    expect((await run(agent, state, { journal, approvals })).warnings).toEqual([]);
    for (const other of [decide(paused, "deny"), decide(paused, "approve", { arguments: { amount: 1 } })]) {
      const { warnings } = await run(agent, state, { journal, approvals: other });
      expect(warnings).toEqual([
        expect.stringMatching(
          /^The decision "\w+" on \w+ \(call ".*"\) has no effect: the call was finished before\.$/,
        ),
      ]);
    }
    expect(effects).toEqual(before);
  });
});

test.each(keepers)("nothing warns of decisions that are carried out, with %s", async (_title, optionsOf) => {
  const options = optionsOf();
  const agent = (): Agent =>
    new Agent({ name: "Top", model: calls("boss", "boss"), tools: [boss().asTool()] });
  let outcome = await run(agent(), "go", options);
  while (outcome.status === "paused") {
    const input: [] | RunState = "session" in options ? [] : plain(outcome.state);
    outcome = await run(agent(), input, { ...options, approvals: decide(outcome, "deny") });
    expect(outcome.warnings).toEqual([]);
  }
  expect(outcome.status).toBe("completed");
});

test("a session that goes on after a crash does not warn of decisions that were carried out", async () => {
  const session = memorySession();
  const agent = (): Agent => boss([clerk().asTool()]);
  const paused = await run(agent(), "go", { session });
  const approvals = decide(paused);
  const { entries: before } = await session.load();
  await run(agent(), [], { session, approvals });
  const { entries: all } = await session.load();
  // What was recorded when the process ended: the decision and the steps, not the messages.
  const crashed = memorySession();
  const recorded = all.slice(before.length).filter(({ type }) => type === "decision" || type === "step");
  await crashed.append(
    [...before, ...recorded].map((entry, index) => ({ ...entry, writer: "one", sequence: index + 1 })),
  );
  expect((await run(agent(), [], { session: crashed })).warnings).toEqual([]);
});
