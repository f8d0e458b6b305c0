/** A process that dies within an agent or a tool that another calls: what is finished is not done again, under the same keys. */
import { Agent, type Journal, run, type RunOptions, type RunResult, type Session, tool } from "skein";
import { memorySession } from "skein/sessions";
import { describe, expect, test } from "vitest";
import { calls, empty, plain } from "./test-nested.ts";

/** The idempotency keys of what was done, in order. */
type Effects = string[];

/** An effect whose result names its key: what is stored of it shows that it is finished. */
function does(name: string, effects: Effects, approval = false) {
  return tool({
    name,
    description: name,
    input: empty,
    ...(approval && { approval }),
    execute: (_input: unknown, { idempotencyKey }) => {
      effects.push(idempotencyKey);
      return `finished <${idempotencyKey}>`;
    },
  });
}

/** Boss calls job, which calls a tool, an agent, and a tool that calls an agent, which calls another. */
function team(effects: Effects, approval = false): Agent {
  const pair = { toolName: "look", arguments: {} };
  const clerk = new Agent({
    name: "Clerk",
    model: calls(pair, { toolName: "pay", arguments: {} }),
    tools: [does("look", effects), does("pay", effects, approval)],
  });
  const middle = new Agent({
    name: "Middle",
    model: calls(pair, "clerk", pair),
    tools: [clerk.asTool(), does("look", effects)],
  });
  const inner = tool({
    name: "inner",
    input: empty,
    execute: async (_input: unknown, context) => {
      await context.call("look", {});
      const answer = await context.runAgent(middle, "Go.");
      await context.call("look", {});
      return answer;
    },
  });
  const job = tool({
    name: "job",
    input: empty,
    execute: async (_input: unknown, context) => {
      const answers = await Promise.all([
        context.call("inner", {}),
        context.runAgent(clerk, "Go."),
        context.call("look", {}),
      ]);
      return answers.length;
    },
  });
  return new Agent({
    name: "Boss",
    model: calls({ toolName: "job", arguments: {} }, pair),
    tools: [job, inner, does("look", effects)],
  });
}

function journalOf(
  steps: readonly (readonly [string, string])[] = [],
): Journal & { readonly steps: Map<string, string> } {
  const all = new Map(steps);
  return {
    steps: all,
    async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
      const stored = all.get(key);
      if (stored !== undefined) return JSON.parse(stored);
      const value = await perform();
      all.set(key, JSON.stringify(value));
      return value;
    },
  };
}

async function sessionOf(entries: Awaited<ReturnType<Session["load"]>>["entries"]): Promise<Session> {
  const session = memorySession();
  await session.append(entries);
  return session;
}

/** A session, and how many entries it had after each write: a process dies between writes, each of which is whole. */
function written(): { readonly session: Session; readonly counts: number[] } {
  const session = memorySession();
  const counts: number[] = [];
  const append: Session["append"] = async (entries) => {
    await session.append(entries);
    counts.push(entries.at(-1)?.sequence ?? 0);
  };
  return { session: { load: () => session.load(), append, clear: () => session.clear() }, counts };
}

/** What was done after the death is what was not finished before it, under the keys of the whole run. */
function expectRest(done: Effects, whole: Effects, before: string, what: string): void {
  expect(new Set(done).size, what).toBe(done.length);
  expect(whole, what).toEqual(expect.arrayContaining(done));
  expect(
    done.filter((key) => before.includes(`<${key}>`)),
    what,
  ).toEqual([]);
}

const approve = ({ pending }: Pick<RunResult, "pending">): Pick<RunOptions, "approvals"> => ({
  approvals: pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" })),
});

describe("a run whose process dies anywhere", () => {
  test("goes on from its session, at any depth", async () => {
    const whole: Effects = [];
    const { session, counts } = written();
    const { text } = await run(team(whole), "go", { session });
    expect(new Set(whole).size).toBe(10);
    const { entries } = await session.load();
    expect(counts.length).toBeGreaterThan(20);
    for (const count of counts) {
      const done: Effects = [];
      const before = entries.slice(0, count);
      const outcome = await run(team(done), [], { session: await sessionOf(before) });
      expect(outcome.text).toBe(text);
      expectRest(done, whole, JSON.stringify(before), `after ${count} entries`);
    }
  });

  test("goes on from its journal, at any depth", async () => {
    const whole: Effects = [];
    const journal = journalOf();
    const runId = "order-7";
    const { text } = await run(team(whole), "go", { journal, runId });
    const steps = [...journal.steps];
    expect(steps.length).toBeGreaterThan(20);
    for (let count = 0; count < steps.length; count++) {
      const done: Effects = [];
      const before = steps.slice(0, count);
      const outcome = await run(team(done), "go", { journal: journalOf(before), runId });
      expect(outcome.text).toBe(text);
      expectRest(done, whole, JSON.stringify(before), `after ${count} steps`);
    }
  });

  test("goes on from its session where it had paused for approvals within", async () => {
    const whole: Effects = [];
    const { session, counts } = written();
    const paused = await run(team(whole, true), "go", { session });
    expect(paused.pending.map(({ agent }) => agent)).toEqual(["Clerk", "Clerk"]);
    const { length } = (await session.load()).entries;
    const done = await run(team(whole, true), [], { session, ...approve(paused) });
    expect(done.status).toBe("completed");
    expect(new Set(whole).size).toBe(10);
    expect(whole).toHaveLength(10);
    const { entries } = await session.load();
    for (const count of counts.filter((each) => each >= length)) {
      const rest: Effects = [];
      const before = entries.slice(0, count);
      const again = await sessionOf(before);
      const isDecided = before.some(({ type }) => type === "decision");
      let outcome = await run(team(rest, true), [], { session: again });
      expect(outcome.status).toBe(isDecided ? "completed" : "paused");
      if (!isDecided) outcome = await run(team(rest, true), [], { session: again, ...approve(outcome) });
      expect(outcome).toMatchObject({ status: "completed", text: done.text });
      expectRest(rest, whole, JSON.stringify(before), `after ${count} entries`);
    }
  });
});

describe("runId", () => {
  test("is the identity of a run that is started again: the same keys, the same approvals", async () => {
    const first: Effects = [];
    const second: Effects = [];
    const one = await run(team(first, true), "go", { runId: "order-7" });
    const two = await run(team(second, true), "go", { runId: "order-7" });
    expect(one.state.runId).toBe("order-7");
    expect(second.toSorted()).toEqual(first.toSorted());
    expect(first.every((key) => key.startsWith("order-7"))).toBe(true);
    expect(two.pending).toEqual(one.pending);
    const done = await run(team(second, true), plain(two.state), approve(one));
    expect(done.status).toBe("completed");
  });

  test.each([
    ["an empty text", "", /options.runId must be a text of 1 to 200 characters/],
    ["a long text", "x".repeat(201), /options.runId must be a text of 1 to 200 characters/],
    ["a number", 7, /options.runId must be a text of 1 to 200 characters/],
  ])("refuses %s", async (_title, runId, problem) => {
    await expect(run(team([]), "go", { runId: runId as string })).rejects.toThrow(problem);
  });

  test("refuses a state, a session and the journal of another run, which have an id", async () => {
    const { state } = await run(team([]), "go");
    const problem = /options.runId is the id of a new run/;
    await expect(run(team([]), state, { runId: "x" })).rejects.toThrow(problem);
    await expect(run(team([]), "go", { runId: "x", session: memorySession() })).rejects.toThrow(problem);
    const journal = journalOf();
    await run(team([]), "go", { journal, runId: "x" });
    await expect(run(team([]), "go", { journal, runId: "y" })).rejects.toThrow(/journal has the run "x"/);
  });
});
