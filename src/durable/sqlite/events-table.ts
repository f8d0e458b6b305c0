import { prepared, type SqlDatabase } from "../../sessions/sql-database.ts";
import { groupBefore, groupOf } from "../row.ts";
import { endedStatuses } from "../stored-run.ts";
import type { EventGroup, EventWrite } from "../store.ts";

/** Adds events of a run. */
export function writeEvents(database: SqlDatabase, run: string, write: EventWrite, now: number): void {
  const { groups, progress, from, before } = write;
  if (from !== undefined) deleteFrom(database, run, from);
  if (before !== undefined)
    prepared(database, "DELETE FROM skein_events WHERE run = ? AND last < ?").run(run, before);
  for (const group of groups) insertGroup(database, run, group);
  prepared(database, "UPDATE skein_runs SET progress = ?, updated = ? WHERE id = ?").run(
    JSON.stringify(progress),
    now,
    run,
  );
}

/** Groups of events whose last index is higher than `after`. */
export function readGroups(
  database: SqlDatabase,
  run: string,
  after: number,
  limit: number,
): readonly EventGroup[] {
  const rows = prepared(
    database,
    "SELECT first, last, events FROM skein_events WHERE run = ? AND last > ? ORDER BY last LIMIT ?",
  ).all(run, after, limit);
  return rows.map(groupOf);
}

/** Deletes the events of runs that ended at a time or before. */
export function pruneEvents(database: SqlDatabase, until: number): void {
  const ended = endedStatuses.map((status) => `'${status}'`).join(", ");
  prepared(
    database,
    `DELETE FROM skein_events WHERE run IN
       (SELECT id FROM skein_runs WHERE status IN (${ended}) AND updated <= ?)`,
  ).run(until);
}

/** A group may have events on both sides. */
function deleteFrom(database: SqlDatabase, run: string, from: number): void {
  const [split] = readGroups(database, run, from - 1, 1);
  prepared(database, "DELETE FROM skein_events WHERE run = ? AND last >= ?").run(run, from);
  const rest = groupBefore(split, from);
  if (rest) insertGroup(database, run, rest);
}

function insertGroup(database: SqlDatabase, run: string, { first, last, events }: EventGroup): void {
  prepared(database, "INSERT INTO skein_events (run, first, last, events) VALUES (?, ?, ?, ?)").run(
    run,
    first,
    last,
    JSON.stringify(events),
  );
}
