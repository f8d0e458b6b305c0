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
import { byteLength } from "./byte-length.ts";
import type { MemoryChange, MemoryFile, MemoryHit, MemoryStore } from "./memory-store.ts";

/** The most words of a query that are searched for. */
const mostWords = 20;

/** Tokens of a text that an excerpt has, about. */
const excerptTokens = 24;

const search = "skein_memory_search";
const removeFromSearch = `INSERT INTO ${search} (${search}, rowid, path, text) VALUES ('delete', old.id, old.path, old.text);`;
const addToSearch = `INSERT INTO ${search} (rowid, path, text) VALUES (new.id, new.path, new.text);`;

/** The files, and the index of their words, which triggers keep. What is deleted is deleted from the index, too. */
const createTables = `
CREATE TABLE IF NOT EXISTS skein_memory (
  id INTEGER PRIMARY KEY, owner TEXT NOT NULL, path TEXT NOT NULL, text TEXT NOT NULL, bytes INTEGER NOT NULL, UNIQUE (owner, path)
) STRICT;
CREATE VIRTUAL TABLE IF NOT EXISTS ${search} USING fts5(
  path, text, content = 'skein_memory', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO ${search} (${search}, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER IF NOT EXISTS skein_memory_added AFTER INSERT ON skein_memory BEGIN ${addToSearch} END;
CREATE TRIGGER IF NOT EXISTS skein_memory_removed AFTER DELETE ON skein_memory BEGIN ${removeFromSearch} END;
CREATE TRIGGER IF NOT EXISTS skein_memory_changed AFTER UPDATE ON skein_memory BEGIN ${removeFromSearch} ${addToSearch} END;
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
    inTransaction(database, () => database.exec(createTables));
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
    if (after === undefined)
      prepared(database, "DELETE FROM skein_memory WHERE owner = ? AND path = ?").run(owner, path);
    else
      prepared(
        database,
        "INSERT INTO skein_memory (owner, path, text, bytes) VALUES (?, ?, ?, ?) " +
          "ON CONFLICT (owner, path) DO UPDATE SET text = excluded.text, bytes = excluded.bytes",
      ).run(owner, path, after, byteLength(after));
  }
  return true;
}

function searchFiles(database: Database, owner: string, query: string, limit: number): readonly MemoryHit[] {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, mostWords) ?? [];
  if (words.length === 0) return [];
  // Each word in quotation marks is a word, and not an operator; the star lets it begin a longer one.
  const match = words.map((word) => `"${word}"*`).join(" OR ");
  const rows = prepared(
    database,
    `SELECT skein_memory.path AS path, snippet(${search}, 1, '', '', '…', ${excerptTokens}) AS excerpt ` +
      `FROM ${search} JOIN skein_memory ON skein_memory.id = ${search}.rowid ` +
      `WHERE ${search} MATCH ? AND skein_memory.owner = ? ORDER BY bm25(${search}, 4.0, 1.0), skein_memory.path LIMIT ?`,
  ).all(match, owner, limit);
  return rows.map(({ path, excerpt }) => ({ path: String(path), excerpt: String(excerpt) }));
}
