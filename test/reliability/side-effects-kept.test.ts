import { expect, test } from "vitest";
import { memoryJournal } from "../behaviour/test-journal.ts";
import { Agent, run, tool, type RunState, type Tool } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { empty, noting, outcomesOf } from "./kit.ts";

const calls = [{ toolName: "pay", arguments: { n: 5 } }, { toolName: "wait" }];
const stored = (state: RunState): RunState => JSON.parse(JSON.stringify(state));
const waiting = (execute: () => unknown): Tool => tool({ name: "wait", input: empty, execute });

test("what a tool has done stays in a cancelled run's state, and going on does not do it again", async () => {
  const done: string[] = [];
  const controller = new AbortController();
  const model = new ScriptedModel([{ toolCalls: calls }, "You have paid."]);
  const tools = [noting(done, "pay"), waiting(() => new Promise(() => undefined))];
  const agent = new Agent({ name: "A", model, tools });
  const cancelled = await run(agent, "Pay.", {
    signal: controller.signal,
    onEvent: ({ type }) => type === "tool-end" && controller.abort(),
  });
  expect(cancelled.status).toBe("cancelled");
  expect(outcomesOf(cancelled)).toEqual(["pay: success", "wait: cancelled"]);
  expect((await run(agent, stored(cancelled.state))).text).toBe("You have paid.");
  expect(done).toEqual(["pay 5"]);
});

test("the error of a run that fails afterwards carries it", async () => {
  const done: string[] = [];
  const failing = { toolCalls: calls };
  const broken = { error: new Error("The model broke.") };
  const model = new ScriptedModel([failing, broken, "You have paid."]);
  const agent = new Agent({ name: "A", model, tools: [noting(done, "pay"), waiting(() => "waited")] });
  const error = await run(agent, "Pay.").catch((failure: { state: RunState }) => failure);
  if (!("state" in error) || !("turn" in error.state)) throw new Error("the run did not fail");
  expect((await run(agent, stored(error.state))).text).toBe("You have paid.");
  expect(done).toEqual(["pay 5"]);
});

test("a process that dies in the middle of a batch leaves what was finished to the next one", async () => {
  const done: string[] = [];
  const session = memorySession();
  const crashed = Promise.withResolvers<void>();
  const tools = [noting(done, "pay"), waiting(() => new Promise(() => undefined))];
  const watched: typeof session = {
    load: () => session.load(),
    clear: () => session.clear(),
    async append(entries) {
      await session.append(entries);
      if (done.length > 0) crashed.resolve();
    },
  };
  // Nobody ends this run, nor sees what becomes of it once its call has taken too long: for whoever comes next, it has gone.
  const gone = new Agent({ name: "A", model: new ScriptedModel([{ toolCalls: calls }]), tools });
  run(gone, "Pay.", { session: watched }).catch(() => undefined);
  await crashed.promise;
  const next = new Agent({
    name: "A",
    model: new ScriptedModel(["You have paid."]),
    tools: [noting(done, "pay"), waiting(() => "waited")],
  });
  const after = memorySession();
  const { entries } = await session.load();
  // This process still runs: the claim of one that does not has run out.
  await after.append(
    entries.map((entry) => {
      if (entry.type !== "claim") return entry;
      const { process: _, ...claim } = entry;
      return { ...claim, until: 1 };
    }),
  );
  expect((await run(next, [], { session: after })).text).toBe("You have paid.");
  expect(done).toEqual(["pay 5"]);
});

test("a journal answers for the steps that it has seen", async () => {
  const done: string[] = [];
  const journal = memoryJournal();
  for (let times = 0; times < 2; times++) {
    const model = new ScriptedModel(times === 0 ? [{ toolCalls: calls }, "You have paid."] : []);
    const agent = new Agent({ name: "A", model, tools: [noting(done, "pay"), waiting(() => "waited")] });
    expect((await run(agent, "Pay.", { journal })).text).toBe("You have paid.");
  }
  expect(done).toEqual(["pay 5"]);
});
