import { sleepsUntil } from "../message/waits.ts";
import { sessionOf } from "./log-session.ts";
import { tokensOf, usageOf } from "./run-usage.ts";
import type { StoredRun } from "./stored-run.ts";
import type { DurableResult, RunInfo } from "./types.ts";

/** What a program sees of a run. */
export function infoOf(run: StoredRun): RunInfo {
  const { id, agent, status, log, priority, createdAt, updatedAt, attempts, data } = run;
  const session = sessionOf(log);
  const used = usageOf(run.progress);
  return {
    id,
    agent,
    status,
    ...(session !== undefined && { session }),
    priority,
    ...(data.request.metadata && { metadata: data.request.metadata }),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    ...(data.parent !== undefined && { parent: data.parent }),
    ...timeOf(run),
    attempts,
    turns: used.turns,
    usage: tokensOf(used),
    modelCalls: used.modelCalls,
    ...(data.cancel?.reason !== undefined && { cancelReason: data.cancel.reason }),
    ...(data.missing !== undefined && { missing: data.missing }),
    ...(data.error && { error: data.error }),
  };
}

/** When a run begins, or goes on after a sleep. */
function timeOf({ status, due = 0, updatedAt, data }: StoredRun): { readonly at?: Date } {
  if (status !== "queued" || due <= updatedAt) return {};
  const { pending = [] } = data.report ?? {};
  const sleeps = pending.flatMap((call) => sleepsUntil(call) ?? []);
  if (sleeps.length > 0) return { at: new Date(Math.min(...sleeps)) };
  // It waits for other runs, whatever time it looks again at.
  return pending.length > 0 ? {} : { at: new Date(due) };
}

/** What a run came to, as a program sees it. */
export function resultOf(run: StoredRun): DurableResult {
  const { report, error } = run.data;
  return {
    ...infoOf(run),
    // The report may be that of an earlier pause.
    ...(report && !error && { ended: report.status }),
    text: report?.text ?? "",
    ...(report?.output !== undefined && { output: report.output }),
    pending: run.status === "paused" ? (report?.pending ?? []) : [],
    warnings: report?.warnings ?? [],
  };
}
