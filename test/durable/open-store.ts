import { type DurableStore, sqliteStore } from "skein/durable";
import { postgresStore } from "skein/durable/postgres";

/** The store that a text names: the address of a PostgreSQL database, or the path of a SQLite file. */
export function openStore(name: string): DurableStore {
  return name.startsWith("postgres:") ? postgresStore(name) : sqliteStore(name);
}
