import { existsSync } from "node:fs";
import { guarded } from "../../durable/guarded-store.ts";
import { postgresStore } from "../../durable/postgres/postgres-store.ts";
import { sqliteStore } from "../../durable/sqlite/sqlite-store.ts";
import type { DurableStore } from "../../durable/store.ts";
import { ConfigurationError } from "../../errors.ts";

/**
 * Opens a store of runs that is there: a SQLite file, or the address of a Postgres database.
 * @param remedy - How to name another one.
 * @throws ConfigurationError (`invalid-option`) for a file that does not exist.
 */
export function openStore(file: string, remedy: string): DurableStore {
  const isPostgres = /^postgres(?:ql)?:/.test(file);
  // It would be created, and have nothing.
  if (!isPostgres && !existsSync(file))
    throw new ConfigurationError(
      `The store "${file}" does not exist. Name the store of the runs: ${remedy}.`,
      {
        code: "invalid-option",
      },
    );
  return guarded(isPostgres ? postgresStore(file) : sqliteStore(file));
}
