import type { SessionEntry } from "../run/session/session.ts";
import { isRepeated } from "./is-repeated.ts";
import { prepared, type SqlDatabase } from "./sql-database.ts";

/** Creates the table of conversations, if it is not there. */
export const createEntries: string =
  "CREATE TABLE IF NOT EXISTS skein_entries (session TEXT NOT NULL, sequence INTEGER NOT NULL, " +
  "writer TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (session, sequence)) STRICT";

/** All entries of a conversation, in order. */
export function readAll(database: SqlDatabase, id: string): readonly SessionEntry[] {
  const rows = prepared(database, "SELECT entry FROM skein_entries WHERE session = ? ORDER BY sequence").all(
    id,
  );
  return rows.map(({ entry }): SessionEntry => JSON.parse(String(entry)));
}

/**
 * Adds entries to a conversation, within a transaction.
 * @throws SessionConflictError
 */
export function append(database: SqlDatabase, id: string, entries: readonly SessionEntry[]): void {
  const select = prepared(database, "SELECT writer FROM skein_entries WHERE session = ? AND sequence = ?");
  const writerOf = (sequence: number): string | undefined => {
    const row = select.get(id, sequence);
    return row && String(row["writer"]);
  };
  const last = lastNumber(database, id);
  const isNext = entries[0]?.sequence === last + 1;
  if (!isRepeated(entries, last, writerOf, isNext ? undefined : oldestEntry(database, id)))
    for (const entry of entries) insert(database, id, entry);
}

/** Adds one entry. */
export function insert(database: SqlDatabase, id: string, entry: SessionEntry): void {
  const statement = "INSERT INTO skein_entries (session, sequence, writer, entry) VALUES (?, ?, ?, ?)";
  prepared(database, statement).run(id, entry.sequence, entry.writer, JSON.stringify(entry));
}

function oldestEntry(database: SqlDatabase, id: string): SessionEntry | undefined {
  const select = "SELECT entry FROM skein_entries WHERE session = ? ORDER BY sequence LIMIT 1";
  const row = prepared(database, select).get(id);
  return row && JSON.parse(String(row["entry"]));
}

/** The number of the last entry; 0 if there is none. */
export function lastNumber(database: SqlDatabase, id: string): number {
  const row = prepared(database, "SELECT max(sequence) AS last FROM skein_entries WHERE session = ?").get(id);
  return Number(row?.["last"] ?? 0);
}
