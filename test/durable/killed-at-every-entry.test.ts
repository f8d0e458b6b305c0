/**
 * A store that dies at its k-th write: what was acknowledged stays, another process goes on. Each sixth k; all of them, with real
 * processes and SIGKILL, are in test/long.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Message } from "skein";
import { type DurableStore, type Runs, runs, sqliteStore } from "skein/durable";
import { type Death, dyingStore } from "./dying-store.ts";
import { textOfEvents } from "./text-of-events.ts";
import { team, teamOptions } from "./team.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-killed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

class Killed extends Error {}

interface Outcome {
  readonly history: readonly Message[];
  readonly effects: readonly string[];
  readonly approvalIds: readonly string[];
  readonly writes: number;
  /** The text that a reader of the events has at the end. */
  readonly text: string;
}

let count = 0;

async function workThrough(kill: Death): Promise<Outcome> {
  const file = join(folder, `${(count += 1)}.db`);
  const effects: string[] = [];
  const apps: Runs[] = [];
  const start = (store: DurableStore): Runs => {
    const each = runs({
      agents: [team((name, key) => effects.push(`${name} ${key}`))],
      store,
      lease: 200,
      runOptions: teamOptions,
      onError: () => {},
    });
    apps.push(each);
    return each;
  };
  const dead = Promise.withResolvers<void>();
  const first = dyingStore(sqliteStore(file), kill, () => {
    dead.resolve();
    throw new Killed("dead");
  });
  const doomed = start(first.store);
  await doomed.start("Boss", "Do it all.", { id: "job" });
  const working = doomed.work();
  const other = start(sqliteStore(file));
  const approvalIds: string[] = [];
  const untilEnd = async (): Promise<void> => {
    for (;;) {
      const { status, pending } = await other.get("job").result({ timeout: 20_000 });
      if (status !== "paused") return;
      for (const { approvalId = "" } of pending) {
        approvalIds.push(approvalId);
        await other.get("job").decide([{ approvalId, decision: "approve" }]);
      }
    }
  };
  const ended = untilEnd();
  await Promise.race([dead.promise, ended]);
  const rescuing = other.work();
  await ended;
  const { messages, status } = await other.get("job").state();
  expect(status).toBe("completed");
  const text = await textOfEvents(other.get("job").events());
  await Promise.all(apps.map((each) => each.close({ drain: 0 })));
  await Promise.all([working, rescuing]);
  return { history: messages, effects, approvalIds, writes: first.writes(), text };
}

/** The history and the events without ids that differ between runs. */
const unkilled = await workThrough({ at: Number.POSITIVE_INFINITY, isAfter: false });

test("the run that nothing kills does each effect once, and pauses for one decision", () => {
  expect(unkilled.effects.toSorted()).toEqual([...new Set(unkilled.effects)].toSorted());
  expect(unkilled.effects).toHaveLength(15);
  expect(unkilled.approvalIds).toHaveLength(1);
  expect(unkilled.writes).toBeGreaterThan(20);
});

test.each(
  Array.from({ length: Math.ceil(unkilled.writes / 6) }, (_, index) => 6 * index + 1).flatMap((at) => [
    [at, "before"] as const,
    [at, "after"] as const,
  ]),
)("killed at its write %i, %s it is done: the same history, each effect under one key", async (at, when) => {
  const outcome = await workThrough({ at, isAfter: when === "after" });
  expect(outcome.history).toEqual(unkilled.history);
  expect(outcome.text).toBe(unkilled.text);
  expect([...new Set(outcome.effects)].toSorted()).toEqual(unkilled.effects.toSorted());
  const times = Object.values(Object.groupBy(outcome.effects, (effect) => effect)).map(
    (each) => each?.length ?? 0,
  );
  expect(Math.max(...times)).toBeLessThanOrEqual(2);
  expect(new Set(outcome.approvalIds).size).toBe(1);
});
