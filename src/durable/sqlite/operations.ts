import { prepared, type SqlDatabase } from "../../sessions/sql-database.ts";
import { append } from "../../sessions/sqlite-entries.ts";
import { LeaseLostError } from "../errors.ts";
import type {
  ClaimRequest,
  CreatedRun,
  Lease,
  LeasedRun,
  NewRun,
  RunChange,
  RunUpdate,
  RunWrite,
} from "../store.ts";
import type { StoredRun } from "../stored-run.ts";
import { writeEvents } from "./events-table.ts";
import { changeRun, findClaimable, insertRun, leaseRun, readRun } from "./runs-table.ts";

// What a store does within a transaction, as `DurableStore` says.

/** Adds runs. */
export function createRuns(
  database: SqlDatabase,
  runs: readonly NewRun[],
  now: number,
): readonly CreatedRun[] {
  return runs.map((run) => {
    const isNew = insertRun(database, run, now);
    const current = readRun(database, run.id);
    if (!current) throw new TypeError("The run that was just added is not there.");
    return { run: current, isNew };
  });
}

/** Gives runs that are due to an owner. */
export function claimRuns(database: SqlDatabase, request: ClaimRequest, now: number): readonly StoredRun[] {
  return findClaimable(database, request, now).map((number) => leaseRun(database, number, request, now));
}

/** Renews the leases of an owner. */
export function renewLeases(
  database: SqlDatabase,
  owner: string,
  lease: number,
  ids: readonly string[] | undefined,
  now: number,
): readonly LeasedRun[] {
  const rows = prepared(
    database,
    `UPDATE skein_runs SET due = :due WHERE owner = :owner AND status = 'running'
       AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
     RETURNING id, json_type(data, '$.cancel') IS NOT NULL AS isCancelled`,
  ).all({ due: now + lease, owner, ids: ids ? JSON.stringify(ids) : null });
  return rows.map((row) => ({ id: String(row["id"]), isCancelled: row["isCancelled"] === 1 }));
}

/** Changes a run that has a revision; `undefined` if it has another. */
export function updateRun(
  database: SqlDatabase,
  id: string,
  revision: number,
  change: RunChange,
  now: number,
): StoredRun | undefined {
  const run = changeRun(database, id, revision, change, now);
  if (run && change.events) writeEvents(database, id, change.events, now);
  return run;
}

/** Changes runs, all of them or none: `false` if one has another revision. */
export function updateRuns(database: SqlDatabase, updates: readonly RunUpdate[], now: number): boolean {
  const isCurrent = updates.every(({ id, revision }) => readRun(database, id)?.revision === revision);
  if (!isCurrent) return false;
  for (const { id, revision, change } of updates) updateRun(database, id, revision, change, now);
  return true;
}

/**
 * Adds entries and events of a run, and changes it.
 * @returns `false` if the run has another revision than the write knows.
 * @throws LeaseLostError, SessionConflictError
 */
export function commitWrite(
  database: SqlDatabase,
  { id, owner }: Lease,
  { log, entries = [], events, revision, change }: RunWrite,
  now: number,
): boolean {
  const row = prepared(database, "SELECT owner, revision FROM skein_runs WHERE id = ?").get(id);
  if (row?.["owner"] !== owner) throw new LeaseLostError(id);
  if (revision !== undefined && row["revision"] !== revision) return false;
  if (log !== undefined && entries.length > 0) append(database, log, entries);
  if (events) writeEvents(database, id, events, now);
  if (change) changeRun(database, id, undefined, change, now);
  return true;
}
