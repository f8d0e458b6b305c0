import { dueAtOnce } from "../changed-run.ts";
import { runOf } from "../row.ts";
import type { ClaimRequest, NewRun, RunChange, RunFilter } from "../store.ts";
import type { StoredRun } from "../stored-run.ts";
import type { PgClient, PgPool } from "./pool.ts";
import { ended, isWaiting, now } from "./schema.ts";

/** Keeps the locks of conversations apart from those that a program takes itself. */
const conversationLocks = 7_543_120_118;

/** What queries go to: a pool, or the client of a transaction. */
type Queries = Pick<PgClient | PgPool, "query">;

/**
 * Adds runs. Returns the ids of those that were free. Those of one conversation are added one after the other: else one with a higher number
 * may be there first, and be given out before the one with the lower number, which would be given out beside it.
 */
export async function insertRuns(queries: Queries, runs: readonly NewRun[]): Promise<ReadonlySet<string>> {
  const column = (of: (run: NewRun) => unknown): readonly unknown[] => runs.map(of);
  const { rows } = await queries.query(
    `WITH held AS MATERIALIZED (
       SELECT pg_advisory_xact_lock(hashtextextended(log, ${conversationLocks}))
       FROM (SELECT DISTINCT log FROM unnest($2::text[]) AS new (log) ORDER BY log) AS logs)
     INSERT INTO skein_runs (id, log, agent, status, priority, due, revision, attempts, created, updated, progress, data)
     SELECT id, log, agent, 'queued', priority, coalesce(due, ${dueAtOnce}), 1, 0, ${now}, ${now}, '{"next":0}', data
     FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::bigint[], $6::text[])
       AS new (id, log, agent, priority, due, data), (SELECT count(*) FROM held) AS locked
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    [
      column(({ id }) => id),
      column(({ log }) => log),
      column(({ agent }) => agent),
      column(({ priority }) => priority),
      column(({ at }) => at ?? null),
      column(({ data }) => JSON.stringify(data)),
    ],
  );
  return new Set(rows.map(({ id }) => String(id)));
}

/** The runs with these ids. */
export async function readRuns(queries: Queries, ids: readonly string[]): Promise<readonly StoredRun[]> {
  const { rows } = await queries.query("SELECT * FROM skein_runs WHERE id = ANY($1)", [ids]);
  return rows.map(runOf);
}

/** Keeps others from changing runs until the transaction ends. Returns their revisions. */
export async function lockRuns(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  // In one order: of two that lock the same runs, neither waits for the other for ever.
  const { rows } = await queries.query(
    "SELECT id, revision FROM skein_runs WHERE id = ANY($1) ORDER BY number FOR UPDATE",
    [ids],
  );
  return new Map(rows.map(({ id, revision }) => [String(id), Number(revision)]));
}

/** Runs, those that were started last first. */
export async function listRuns(
  queries: Queries,
  { statuses, agent, log, idPrefix, after, limit }: RunFilter,
): Promise<readonly StoredRun[]> {
  const { rows } = await queries.query(
    `SELECT * FROM skein_runs
     WHERE ($1::text[] IS NULL OR status = ANY($1)) AND ($2::text IS NULL OR agent = $2)
       AND ($3::text IS NULL OR log = $3) AND ($6::text IS NULL OR starts_with(id, $6))
       AND ($4::text IS NULL OR number < (SELECT number FROM skein_runs WHERE id = $4))
     ORDER BY number DESC LIMIT $5`,
    [statuses ?? null, agent ?? null, log ?? null, after ?? null, limit, idPrefix ?? null],
  );
  return rows.map(runOf);
}

/** Gives runs that are due to an owner: what another one is being given is passed over. */
export async function claimRuns(
  queries: Queries,
  { owner, build, agents, lease, limit, ids, except }: ClaimRequest,
): Promise<readonly StoredRun[]> {
  const { rows } = await queries.query(
    `WITH next AS (
       SELECT number FROM skein_runs
       WHERE ${isWaiting} AND (due <= ${now} OR (status = 'stuck' AND build IS DISTINCT FROM $2))
         AND agent = ANY($3) AND ($4::text[] IS NULL OR id = ANY($4))
         AND ($7::text[] IS NULL OR id <> ALL($7))
         AND NOT EXISTS (SELECT 1 FROM skein_runs AS earlier WHERE earlier.log = skein_runs.log
           AND earlier.number < skein_runs.number AND earlier.status NOT IN (${ended}))
       ORDER BY priority DESC, number LIMIT $5 FOR UPDATE SKIP LOCKED)
     UPDATE skein_runs SET status = 'running', owner = $1, build = $2, due = ${now} + $6, updated = ${now},
       attempts = attempts + 1, revision = revision + 1
     FROM next WHERE skein_runs.number = next.number RETURNING skein_runs.*`,
    [owner, build, agents, ids ?? null, limit, lease, except ?? null],
  );
  return rows.toSorted(byRank).map(runOf);
}

/** Those of a higher priority first, and of these the oldest. */
function byRank(left: Readonly<Record<string, unknown>>, right: typeof left): number {
  const priority = Number(right["priority"]) - Number(left["priority"]);
  return priority === 0 ? Number(left["number"]) - Number(right["number"]) : priority;
}

/** Marks runs as stuck that have been due for a lease and longer, and whose agents no claim has had. */
export async function strandRuns(
  queries: Queries,
  { agents, build, lease }: ClaimRequest,
): Promise<readonly string[]> {
  const { rows } = await queries.query(
    `SELECT * FROM skein_runs WHERE ${isWaiting} AND greatest(due, updated) < ${now} - $1 AND NOT agent = ANY($2)
     LIMIT 100 FOR UPDATE SKIP LOCKED`,
    [lease, agents],
  );
  const stranded = rows.map(runOf);
  for (const { id, agent, data } of stranded)
    await changeRun(queries, id, undefined, {
      status: "stuck",
      due: null,
      owner: null,
      build,
      data: { ...data, missing: `agent ${agent}` },
    });
  return stranded.map(({ id }) => id);
}

/** What sets the fields of a run to the values of a change, which are the parameters from the third on. */
export const changes: string = `status = coalesce($3, status),
  due = CASE WHEN $4 THEN due WHEN $5::bigint IS NOT NULL THEN $5 WHEN $6::bigint <= 0 THEN ${dueAtOnce} WHEN $6::bigint IS NOT NULL THEN ${now} + $6 END,
  owner = CASE WHEN $7 THEN owner END, build = coalesce($8, build), data = coalesce($9, data),
  is_cancelled = coalesce($10, is_cancelled)`;

/** The values of a change. */
export function valuesOf({ status, due, owner, build, data }: RunChange): readonly unknown[] {
  return [
    status ?? null,
    due === undefined,
    due && "at" in due ? due.at : null,
    due && "in" in due ? due.in : null,
    owner === undefined,
    build ?? null,
    data ? JSON.stringify(data) : null,
    data ? data.cancel !== undefined : null,
  ];
}

/** Changes a run that has a revision; `undefined` if it has another. */
export async function changeRun(
  queries: Queries,
  id: string,
  revision: number | undefined,
  change: RunChange,
): Promise<StoredRun | undefined> {
  const { rows } = await queries.query(
    `UPDATE skein_runs SET updated = ${now}, revision = revision + 1, ${changes}
     WHERE id = $1 AND ($2::bigint IS NULL OR revision = $2) RETURNING *`,
    [id, revision ?? null, ...valuesOf(change)],
  );
  const [row] = rows;
  return row && runOf(row);
}
