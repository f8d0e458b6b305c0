import type { EventGroup } from "./store.ts";
import type { EventProgress, RunData, StoredRun } from "./stored-run.ts";
import type { StoredEvent } from "./stored-event.ts";

/** A row of a database, as its driver returns it: of large numbers, some return texts. */
export type Row = Readonly<Record<string, unknown>>;

/** The run of a row of `skein_runs`. */
export function runOf(row: Row): StoredRun {
  const text = (name: string): string | undefined => {
    const value = row[name];
    return typeof value === "string" ? value : undefined;
  };
  const progress: EventProgress = JSON.parse(text("progress") ?? "{}");
  const data: RunData = JSON.parse(text("data") ?? "{}");
  const due = row["due"] ?? undefined;
  return {
    id: text("id") ?? "",
    log: text("log") ?? "",
    agent: text("agent") ?? "",
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only statuses are written
    status: text("status") as StoredRun["status"],
    priority: Number(row["priority"]),
    due: due === undefined ? undefined : Number(due),
    owner: text("owner"),
    build: text("build"),
    revision: Number(row["revision"]),
    attempts: Number(row["attempts"]),
    createdAt: Number(row["created"]),
    updatedAt: Number(row["updated"]),
    progress,
    data,
  };
}

/** The events of a row of `skein_events`. */
export function groupOf(row: Row): EventGroup {
  const events: readonly StoredEvent[] = JSON.parse(String(row["events"]));
  return { first: Number(row["first"]), last: Number(row["last"]), events };
}

/** What is left of a group if events from an index on are deleted; `undefined` if nothing is. */
export function groupBefore(group: EventGroup | undefined, from: number): EventGroup | undefined {
  const events = group?.events.filter(({ index }) => index < from) ?? [];
  const last = events.at(-1)?.index;
  return group && last !== undefined ? { first: group.first, last, events } : undefined;
}
