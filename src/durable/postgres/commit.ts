import type { SessionEntry } from "../../run/session/session.ts";
import { isRepeated } from "../../sessions/is-repeated.ts";
import { LeaseLostError } from "../errors.ts";
import type { Lease, RunWrite } from "../store.ts";
import { writeEvents } from "./events-table.ts";
import { channel, notify } from "./listener.ts";
import { inTransaction, type PgClient, type PgPool } from "./pool.ts";
import { changeRun, changes, valuesOf } from "./runs-table.ts";
import { now } from "./schema.ts";

/** PostgreSQL's code for a key that is taken. */
const uniqueViolation = "23505";

/**
 * Adds entries and events of a run, and changes it.
 * @throws LeaseLostError, SessionConflictError
 */
export async function commit(pool: PgPool, lease: Lease, write: RunWrite): Promise<boolean> {
  return (
    (await commitAtOnce(pool, lease, write)) ||
    inTransaction(pool, (client) => commitInSteps(client, lease, write))
  );
}

/** Does it in one statement, where nothing is in the way; `false` if something is. */
async function commitAtOnce(
  pool: PgPool,
  { id, owner }: Lease,
  { log, entries = [], events, revision, change }: RunWrite,
): Promise<boolean> {
  if (events?.from !== undefined || events?.before !== undefined) return false;
  const groups = events?.groups ?? [];
  try {
    const { rows } = await pool.query(
      `WITH lease AS (SELECT revision FROM skein_runs WHERE id = $1 AND owner = $11 FOR UPDATE),
       ready AS (SELECT 1 FROM lease WHERE ($2::bigint IS NULL OR revision = $2)
         AND ($12::bigint IS NULL OR $12 = 1 + coalesce((SELECT max(sequence) FROM skein_entries WHERE session = $13), 0))),
       entries AS (INSERT INTO skein_entries (session, sequence, writer, entry)
         SELECT $13, added.* FROM ready, unnest($14::bigint[], $15::text[], $16::text[]) AS added),
       events AS (INSERT INTO skein_events (run, first, last, events)
         SELECT $1, added.* FROM ready, unnest($17::bigint[], $18::bigint[], $19::text[]) AS added),
       run AS (UPDATE skein_runs SET progress = coalesce($20, progress), updated = ${now},
           revision = revision + CASE WHEN $21 THEN 1 ELSE 0 END, ${changes}
         WHERE id = $1 AND ($20::text IS NOT NULL OR $21) AND EXISTS (SELECT 1 FROM ready))
       SELECT CASE WHEN $20::text IS NOT NULL OR $21 THEN pg_notify($22, $1) END FROM ready`,
      [
        id,
        revision ?? null,
        ...valuesOf(change ?? {}),
        owner,
        entries[0]?.sequence ?? null,
        log ?? null,
        entries.map(({ sequence }) => sequence),
        entries.map(({ writer }) => writer),
        entries.map((entry) => JSON.stringify(entry)),
        groups.map(({ first }) => first),
        groups.map(({ last }) => last),
        groups.map((group) => JSON.stringify(group.events)),
        events ? JSON.stringify(events.progress) : null,
        change !== undefined,
        channel,
      ],
    );
    return rows.length === 1;
  } catch (error) {
    // Entries that are there already: a repetition, or another run's.
    if (Object(error).code === uniqueViolation) return false;
    throw error;
  }
}

/** The same step by step: it finds out what is in the way. */
async function commitInSteps(
  client: PgClient,
  { id, owner }: Lease,
  { log, entries = [], events, revision, change }: RunWrite,
): Promise<boolean> {
  const { rows } = await client.query("SELECT owner, revision FROM skein_runs WHERE id = $1 FOR UPDATE", [
    id,
  ]);
  const [row] = rows;
  if (row?.["owner"] !== owner) throw new LeaseLostError(id);
  if (revision !== undefined && Number(row["revision"]) !== revision) return false;
  if (log !== undefined && entries.length > 0) await append(client, log, entries);
  if (events) await writeEvents(client, id, events);
  if (change) await changeRun(client, id, undefined, change);
  if (events || change) await notify(client, [id]);
  return true;
}

async function append(client: PgClient, log: string, entries: readonly SessionEntry[]): Promise<void> {
  const [first] = entries;
  const { rows } = await client.query(
    `SELECT sequence, writer, (SELECT max(sequence) FROM skein_entries WHERE session = $1) AS last
     FROM skein_entries WHERE session = $1 AND sequence >= $2 - 1 ORDER BY sequence`,
    [log, first?.sequence ?? 1],
  );
  const writers = new Map(rows.map((row) => [Number(row["sequence"]), String(row["writer"])]));
  const last = Number(rows[0]?.["last"] ?? 0);
  if (isRepeated(entries, last, (sequence) => writers.get(sequence))) return;
  await client.query(
    `INSERT INTO skein_entries (session, sequence, writer, entry)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[])`,
    [
      log,
      entries.map(({ sequence }) => sequence),
      entries.map(({ writer }) => writer),
      entries.map((entry) => JSON.stringify(entry)),
    ],
  );
}
