import { ConfigurationError } from "../errors.ts";

/** @throws ConfigurationError (`usage`) for a store of runs that is neither the path of a SQLite file nor the address of a Postgres database. */
export function assertStoreName(name: string): void {
  if (name === "" || name === ":memory:")
    throw usage(
      `--store ${JSON.stringify(name)} keeps nothing. Leave out --store, which has runs in memory, or name a file: --store runs.db.`,
    );
  // Drives of Windows have one letter.
  const [, scheme, rest = ""] = /^([a-z][a-z\d+.-]+):(.*)$/is.exec(name) ?? [];
  if (scheme === undefined || /^postgres(?:ql)?$/.test(scheme)) return;
  if (/^(file|sqlite3?)$/i.test(scheme))
    throw usage(`--store must be the path of a file, without "${scheme}:". Write --store ${pathIn(rest)}.`);
  // An address may have a password.
  throw usage(
    `--store cannot be an address of the kind "${scheme}:". Write the path of a SQLite file, such as --store runs.db, or the address of a Postgres database: --store postgres://user@host/database.`,
  );
}

function pathIn(rest: string): string {
  const path = rest.replace(/^\/\/(?=\/|[^/])/, "").replace(/[?#].*$/s, "");
  return path === "" || path === ":memory:" ? "runs.db" : path;
}

function usage(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "usage" });
}
