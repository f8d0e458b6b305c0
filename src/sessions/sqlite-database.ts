import { ignoreFailure } from "../base/util/ignore-failure.ts";
import { sleep } from "../base/util/sleep.ts";
import { builtin } from "./builtin.ts";
import type { StoredSessionOptions } from "./options.ts";
import { createEntries } from "./sqlite-entries.ts";

/** A connection of `node:sqlite`. */
export type Database = InstanceType<ReturnType<typeof builtin<"node:sqlite">>["DatabaseSync"]>;

/** SQLite's name for a database that is not in a file. */
export const inMemory = ":memory:";

/** How long to wait for another process that is writing, and for how long at once, in milliseconds. */
const longestWait = 5_000;
const shortestPause = 10;
const longestPause = 100;

/** The results of SQLite that say so (SQLITE_BUSY and SQLITE_LOCKED): the last byte of what an error carries. */
const busyCode = 5;
const lockedCodes: ReadonlySet<number> = new Set([busyCode, 6]);

/** The databases that are open, and how many sessions use each. */
const open = new Map<string, { readonly database: Database; isFull: boolean; users: number }>();

/** Does `work`, again and again while another process writes: SQLite itself would wait with the whole process standing still. */
export async function whenUnlocked<T>(work: () => T): Promise<T> {
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

/**
 * Opens a database, or takes the connection that is open. Its file is created for its owner alone.
 * @param path - An absolute path, or `inMemory`.
 */
export function openDatabase(path: string, synchronous: Synchronous): Database {
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
    database.exec(createEntries);
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

/** Closes the connection of a database once all that opened it have released it. */
export function releaseDatabase(path: string): void {
  const shared = open.get(path);
  if (!shared || --shared.users > 0) return;
  open.delete(path);
  shared.database.close();
}

/** Does all of it or nothing, while no other process writes. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back itself and refuses to do so again.
    ignoreFailure(() => database.exec("ROLLBACK"));
    throw error;
  }
}

/**
 * Moves what the log (`-wal`) has into the database and cuts it off: it still has the texts that were deleted.
 * @throws an error for a database that is locked if another process reads the log.
 */
export function emptyLog(database: Database): void {
  if (database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] !== 1) return;
  throw new LogInUseError(
    "another process reads the database, whose -wal file still has what was deleted until the next deletion",
  );
}

class LogInUseError extends Error {
  readonly errcode = busyCode;
}
