import type { Session } from "../run/session/session.ts";
import { absolutePath } from "../base/util/absolute-path.ts";
import { Semaphore } from "../base/util/semaphore.ts";
import { assertText } from "./assert-text.ts";
import { assertStoredOptions, type StoredSessionOptions } from "./options.ts";
import {
  type Database,
  emptyLog,
  inMemory,
  inTransaction,
  openDatabase,
  releaseDatabase,
  whenUnlocked,
} from "./sqlite-database.ts";
import { append, insert, lastNumber, readAll } from "./sqlite-entries.ts";

/** A session in a database. */
export interface SqliteSession extends Session {
  /** Closes the database, once all sessions in it that were used are closed. Using this one again opens it again. */
  close(): void;
}

const example = 'sqliteSession("chats.db", "chat-1")';

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
    id,
    load: () => inTurn((database) => ({ entries: readAll(database, id) })),
    append: (entries) => inTurn((database) => inTransaction(database, () => append(database, id, entries))),
    clear: () =>
      turns.run(async () => {
        await whenUnlocked(() => inTransaction(opened(), () => clear(opened(), id)));
        await whenUnlocked(() => emptyLog(opened()));
      }),
    close: () => {
      if (database) releaseDatabase(file);
      database = undefined;
    },
  };
}

function clear(database: Database, id: string): void {
  const sequence = lastNumber(database, id) + 1;
  database.prepare("DELETE FROM skein_entries WHERE session = ?").run(id);
  insert(database, id, { type: "clear", sequence, writer: crypto.randomUUID() });
}
