/** A value of a parameter. */
export type SqlValue = string | number | null;

/** What statements need of a connection to a SQLite database: that of `node:sqlite`, or the storage of a Durable Object. */
export interface SqlDatabase {
  /** Executes statements without parameters. */
  exec(text: string): unknown;
  prepare(text: string): SqlStatement;
}

/** A statement: its parameters are values in order, or an object that names all of them. */
export interface SqlStatement {
  run(...values: SqlValue[]): unknown;
  run(named: Record<string, SqlValue>): unknown;
  get(...values: SqlValue[]): SqlRow | undefined;
  get(named: Record<string, SqlValue>): SqlRow | undefined;
  all(...values: SqlValue[]): SqlRow[];
  all(named: Record<string, SqlValue>): SqlRow[];
}

/** A row, by the names of its columns. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** The statements of each connection: to prepare one takes longer than to execute most of them. */
const statements = new WeakMap<SqlDatabase, Map<string, SqlStatement>>();

/** A statement, prepared once for each connection. */
export function prepared(database: SqlDatabase, text: string): SqlStatement {
  const cached = statements.get(database) ?? new Map<string, SqlStatement>();
  statements.set(database, cached);
  const statement = cached.get(text) ?? database.prepare(text);
  cached.set(text, statement);
  return statement;
}
