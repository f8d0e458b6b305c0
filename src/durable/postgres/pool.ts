import type * as pg from "pg";
import { missingPackage } from "../../base/options/missing-package.ts";
import type { Row } from "../row.ts";

/** What is used of a client of the package `pg`. */
export interface PgClient {
  /** Executes a statement. */
  query(text: string, values?: readonly unknown[]): Promise<PgResult>;
  /** Gives it back to its pool; with an error, its connection is closed. */
  release(error?: Error | boolean): void;
  /** Listens for what other programs report. */
  on(event: "notification", listener: (message: { readonly payload?: string | undefined }) => void): unknown;
  /** Listens for the end of the connection. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What is used of a result. */
export interface PgResult {
  readonly rows: readonly Row[];
  readonly rowCount: number | null;
}

/** What is used of a pool of the package `pg`: `new Pool({ connectionString })`. */
export interface PgPool {
  /** Executes a statement with a client that is free. */
  query(text: string, values?: readonly unknown[]): Promise<PgResult>;
  /** Gives out a client. */
  connect(): Promise<PgClient>;
  /** Closes all connections. */
  end(): Promise<void>;
  /** Listens for the end of a connection that nothing uses. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Listens for new connections. */
  on(event: "connect", listener: (client: PgClient) => void): unknown;
}

/** @throws ConfigurationError (`missing-package`) */
export async function openPool(connectionString: string): Promise<PgPool> {
  const { Pool } = (await loadDriver()).default;
  const pool: PgPool = new Pool({ connectionString, max: 20, application_name: "skein" });
  return pool;
}

/** Has a pool survive connections that break, at any moment: the next query has another one. */
export function surviveBreaks(pool: PgPool): void {
  // A program's own pool is opened again after each close.
  if (survivors.has(pool)) return;
  survivors.add(pool);
  pool.on("error", () => {});
  // Before anything has the connection: the error may come with the answer that opens it.
  pool.on("connect", surviveErrors);
}

async function loadDriver(): Promise<typeof pg> {
  // A name that bundlers cannot follow: pg is CommonJS, and cannot be executed within the bundle of an ES module.
  const name = "pg";
  return await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch((cause: unknown) => {
    throw missingPackage("postgresStore() needs", name, cause);
  });
}

const survivors = new WeakSet<PgPool>();

const watched = new WeakSet<PgClient>();

/** A connection that breaks between two queries, or after its pool has given it up, reports that as an event: it would end the process. */
function surviveErrors(client: PgClient): void {
  if (watched.has(client)) return;
  watched.add(client);
  client.on("error", () => {});
}

/** Does something in a transaction: all of it or nothing. */
export async function inTransaction<T>(pool: PgPool, work: (client: PgClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  surviveErrors(client);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((broken: Error) => {
      failure = broken;
    });
    throw error;
  } finally {
    client.release(failure);
  }
}
