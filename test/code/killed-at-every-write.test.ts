/** A process that runs a program dies at each of its writes: another one goes on with the program. */
import { expect, test } from "vitest";
import { memoryStore, runs, type DurableStore, type Runs } from "skein/durable";
import { dyingStore, type Death } from "../durable/dying-store.ts";
import { accountant } from "./accountant.ts";

const code = `const results = [];
for (let i = 0; i < 3; i++) results.push(await tools.next());
const doubled = await Promise.all(results.map((n) => tools.double({ n })));
const approved = await Promise.all([tools.pay({ n: 1 }), tools.pay({ n: 2 }), tools.next()]);
return { results, doubled, approved, random: Math.random(), now: new Date().getTime() };`;

class Killed extends Error {}

async function workThrough(death: Death) {
  const effects: string[] = [];
  const store = memoryStore();
  const apps: Runs[] = [];
  const start = (each: DurableStore): Runs => {
    const app = runs({
      agents: [accountant(code, { add: (line) => effects.push(line), list: () => effects })],
      store: each,
      lease: 200,
      onError: () => {},
    });
    apps.push(app);
    return app;
  };
  const dead = Promise.withResolvers<void>();
  const dying = dyingStore(store, death, () => {
    dead.resolve();
    throw new Killed("dead");
  });
  const doomed = start(dying.store);
  await doomed.start("Accountant", "Do it.", { id: "job" });
  const working = [doomed.work()];
  const other = start(store);
  const untilEnd = async (): Promise<void> => {
    for (;;) {
      const { status, pending } = await other.get("job").result({ timeout: 60_000 });
      if (status !== "paused") return;
      await other
        .get("job")
        .decide(pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" as const })));
    }
  };
  const ended = untilEnd();
  await Promise.race([dead.promise, ended]);
  working.push(other.work());
  await ended;
  const { messages } = await other.get("job").state();
  await Promise.all(apps.map((app) => app.close({ drain: 0 })));
  await Promise.all(working);
  const last = messages.find(({ role }) => role === "tool");
  const value: unknown = last?.role === "tool" ? last.result.structuredContent : undefined;
  return { value, effects, writes: dying.writes() };
}

const unkilled = await workThrough({ at: Number.POSITIVE_INFINITY, isAfter: false });
const value = {
  results: [1, 2, 3],
  doubled: [2, 4, 6],
  approved: ["paid 1", "paid 2", 4],
  random: expect.any(Number),
  now: expect.any(Number),
};

test("a program that nothing kills makes each call once", () => {
  expect(unkilled.value).toEqual(value);
  expect(new Set(unkilled.effects).size).toBe(9);
  expect(unkilled.effects).toHaveLength(9);
  expect(unkilled.writes).toBeGreaterThan(8);
});

test.each(Array.from({ length: unkilled.writes }, (_, index) => index + 1))(
  "a process that dies at write %i leaves a program that comes to the same",
  { timeout: 60_000 },
  async (at) => {
    for (const isAfter of [false, true]) {
      const { value: killed, effects } = await workThrough({ at, isAfter });
      expect(killed).toEqual({ ...value, random: Object(unkilled.value).random });
      // What was under way is made again with the same key.
      expect([...new Set(effects)].toSorted()).toEqual([...new Set(unkilled.effects)].toSorted());
      const times = Map.groupBy(effects, (effect) => effect);
      expect(Math.max(...[...times.values()].map(({ length }) => length))).toBeLessThanOrEqual(2);
    }
  },
);
