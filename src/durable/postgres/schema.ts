import { endedStatuses } from "../stored-run.ts";

/** The statuses of runs that are done, as SQL lists them. */
export const ended: string = endedStatuses.map((status) => `'${status}'`).join(", ");

/** The clock of the database, in milliseconds since 1970: that of no other machine counts. */
export const now = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** What a program may wait for: the condition of an index, too. */
export const isWaiting = "(due IS NOT NULL OR status = 'stuck')";

/**
 * Creates the tables, if they are not there. Texts, not JSON types: those change the order of members, and refuse some characters.
 * The lock keeps two programs from doing so at once.
 */
export const createTables: string = `
  SELECT pg_advisory_xact_lock(hashtext('skein_runs'));
  CREATE TABLE IF NOT EXISTS skein_runs (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, log text NOT NULL,
    agent text NOT NULL, status text NOT NULL, priority integer NOT NULL, due bigint, owner text, build text,
    is_cancelled boolean NOT NULL DEFAULT false, revision bigint NOT NULL, attempts integer NOT NULL,
    created bigint NOT NULL, updated bigint NOT NULL, progress text NOT NULL, data text NOT NULL);
  CREATE INDEX IF NOT EXISTS skein_runs_next ON skein_runs (priority DESC, number) WHERE ${isWaiting};
  CREATE INDEX IF NOT EXISTS skein_runs_log ON skein_runs (log, number) WHERE status NOT IN (${ended});
  CREATE INDEX IF NOT EXISTS skein_runs_owner ON skein_runs (owner) WHERE owner IS NOT NULL;
  CREATE INDEX IF NOT EXISTS skein_runs_ended ON skein_runs (updated) WHERE status IN (${ended});
  CREATE TABLE IF NOT EXISTS skein_entries (
    session text NOT NULL, sequence bigint NOT NULL, writer text NOT NULL, entry text NOT NULL,
    PRIMARY KEY (session, sequence));
  CREATE TABLE IF NOT EXISTS skein_events (
    run text NOT NULL, first bigint NOT NULL, last bigint NOT NULL, events text NOT NULL, PRIMARY KEY (run, last));
`;
