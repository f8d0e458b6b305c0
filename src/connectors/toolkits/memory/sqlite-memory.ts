import { Semaphore } from "../../../base/util/semaphore.ts";
import {
  type Database,
  emptyLog,
  inTransaction,
  openDatabase,
  releaseDatabase,
  whenUnlocked,
} from "../../../sessions/sqlite-database.ts";
import { prepared } from "../../../sessions/sql-database.ts";
import { queryWords } from "../../../tool/search-words.ts";
import { byteLength } from "./byte-length.ts";
import { excerptOf } from "./excerpt.ts";
import type { MemoryChange, MemoryFile, MemoryHit, MemoryStore } from "./memory-store.ts";
import { findWords, openIndex, removeWords, replaceWords } from "./sqlite-words.ts";

/** The most words of a query that are searched for: of a text without spaces, each character with the next one is one. */
const mostWords = 100;

const createFiles = `
CREATE TABLE IF NOT EXISTS skein_memory (
  id INTEGER PRIMARY KEY, owner TEXT NOT NULL, path TEXT NOT NULL, text TEXT NOT NULL, bytes INTEGER NOT NULL, UNIQUE (owner, path)
) STRICT;
`;

/**
 * Memories in a SQLite database on a local disk, which processes may share. Wherever there is `node:sqlite`: Node, Bun and Deno.
 * @param file - A path, which is created for its owner alone, or `":memory:"`.
 */
export function sqliteMemory(file: string): MemoryStore {
  let database: Database | undefined;
  const opened = (): Database => (database ??= openTables(file));
  /** Whether the log may have texts that were deleted or replaced. */
  let hasOldTexts = false;
  const turns = new Semaphore(1);
  const inTurn = <T>(work: (database: Database) => T): Promise<T> =>
    turns.run(() => whenUnlocked(() => work(opened())));
  return {
    list: (owner) => inTurn((database) => listFiles(database, owner)),
    read: (owner, path) => inTurn((database) => readText(database, owner, path)),
    change: (owner, changes) =>
      turns.run(async () => {
        const isDone = await whenUnlocked(() =>
          inTransaction(opened(), () => applyChanges(opened(), owner, changes)),
        );
        hasOldTexts ||= isDone && changes.some(({ before }) => before !== undefined);
        if (hasOldTexts) hasOldTexts = !isLogEmptied(opened());
        return isDone;
      }),
    search: (owner, query, limit) => inTurn((database) => searchFiles(database, owner, query, limit)),
    close: () =>
      turns.run(() => {
        if (database) releaseDatabase(file);
        database = undefined;
      }),
  };
}

/** The change is made, whatever comes of this: while another process uses the log, the next change tries it again. Waiting would hold up all. */
function isLogEmptied(database: Database): boolean {
  try {
    emptyLog(database);
    return true;
  } catch {
    return false;
  }
}

function openTables(file: string): Database {
  const database = openDatabase(file, "full");
  try {
    inTransaction(database, () => {
      database.exec(createFiles);
      openIndex(database);
    });
    return database;
  } catch (error) {
    releaseDatabase(file);
    throw error;
  }
}

function listFiles(database: Database, owner: string): readonly MemoryFile[] {
  const rows = prepared(database, "SELECT path, bytes FROM skein_memory WHERE owner = ? ORDER BY path").all(
    owner,
  );
  return rows.map(({ path, bytes }) => ({ path: String(path), bytes: Number(bytes) }));
}

function readText(database: Database, owner: string, path: string): string | undefined {
  const row = prepared(database, "SELECT text FROM skein_memory WHERE owner = ? AND path = ?").get(
    owner,
    path,
  );
  return row && String(row["text"]);
}

/** Within a transaction, which no other process writes in. */
function applyChanges(database: Database, owner: string, changes: readonly MemoryChange[]): boolean {
  if (changes.some(({ path, before }) => readText(database, owner, path) !== before)) return false;
  for (const { path, after } of changes) {
    if (after === undefined) {
      const row = prepared(
        database,
        "DELETE FROM skein_memory WHERE owner = ? AND path = ? RETURNING id",
      ).get(owner, path);
      if (row) removeWords(database, Number(row["id"]));
      continue;
    }
    const row = prepared(
      database,
      "INSERT INTO skein_memory (owner, path, text, bytes) VALUES (?, ?, ?, ?) " +
        "ON CONFLICT (owner, path) DO UPDATE SET text = excluded.text, bytes = excluded.bytes RETURNING id",
    ).get(owner, path, after, byteLength(after));
    replaceWords(database, Number(row?.["id"]), path, after);
  }
  return true;
}

function searchFiles(database: Database, owner: string, query: string, limit: number): readonly MemoryHit[] {
  const words = [...new Set(queryWords(query))].slice(0, mostWords);
  return findWords(database, owner, words, limit).map(({ path, text }) => ({
    path,
    excerpt: excerptOf(text, words),
  }));
}
