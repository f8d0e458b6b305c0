/** A process dies at any write of a tool that sleeps, and waits for another program. */
import { Agent, tool } from "skein";
import { sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { Semaphore } from "../../src/base/util/semaphore.ts";
import { dyingStore } from "../durable/dying-store.ts";
import { newFile, testRuns } from "../durable/test-runs.ts";

/** An agent whose tool waits between its steps. */
function journey(note: (name: string) => void): Agent {
  const travel = tool({
    name: "travel",
    input: { type: "object", properties: {} },
    execute: async (_, { step, sleep, waitFor }) => {
      const perform = async (name: string): Promise<void> => {
        await step(name, () => note(name));
        note(`${name} is finished`);
      };
      await perform("one");
      await sleep("between", 1_001);
      await perform("two");
      const answer = await waitFor("answer");
      await perform("three");
      return answer;
    },
  });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Home." : { toolCalls: [{ toolName: "travel", arguments: {} }] },
  );
  return new Agent({ name: "Traveller", model, tools: [travel] });
}

async function travel(at: number, isAfter: boolean): Promise<{ notes: string[]; writes: number }> {
  const notes: string[] = [];
  const agent = journey((name) => void notes.push(name));
  const file = newFile();
  const dead = Promise.withResolvers<void>();
  const first = dyingStore(sqliteStore(file), { at, isAfter }, () => {
    dead.resolve();
    throw new Error("dead");
  });
  const doomed = testRuns(first.store, { agents: [agent], lease: 1_000 });
  const other = testRuns(file, { agents: [agent], lease: 1_000 });
  await doomed.start(agent, "Go", { id: "r" });
  const travelling = other.get("r");
  void doomed.work();
  const ended = travelling.result({ until: "end" });
  void dead.promise.then(() => other.work());
  const { pending } = await travelling.result();
  if (pending.length > 0) await travelling.resolve("answer", "Home.");
  expect(await ended).toMatchObject({ status: "completed", text: "Home." });
  return { notes, writes: first.writes() };
}

const { notes: alone, writes } = await travel(Number.POSITIVE_INFINITY, false);
const steps = ["one", "two", "three"];

test("a process dies at any write of a tool that waits: each finished step is done once", async () => {
  expect(alone).toEqual(expect.arrayContaining(steps));
  expect(writes).toBeGreaterThan(5);
  const deaths = [false, true].flatMap((isAfter) =>
    Array.from({ length: writes }, (_, index) => ({ at: index + 1, isAfter })),
  );
  const limit = new Semaphore(6);
  const travelled = await Promise.all(deaths.map(({ at, isAfter }) => limit.run(() => travel(at, isAfter))));
  for (const { notes } of travelled) {
    // One that was under way may be done again.
    expect([...new Set(notes.filter((name) => steps.includes(name)))]).toEqual(steps);
    for (const name of steps)
      expect(notes.lastIndexOf(name)).toBeLessThan(notes.indexOf(`${name} is finished`));
  }
}, 120_000);
