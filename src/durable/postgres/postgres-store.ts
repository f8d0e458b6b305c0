import { describeValue, invalidOption } from "../../base/options/known-options.ts";
import type { SessionEntry } from "../../run/session/session.ts";
import type { DurableStore } from "../store.ts";
import { commit } from "./commit.ts";
import { readGroups, writeEvents } from "./events-table.ts";
import { Listener, notify } from "./listener.ts";
import { inTransaction, openPool, type PgClient, type PgPool, surviveBreaks } from "./pool.ts";
import { changeRun, claimRuns, insertRuns, listRuns, lockRuns, readRuns, strandRuns } from "./runs-table.ts";
import { createTables, ended, now } from "./schema.ts";

/** How often a store looks for runs that no program has the agent of, in milliseconds. */
const strandAfter = 1_000;

/**
 * Durable runs in PostgreSQL (15 or newer): processes of many machines share them. The tables `skein_runs`, `skein_entries` and
 * `skein_events` are created in the schema that the connection finds first. Needs the package `pg`.
 * @param source - A connection string, such as `"postgres://user:password@host/database"`, or a pool of `pg`, which `close()` leaves open.
 * @throws ConfigurationError (`invalid-option`)
 */
export function postgresStore(source: string | PgPool): DurableStore {
  const isPool = typeof Object(source).connect === "function";
  if (!isPool && !(typeof source === "string" && /^postgres(?:ql)?:\/\//.test(source)))
    throw invalidOption(
      `postgresStore() needs a connection string, such as "postgres://user:password@host/database", or a pool of pg, not ${typeof source === "string" ? "another text" : describeValue(source)}.`,
      { option: "source" },
    );
  return new PostgresStore(source);
}

class PostgresStore implements DurableStore {
  readonly key = `postgres:${crypto.randomUUID()}`;
  readonly #source: string | PgPool;
  #pool: Promise<PgPool> | undefined;
  readonly #listener = new Listener(() => this.#open());
  #strandedAt = 0;

  constructor(source: string | PgPool) {
    this.#source = source;
  }

  create: DurableStore["create"] = async (runs) => {
    const ids = runs.map(({ id }) => id);
    return this.#change(async (client) => {
      const added = await insertRuns(client, runs);
      const byId = new Map((await readRuns(client, ids)).map((run) => [run.id, run]));
      await notify(client, [...added]);
      return ids.flatMap((id) => {
        const run = byId.get(id);
        return run ? [{ run, isNew: added.has(id) }] : [];
      });
    });
  };

  read: DurableStore["read"] = async (id) => (await readRuns(await this.#open(), [id]))[0];

  list: DurableStore["list"] = async (filter) => listRuns(await this.#open(), filter);

  claim: DurableStore["claim"] = async (request) => {
    const time = performance.now();
    if (time - this.#strandedAt >= strandAfter) {
      this.#strandedAt = time;
      await this.#change(async (client) => notify(client, await strandRuns(client, request)));
    }
    return claimRuns(await this.#open(), request);
  };

  renew: DurableStore["renew"] = async (owner, lease, ids) => {
    const { rows } = await (
      await this.#open()
    ).query(
      `UPDATE skein_runs SET due = ${now} + $2 WHERE owner = $1 AND status = 'running'
         AND ($3::text[] IS NULL OR id = ANY($3)) RETURNING id, is_cancelled`,
      [owner, lease, ids ?? null],
    );
    return rows.map((row) => ({ id: String(row["id"]), isCancelled: row["is_cancelled"] === true }));
  };

  update: DurableStore["update"] = (id, revision, change) =>
    this.#change(async (client) => {
      const run = await changeRun(client, id, revision, change);
      if (run && change.events) await writeEvents(client, id, change.events);
      if (run) await notify(client, [id]);
      return run;
    });

  updateAll: NonNullable<DurableStore["updateAll"]> = (updates) =>
    this.#change(async (client) => {
      const ids = updates.map(({ id }) => id);
      const revisions = await lockRuns(client, ids);
      if (!updates.every(({ id, revision }) => revisions.get(id) === revision)) return false;
      for (const { id, revision, change } of updates) {
        await changeRun(client, id, revision, change);
        if (change.events) await writeEvents(client, id, change.events);
      }
      await notify(client, ids);
      return true;
    });

  load: DurableStore["load"] = async (log) => {
    const { rows } = await (
      await this.#open()
    ).query("SELECT entry FROM skein_entries WHERE session = $1 ORDER BY sequence", [log]);
    return rows.map(({ entry }): SessionEntry => JSON.parse(String(entry)));
  };

  commit: DurableStore["commit"] = async (lease, write) => commit(await this.#open(), lease, write);

  events: DurableStore["events"] = async (id, after, limit) =>
    readGroups(await this.#open(), id, after, limit);

  prune: DurableStore["prune"] = async (age) => {
    await (
      await this.#open()
    ).query(
      `DELETE FROM skein_events WHERE run IN
         (SELECT id FROM skein_runs WHERE status IN (${ended}) AND updated <= ${now} - $1)`,
      [age],
    );
  };

  watch: DurableStore["watch"] = (listener) => this.#listener.add(listener);

  close: DurableStore["close"] = async () => {
    this.#listener.close();
    const opening = this.#pool;
    this.#pool = undefined;
    const pool = await opening?.catch(() => undefined);
    // A pool of the program's own is its own to end.
    if (typeof this.#source === "string") await pool?.end();
  };

  async #change<T>(work: (client: PgClient) => Promise<T>): Promise<T> {
    return inTransaction(await this.#open(), work);
  }

  #open(): Promise<PgPool> {
    if (this.#pool) return this.#pool;
    const opening = this.#create();
    this.#pool = opening;
    // The next call tries again.
    opening.catch(() => {
      if (this.#pool === opening) this.#pool = undefined;
    });
    return opening;
  }

  async #create(): Promise<PgPool> {
    const isOwn = typeof this.#source === "string";
    const pool = typeof this.#source === "string" ? await openPool(this.#source) : this.#source;
    surviveBreaks(pool);
    try {
      await inTransaction(pool, (client) => client.query(createTables));
      return pool;
    } catch (error) {
      if (isOwn) await pool.end();
      throw error;
    }
  }
}
