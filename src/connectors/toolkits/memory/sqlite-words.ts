import type { Database } from "../../../sessions/sqlite-database.ts";
import { prepared } from "../../../sessions/sql-database.ts";
import { wordsOf } from "../../../tool/search-words.ts";

const table = "skein_memory_words";

/** The words are folded and cut already: the tokenizer only takes them apart at the spaces. What is deleted is deleted from the index, too. */
const createIndex = `
CREATE VIRTUAL TABLE ${table} USING fts5(path, text, tokenize = 'ascii');
INSERT INTO ${table} (${table}, rank) VALUES ('secure-delete', 1);
`;

/** The index of earlier versions, which had words as SQLite cuts them. */
const dropOldIndex = `
DROP TRIGGER IF EXISTS skein_memory_added;
DROP TRIGGER IF EXISTS skein_memory_removed;
DROP TRIGGER IF EXISTS skein_memory_changed;
DROP TABLE IF EXISTS skein_memory_search;
`;

/** Opens the index of the words of all files, and creates it where it is missing. Within a transaction. */
export function openIndex(database: Database): void {
  const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(table);
  if (isThere) return;
  database.exec(dropOldIndex);
  database.exec(createIndex);
  for (const { id, path, text } of database.prepare("SELECT id, path, text FROM skein_memory").iterate())
    addWords(database, Number(id), String(path), String(text));
}

/** Has the words of a file be those of this text. */
export function replaceWords(database: Database, id: number, path: string, text: string): void {
  removeWords(database, id);
  addWords(database, id, path, text);
}

/** Removes the words of a file. */
export function removeWords(database: Database, id: number): void {
  prepared(database, `DELETE FROM ${table} WHERE rowid = ?`).run(id);
}

function addWords(database: Database, id: number, path: string, text: string): void {
  prepared(database, `INSERT INTO ${table} (rowid, path, text) VALUES (?, ?, ?)`).run(
    id,
    wordsOf(path).join(" "),
    wordsOf(text).join(" "),
  );
}

/** The files of an owner that have any of these words, or longer ones that begin so, the best first. */
export function findWords(
  database: Database,
  owner: string,
  words: readonly string[],
  limit: number,
): readonly { readonly path: string; readonly text: string }[] {
  if (words.length === 0) return [];
  // Each word in quotation marks is a word, and not an operator; the star lets it begin a longer one.
  const match = words.map((word) => `"${word}"*`).join(" OR ");
  const rows = prepared(
    database,
    `SELECT skein_memory.path AS path, skein_memory.text AS text ` +
      `FROM ${table} JOIN skein_memory ON skein_memory.id = ${table}.rowid ` +
      `WHERE ${table} MATCH ? AND skein_memory.owner = ? ORDER BY bm25(${table}, 4.0, 1.0), skein_memory.path LIMIT ?`,
  ).all(match, owner, limit);
  return rows.map(({ path, text }) => ({ path: String(path), text: String(text) }));
}
