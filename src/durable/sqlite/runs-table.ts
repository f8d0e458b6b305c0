import { prepared, type SqlDatabase } from "../../sessions/sql-database.ts";
import { dueAtOnce, dueTime } from "../changed-run.ts";
import { runOf } from "../row.ts";
import { endedStatuses, type StoredRun } from "../stored-run.ts";
import type { ClaimRequest, NewRun, RunChange, RunFilter } from "../store.ts";

const ended = endedStatuses.map((status) => `'${status}'`).join(", ");

/** Adds the tables of durable runs to a database. The conversations are in `skein_entries`, as those of sessions. */
export function createTables(database: SqlDatabase): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS skein_runs (
      number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, log TEXT NOT NULL, agent TEXT NOT NULL,
      status TEXT NOT NULL, priority INTEGER NOT NULL, due INTEGER, owner TEXT, process TEXT, build TEXT,
      revision INTEGER NOT NULL, attempts INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
      progress TEXT NOT NULL, data TEXT NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS skein_runs_next ON skein_runs (priority DESC, number) WHERE ${isWaiting};
    CREATE INDEX IF NOT EXISTS skein_runs_log ON skein_runs (log, number) WHERE status NOT IN (${ended});
    CREATE INDEX IF NOT EXISTS skein_runs_owner ON skein_runs (owner) WHERE owner IS NOT NULL;
    CREATE INDEX IF NOT EXISTS skein_runs_updated ON skein_runs (updated);
    CREATE TABLE IF NOT EXISTS skein_events (
      run TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, events TEXT NOT NULL,
      PRIMARY KEY (run, last)) STRICT;`);
}

// Written alike in the index and in the query: SQLite compares the texts.
const isWaiting = "(due IS NOT NULL OR status = 'stuck')";

const isFirst = `NOT EXISTS (SELECT 1 FROM skein_runs AS earlier
  WHERE earlier.log = skein_runs.log AND earlier.number < skein_runs.number AND earlier.status NOT IN (${ended}))`;

const isClaimable = `${isWaiting} AND (due <= :now OR (status = 'stuck' AND build IS NOT :build))
  AND agent IN (SELECT value FROM json_each(:agents))
  AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
  AND (:except IS NULL OR id NOT IN (SELECT value FROM json_each(:except)))
  AND ${isFirst}`;

/** Adds a run. Returns whether its id was free. */
export function insertRun(
  database: SqlDatabase,
  { id, log, agent, priority, at, data }: NewRun,
  now: number,
): boolean {
  const row = prepared(
    database,
    `INSERT INTO skein_runs (id, log, agent, status, priority, due, revision, attempts, created, updated, progress, data)
     VALUES (?, ?, ?, 'queued', ?, ?, 1, 0, ?, ?, '{"next":0}', ?) ON CONFLICT (id) DO NOTHING RETURNING id`,
  ).get(id, log, agent, priority, at ?? dueAtOnce, now, now, JSON.stringify(data));
  return row !== undefined;
}

/** The run with an id. */
export function readRun(database: SqlDatabase, id: string): StoredRun | undefined {
  const row = prepared(database, "SELECT * FROM skein_runs WHERE id = ?").get(id);
  return row && runOf(row);
}

/** The ids of runs that have changed at a time or later. */
export function changedSince(database: SqlDatabase, time: number): readonly string[] {
  const rows = prepared(database, "SELECT id FROM skein_runs WHERE updated >= ?").all(time);
  return rows.map(({ id }) => String(id));
}

/** Runs, those that were started last first. */
export function listRuns(
  database: SqlDatabase,
  { statuses, agent, log, idPrefix, after, limit }: RunFilter,
): readonly StoredRun[] {
  const rows = prepared(
    database,
    `SELECT * FROM skein_runs
     WHERE (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))
       AND (:agent IS NULL OR agent = :agent) AND (:log IS NULL OR log = :log)
       AND (:prefix IS NULL OR substr(id, 1, length(:prefix)) = :prefix)
       AND (:after IS NULL OR number < (SELECT number FROM skein_runs WHERE id = :after))
     ORDER BY number DESC LIMIT :limit`,
  ).all({
    statuses: statuses ? JSON.stringify(statuses) : null,
    agent: agent ?? null,
    log: log ?? null,
    prefix: idPrefix ?? null,
    after: after ?? null,
    limit,
  });
  return rows.map(runOf);
}

/** The numbers of runs that an owner may have. */
export function findClaimable(
  database: SqlDatabase,
  { agents, build, ids, except, limit }: ClaimRequest,
  now: number,
): readonly number[] {
  const rows = prepared(
    database,
    `SELECT number FROM skein_runs WHERE ${isClaimable} ORDER BY priority DESC, number LIMIT :limit`,
  ).all({
    now,
    build,
    agents: JSON.stringify(agents),
    ids: ids ? JSON.stringify(ids) : null,
    except: except ? JSON.stringify(except) : null,
    limit,
  });
  return rows.map(({ number }) => Number(number));
}

/**
 * When the next run is due; `undefined` if none is.
 * @param stuck - When those are looked at again that are stuck, and those that somebody has, should their lease end; neither if left out.
 */
export function nextDue(database: SqlDatabase, stuck?: number): number | undefined {
  const row = prepared(
    database,
    `SELECT min(CASE WHEN status = 'stuck' THEN :stuck ELSE due END) AS due FROM skein_runs
     WHERE ${isWaiting} AND (:stuck IS NOT NULL OR (owner IS NULL AND status <> 'stuck')) AND ${isFirst}`,
  ).get({ stuck: stuck ?? null });
  const due = row?.["due"];
  return typeof due === "number" ? due : undefined;
}

/** Gives a run to an owner. */
export function leaseRun(
  database: SqlDatabase,
  number: number,
  { owner, process: mark, build, lease }: ClaimRequest,
  now: number,
): StoredRun {
  const row = prepared(
    database,
    `UPDATE skein_runs SET status = 'running', owner = ?, process = ?, build = ?, due = ?, updated = ?,
       attempts = attempts + 1, revision = revision + 1 WHERE number = ? RETURNING *`,
  ).get(owner, mark ? JSON.stringify(mark) : null, build, now + lease, now, number);
  return runOf(row ?? {});
}

/** Marks runs as stuck that have been due for a lease and longer, and whose agents no claim has had. */
export function strandRuns(database: SqlDatabase, { agents, build, lease }: ClaimRequest, now: number): void {
  prepared(
    database,
    `UPDATE skein_runs SET status = 'stuck', due = NULL, owner = NULL, build = ?, updated = ?, revision = revision + 1,
       data = json_set(data, '$.missing', 'agent ' || agent)
     WHERE ${isWaiting} AND max(due, updated) < ? AND agent NOT IN (SELECT value FROM json_each(?))`,
  ).run(build, now, now - lease, JSON.stringify(agents));
}

/** Changes a run that has a revision; `undefined` if it has another. */
export function changeRun(
  database: SqlDatabase,
  id: string,
  revision: number | undefined,
  { status, due, owner, build, data }: RunChange,
  now: number,
): StoredRun | undefined {
  const row = prepared(
    database,
    `UPDATE skein_runs SET status = coalesce(:status, status), due = CASE WHEN :keepsDue THEN due ELSE :due END,
       owner = CASE WHEN :keepsOwner THEN owner ELSE NULL END, build = coalesce(:build, build),
       data = coalesce(:data, data), updated = :now, revision = revision + 1
     WHERE id = :id AND (:revision IS NULL OR revision = :revision) RETURNING *`,
  ).get({
    id,
    revision: revision ?? null,
    status: status ?? null,
    keepsDue: due === undefined ? 1 : 0,
    due: due ? dueTime(due, now) : null,
    keepsOwner: owner === undefined ? 1 : 0,
    build: build ?? null,
    data: data ? JSON.stringify(data) : null,
    now,
  });
  return row && runOf(row);
}
