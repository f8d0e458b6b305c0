/** The database of durable runs fails: no acknowledged entry is lost, nothing is done under another key, and all runs end once it is back. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { type Runs, runs } from "skein/durable";
import { openStore } from "../durable/open-store.ts";
import { type PostgresServer, startPostgres } from "../durable/postgres-server.ts";
import { sprinter, team, teamOptions } from "../durable/team.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-failing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const open: Runs[] = [];
afterEach(closeAll);

async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((each) => each.close({ drain: 0 }).catch(() => {})));
}

/** Programs with twenty runs at once each; one of them, and what they all did. */
function programs(store: string, count: number): { readonly app: Runs; readonly effects: string[] } {
  const effects: string[] = [];
  const note = (name: string, key: string): void => void effects.push(`${name} ${key}`);
  const start = (): Runs => {
    const app = runs({
      agents: [sprinter(note), team(note, 5)],
      store: openStore(store),
      lease: 1_000,
      runOptions: teamOptions,
      onError: () => {},
    });
    open.push(app);
    void app.work({ concurrency: 20 });
    return app;
  };
  for (let others = 1; others < count; others += 1) start();
  return { app: start(), effects };
}

function runIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => `run-${number}`);
}

/** Approves what runs ask for until all have ended, whatever the store does. */
async function untilAllEnd(app: Runs, ids: readonly string[]): Promise<void> {
  const open = new Set(ids);
  while (open.size > 0) {
    for (const id of open)
      try {
        const { status, pending, error } = await app.get(id).state();
        if (status === "completed") open.delete(id);
        if (["failed", "cancelled", "stuck"].includes(status))
          throw new Error(`The run ${id} is ${status}: ${JSON.stringify(error)}`);
        if (status === "paused")
          await app
            .get(id)
            .decide(pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" })));
      } catch (error) {
        // Another look later: the store does not answer, or another decision came first.
        if (String(error).includes("The run ")) throw error;
      }
    await sleep(20);
  }
}

/** Starts a run, again and again until the store has it. */
async function startSurely(app: Runs, agent: string, id: string): Promise<void> {
  for (;;)
    try {
      await app.start(agent, "Do it all.", { id });
      return;
    } catch {
      await sleep(50);
    }
}

function expectOneKeyEach(effects: readonly string[], ids: readonly string[], perRun: number): void {
  const keys = new Set(effects.map((line) => line.split(" ")[1] ?? ""));
  for (const id of ids) expect([...keys].filter((key) => key.startsWith(`${id}/`))).toHaveLength(perRun);
  expect(keys.size).toBe(perRun * ids.length);
}

/**
 * Runs a team's work on PostgreSQL while the server fails.
 * @param fail - Has it fail once.
 * @param duration - How long it is to fail, in milliseconds; until all runs have ended if left out.
 */
async function expectToOutlive(
  count: number,
  fail: (server: PostgresServer) => Promise<unknown>,
  duration?: number,
): Promise<void> {
  const server = await startPostgres();
  const { app, effects } = programs(await server.newDatabase(), 2);
  const over = new AbortController();
  const failing = (async () => {
    while (!over.signal.aborted) await fail(server);
  })();
  try {
    const ids = runIds(count);
    for (const id of ids) await startSurely(app, "Boss", id);
    if (duration !== undefined) setTimeout(() => over.abort(), duration);
    await untilAllEnd(app, ids);
    over.abort();
    await failing;
    expectOneKeyEach(effects, ids, 15);
    const histories = await Promise.all(ids.map(async (id) => (await app.get(id).state()).messages));
    for (const history of histories) expect(history).toEqual(histories[0]);
  } finally {
    over.abort();
    await failing;
    await closeAll();
    await server.stop();
  }
}

test("PostgreSQL is killed again and again under twenty workers' worth of runs", async () => {
  await expectToOutlive(20, async (server) => {
    await sleep(700);
    await server.kill();
    await server.start();
  });
}, 180_000);

test("connections are lost at any moment, within COMMIT too", async () => {
  // Where no connection lives for long, runs make no progress: they are lost for a while.
  await expectToOutlive(
    15,
    async (server) => {
      await sleep(30);
      await server.cutConnections();
    },
    8_000,
  );
}, 180_000);

test("another program locks the SQLite file for ten seconds", async () => {
  const store = join(folder, "locked.db");
  const { app, effects } = programs(store, 2);
  const ids = runIds(20);
  for (const id of ids) await startSurely(app, "Boss", id);
  const locker = new DatabaseSync(store, { timeout: 5_000 });
  await sleep(50);
  locker.exec("BEGIN IMMEDIATE");
  await sleep(10_000);
  locker.exec("COMMIT");
  locker.close();
  await untilAllEnd(app, ids);
  expectOneKeyEach(effects, ids, 15);
}, 120_000);

test.runIf(process.getuid?.() === 0)(
  "the disk is full for a while",
  async () => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
    try {
      const store = join(disk, "runs.db");
      const { app, effects } = programs(store, 1);
      const ids = runIds(60);
      const starting = (async () => {
        for (const id of ids) await startSurely(app, "Boss", id);
      })();
      await sleep(4_000);
      execFileSync("mount", ["-o", "remount,size=200m", disk]);
      await starting;
      await untilAllEnd(app, ids);
      expectOneKeyEach(effects, ids, 15);
    } finally {
      await closeAll();
      execFileSync("umount", ["-l", disk]);
    }
  },
  120_000,
);
