/** Processes that work on durable runs are killed, at each of their writes and at random: what was acknowledged stays, nothing is done twice. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Runs, runs } from "skein/durable";
import { openStore } from "../durable/open-store.ts";
import { team, teamOptions } from "../durable/team.ts";
import { type PostgresServer, startPostgres } from "../durable/postgres-server.ts";
import { effectsOf, killWorkers, startWorker } from "../durable/processes.ts";
import { textOfEvents } from "../durable/text-of-events.ts";
import { randomOf } from "../../src/testing/conformance/random.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-kills-"));
const open: Runs[] = [];

afterEach(async () => {
  killWorkers();
  await Promise.all(open.splice(0).map((each) => each.close({ drain: 0 })));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that starts runs and decides on calls, and executes nothing itself. */
function office(store: string): Runs {
  const app = runs({ agents: [team(() => {})], store: openStore(store), runOptions: teamOptions });
  open.push(app);
  return app;
}

/** How many workers are killed at random, in each store: `SKEIN_KILLS=1000` takes half an hour. */
const mostKills = Number(process.env["SKEIN_KILLS"] ?? 30);

let effectFiles = 0;

/** A file for effects that nothing is in yet. */
function newEffects(): string {
  return join(folder, `${(effectFiles += 1)}.effects`);
}

/** Approves what a run asks for until it has ended. Returns the ids of what it asked for. */
async function decideUntilEnd(app: Runs, id: string): Promise<ReadonlySet<string>> {
  const approvalIds = new Set<string>();
  for (;;) {
    const { status, pending } = await app.get(id).result({ timeout: 3_000_000 });
    if (status === "completed") return approvalIds;
    if (status !== "paused") throw new Error(`The run is ${status}.`);
    for (const { approvalId = "" } of pending) {
      approvalIds.add(approvalId);
      await app.get(id).decide([{ approvalId, decision: "approve" }]);
    }
  }
}

/** Expects each effect of a run under one key, all of them, and none of another run. */
function expectOneKeyEach(effects: readonly string[], ids: readonly string[]): void {
  const keys = new Set(effects.map((line) => line.split(" ")[1] ?? ""));
  for (const id of ids) expect([...keys].filter((key) => key.startsWith(`${id}/`))).toHaveLength(15);
  expect(keys.size).toBe(15 * ids.length);
}

/** Whether another process is within a transaction that writes. */
function isLocked(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("BEGIN IMMEDIATE; ROLLBACK;");
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describe.each(["SQLite", "PostgreSQL"])("%s", (kind) => {
  let count = 0;
  const newStore = async (): Promise<string> =>
    kind === "SQLite" ? join(folder, `${(count += 1)}.db`) : server.newDatabase();

  test("killed after each write: the same history, and each effect under one key", async () => {
    const whole = await newStore();
    const wholeEffects = newEffects();
    const app = office(whole);
    await app.start("Boss", "Do it all.", { id: "job" });
    await startWorker(whole, wholeEffects);
    await decideUntilEnd(app, "job");
    const { messages } = await app.get("job").state();
    const text = await textOfEvents(app.get("job").events());
    expectOneKeyEach(effectsOf(wholeEffects), ["job"]);

    const kill = async (at: number): Promise<boolean> => {
      const file = await newStore();
      const effects = newEffects();
      const own = office(file);
      await own.start("Boss", "Do it all.", { id: "job" });
      const ending = decideUntilEnd(own, "job");
      const doomed = await startWorker(file, effects, { death: { at, isAfter: true } });
      const isKilled = await Promise.race([
        doomed.exitCode === null && doomed.signalCode === null
          ? once(doomed, "exit").then(() => true)
          : Promise.resolve(true),
        ending.then(() => false),
      ]);
      if (isKilled) await startWorker(file, effects);
      const approvalIds = await ending;
      expect(approvalIds.size).toBe(1);
      expect((await own.get("job").state()).messages).toEqual(messages);
      expect(await textOfEvents(own.get("job").events())).toBe(text);
      expectOneKeyEach(effectsOf(effects), ["job"]);
      const times = Object.values(Object.groupBy(effectsOf(effects), (line) => line));
      expect(Math.max(...times.map((lines) => lines?.length ?? 0))).toBeLessThanOrEqual(2);
      killWorkers();
      return isKilled;
    };
    let at = 0;
    do at += 1;
    while (await kill(at));
    expect(at).toBeGreaterThan(15);
  }, 600_000);

  test("two workers at once are killed at random, again and again: all runs end, each effect under one key", async () => {
    const random = randomOf(20_261_128);
    const file = await newStore();
    const effects = newEffects();
    const app = office(file);
    const ids = Array.from(
      { length: (kind === "SQLite" ? 2 : 0.6) * mostKills },
      (_, number) => `run-${number}`,
    );
    for (const id of ids) await app.start("Boss", "Do it all.", { id });
    let kills = 0;
    const works = async (): Promise<void> => {
      while (kills < mostKills) {
        const child = await startWorker(file, effects, { pause: 10, concurrency: 3 });
        await new Promise((resolve) => setTimeout(resolve, random.integer(10, 500)));
        child.kill("SIGKILL");
        kills += 1;
      }
      // However slow the machine is: what is left is done in peace.
      await startWorker(file, effects, { concurrency: 10 });
    };
    await Promise.all([works(), works(), ...ids.map((id) => decideUntilEnd(app, id))]);
    expect(kills).toBeGreaterThanOrEqual(mostKills);
    expectOneKeyEach(effectsOf(effects), ids);
    const histories = await Promise.all(ids.map(async (id) => (await app.get(id).state()).messages));
    for (const history of histories) expect(history).toEqual(histories[0]);
  }, 3_600_000);

  test("a worker that stood still for longer than its lease writes nothing more, and its tools' signals are aborted", async () => {
    const file = await newStore();
    const effects = newEffects();
    const app = office(file);
    await app.start("Boss", "Do it all.", { id: "job" });
    const ending = decideUntilEnd(app, "job");
    const zombie = await startWorker(file, effects, { pause: 8_000, lease: 500 });
    while (effectsOf(effects).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    zombie.kill("SIGSTOP");
    // One that stops within a transaction of SQLite holds the database for as long as it stands.
    const isHeld = (): boolean => kind === "SQLite" && isLocked(file);
    while (isHeld()) {
      zombie.kill("SIGCONT");
      await new Promise((resolve) => setTimeout(resolve, 20));
      zombie.kill("SIGSTOP");
    }
    await startWorker(file, effects, { lease: 500 });
    await ending;
    const { messages } = await app.get("job").state();
    const events: number[] = [];
    for await (const { index } of app.get("job").events()) events.push(index);
    zombie.kill("SIGCONT");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await app.get("job").state()).messages).toEqual(messages);
    const later: number[] = [];
    for await (const { index } of app.get("job").events()) later.push(index);
    expect(later).toEqual(events);
    expect(new Set(later).size).toBe(later.length);
    expectOneKeyEach(effectsOf(effects), ["job"]);
    expect(effectsOf(`${effects}.aborted`)).not.toEqual([]);
  }, 60_000);
});
