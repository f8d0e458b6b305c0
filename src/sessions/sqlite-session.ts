import type { Session, SessionEntry } from "../run/session/session.ts";
import { absolutePath } from "../base/util/absolute-path.ts";
import { ignoreFailure } from "../base/util/ignore-failure.ts";
import { Semaphore } from "../base/util/semaphore.ts";
import { sleep } from "../base/util/sleep.ts";
import { builtin } from "./builtin.ts";
import { assertText } from "./assert-text.ts";
import { isRepeated } from "./is-repeated.ts";
import { assertStoredOptions, type StoredSessionOptions } from "./options.ts";

/** A session in a database. */
export interface SqliteSession extends Session {
  /** Closes the database, once all sessions in it that were used are closed. Using this one again opens it again. */
  close(): void;
}

type Database = InstanceType<ReturnType<typeof builtin<"node:sqlite">>["DatabaseSync"]>;

const example = 'sqliteSession("chats.db", "chat-1")';

/** SQLite's name for a database that is not in a file. */
const inMemory = ":memory:";

/** How long to wait for another process that is writing, and for how long at once, in milliseconds. */
const longestWait = 5_000;
const shortestPause = 10;
const longestPause = 100;

/** The results of SQLite that say so (SQLITE_BUSY and SQLITE_LOCKED): the last byte of what an error carries. */
const busyCode = 5;
const lockedCodes: ReadonlySet<number> = new Set([busyCode, 6]);

/** The databases that are open, and how many sessions use each. */
const open = new Map<string, { readonly database: Database; isFull: boolean; users: number }>();

/**
 * A session in a SQLite database, on a local disk: many may be in one file, each under its `id`, and processes may share it.
 * A relative path counts from the working directory of this moment. What is kept is in the table `skein_entries`. Wherever there is `node:sqlite`: Node, Bun and Deno.
 * @throws ConfigurationError (`invalid-option`) without a path or an id.
 */
export function sqliteSession(path: string, id: string, options: StoredSessionOptions = {}): SqliteSession {
  assertText(path, "path", example);
  assertText(id, "id", example);
  assertStoredOptions(options, "sqliteSession()");
  const { synchronous = "full" } = options;
  const file = path === inMemory ? path : absolutePath(path);
  let database: Database | undefined;
  const opened = (): Database => (database ??= openDatabase(file, synchronous));
  // One after another: what waits must not be overtaken by what comes after it.
  const turns = new Semaphore(1);
  const inTurn = <T>(work: (database: Database) => T): Promise<T> =>
    turns.run(() => whenUnlocked(() => work(opened())));
  return {
    busy: options.busy,
    key: `sqlite:${file}:${id}`,
    load: () => inTurn((database) => ({ entries: readAll(database, id) })),
    append: (entries) => inTurn((database) => inTransaction(database, () => append(database, id, entries))),
    clear: () =>
      turns.run(async () => {
        await whenUnlocked(() => inTransaction(opened(), () => clear(opened(), id)));
        await whenUnlocked(() => emptyLog(opened()));
      }),
    close: () => {
      if (database) release(file);
      database = undefined;
    },
  };
}

/** Does `work`, again and again while another process writes: SQLite itself would wait with the whole process standing still. */
async function whenUnlocked<T>(work: () => T): Promise<T> {
  const end = performance.now() + longestWait;
  for (let pause = shortestPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= end) throw error;
    }
    await sleep(pause);
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && lockedCodes.has(Number(error.errcode) & 0xff);
}

type Synchronous = NonNullable<StoredSessionOptions["synchronous"]>;

function openDatabase(path: string, synchronous: Synchronous): Database {
  const shared = open.get(path);
  if (shared) {
    shared.users++;
    // Sessions of one file share a connection: the safer wish counts.
    if (synchronous === "full" && !shared.isFull) {
      shared.database.exec("PRAGMA synchronous = FULL");
      shared.isFull = true;
    }
    return shared.database;
  }
  const { DatabaseSync } = builtin("node:sqlite", "sqliteSession");
  createPrivately(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous.toUpperCase()}`);
    // What is deleted is overwritten, and not only left to be reused.
    database.exec("PRAGMA secure_delete = ON");
    database.exec(
      "CREATE TABLE IF NOT EXISTS skein_entries (session TEXT NOT NULL, sequence INTEGER NOT NULL, " +
        "writer TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (session, sequence)) STRICT",
    );
  } catch (error) {
    ignoreFailure(() => database.close());
    throw error;
  }
  open.set(path, { database, isFull: synchronous === "full", users: 1 });
  return database;
}

/** A database is readable by its owner alone; SQLite gives the files beside it the same mode. */
function createPrivately(path: string): void {
  if (path === inMemory) return;
  const fs = builtin("node:fs", "sqliteSession");
  try {
    fs.closeSync(fs.openSync(path, "ax", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function release(path: string): void {
  const shared = open.get(path);
  if (!shared || --shared.users > 0) return;
  open.delete(path);
  shared.database.close();
}

function readAll(database: Database, id: string): readonly SessionEntry[] {
  const rows = database
    .prepare("SELECT entry FROM skein_entries WHERE session = ? ORDER BY sequence")
    .all(id);
  return rows.map(({ entry }): SessionEntry => JSON.parse(String(entry)));
}

function append(database: Database, id: string, entries: readonly SessionEntry[]): void {
  const select = database.prepare("SELECT writer FROM skein_entries WHERE session = ? AND sequence = ?");
  const writerOf = (sequence: number): string | undefined => {
    const row = select.get(id, sequence);
    return row && String(row["writer"]);
  };
  if (!isRepeated(entries, lastNumber(database, id), writerOf, oldestEntry(database, id)))
    for (const entry of entries) insert(database, id, entry);
}

function clear(database: Database, id: string): void {
  const sequence = lastNumber(database, id) + 1;
  database.prepare("DELETE FROM skein_entries WHERE session = ?").run(id);
  insert(database, id, { type: "clear", sequence, writer: crypto.randomUUID() });
}

/**
 * Moves what the log (`-wal`) has into the database and cuts it off: it still has the texts that were deleted.
 * @throws an error for a database that is locked if another process reads the log.
 */
function emptyLog(database: Database): void {
  if (database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] !== 1) return;
  throw new LogInUseError(
    "another process reads the database, whose -wal file has the texts until you clear again",
  );
}

class LogInUseError extends Error {
  readonly errcode = busyCode;
}

function insert(database: Database, id: string, entry: SessionEntry): void {
  const statement = "INSERT INTO skein_entries (session, sequence, writer, entry) VALUES (?, ?, ?, ?)";
  database.prepare(statement).run(id, entry.sequence, entry.writer, JSON.stringify(entry));
}

function oldestEntry(database: Database, id: string): SessionEntry | undefined {
  const select = "SELECT entry FROM skein_entries WHERE session = ? ORDER BY sequence LIMIT 1";
  const row = database.prepare(select).get(id);
  return row && JSON.parse(String(row["entry"]));
}

function lastNumber(database: Database, id: string): number {
  const row = database.prepare("SELECT max(sequence) AS last FROM skein_entries WHERE session = ?").get(id);
  return Number(row?.["last"] ?? 0);
}

/** Does all of it or nothing, while no other process writes. */
function inTransaction(database: Database, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back itself and refuses to do so again.
    ignoreFailure(() => database.exec("ROLLBACK"));
    throw error;
  }
}
