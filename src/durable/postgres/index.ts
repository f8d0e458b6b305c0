export { postgresStore } from "./postgres-store.ts";
export type { PgClient, PgPool, PgResult } from "./pool.ts";
