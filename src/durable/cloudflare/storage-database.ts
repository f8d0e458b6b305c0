import type { SqlDatabase, SqlRow, SqlStatement, SqlValue } from "../../sessions/sql-database.ts";
import type { DurableObjectStorage } from "./durable-object.ts";

/** The storage of a Durable Object as a connection: it takes values in order alone. */
export function storageDatabase({ sql }: DurableObjectStorage): SqlDatabase {
  return {
    exec: (text) => sql.exec(text),
    prepare: (text) => statementOf(sql, text),
  };
}

function statementOf(sql: DurableObjectStorage["sql"], text: string): SqlStatement {
  // SQLite numbers names by their first occurrence.
  const names = [...new Set([...text.matchAll(/:([a-z]\w*)/gi)].flatMap(([, name]) => name ?? []))];
  const execute = (values: readonly (SqlValue | Record<string, SqlValue>)[]): SqlRow[] => {
    const [first] = values;
    const named = typeof first === "object" && first !== null ? first : undefined;
    const bindings = named
      ? names.map((name) => named[name] ?? null)
      : values.filter((value) => typeof value !== "object" || value === null);
    return sql.exec(text, ...bindings).toArray();
  };
  return {
    run: (...values: (SqlValue | Record<string, SqlValue>)[]) => execute(values),
    get: (...values: (SqlValue | Record<string, SqlValue>)[]) => execute(values)[0],
    all: (...values: (SqlValue | Record<string, SqlValue>)[]) => execute(values),
  };
}
