import { groupBefore, groupOf } from "../row.ts";
import type { EventGroup, EventWrite } from "../store.ts";
import type { PgClient, PgPool } from "./pool.ts";
import { now } from "./schema.ts";

/** Adds events of a run. */
export async function writeEvents(client: PgClient, run: string, write: EventWrite): Promise<void> {
  const { groups, progress, from, before } = write;
  if (from !== undefined) {
    const [split] = await readGroups(client, run, from - 1, 1);
    await client.query("DELETE FROM skein_events WHERE run = $1 AND last >= $2", [run, from]);
    const rest = groupBefore(split, from);
    if (rest) await insertGroup(client, run, rest);
  }
  if (before !== undefined)
    await client.query("DELETE FROM skein_events WHERE run = $1 AND last < $2", [run, before]);
  for (const group of groups) await insertGroup(client, run, group);
  await client.query(`UPDATE skein_runs SET progress = $2, updated = ${now} WHERE id = $1`, [
    run,
    JSON.stringify(progress),
  ]);
}

async function insertGroup(
  client: PgClient,
  run: string,
  { first, last, events }: EventGroup,
): Promise<void> {
  await client.query("INSERT INTO skein_events (run, first, last, events) VALUES ($1, $2, $3, $4)", [
    run,
    first,
    last,
    JSON.stringify(events),
  ]);
}

/** Groups of events whose last index is higher than `after`. */
export async function readGroups(
  queries: Pick<PgPool, "query">,
  run: string,
  after: number,
  limit: number,
): Promise<readonly EventGroup[]> {
  const { rows } = await queries.query(
    "SELECT first, last, events FROM skein_events WHERE run = $1 AND last > $2 ORDER BY last LIMIT $3",
    [run, after, limit],
  );
  return rows.map(groupOf);
}
