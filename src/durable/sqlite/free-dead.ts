import { isRunning, type ProcessMark } from "../../run/session/process-mark.ts";
import { prepared, type SqlDatabase } from "../../sessions/sql-database.ts";

/** Ends the leases of processes of this machine that do not run any more: nobody has to wait for their ends. */
export function freeRunsOfDead(database: SqlDatabase, now: number): void {
  const rows = prepared(
    database,
    "SELECT DISTINCT owner, process FROM skein_runs WHERE owner IS NOT NULL AND process IS NOT NULL",
  ).all();
  for (const { owner, process: text } of rows) {
    const mark: ProcessMark = JSON.parse(String(text));
    if (isRunning(mark) !== false) continue;
    prepared(database, "UPDATE skein_runs SET due = ? WHERE owner = ? AND due > ?").run(
      now,
      String(owner),
      now,
    );
  }
}
