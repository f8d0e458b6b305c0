import type { ActiveRun } from "../state/active-run.ts";

/** Has a run go on from its session, take in results and decisions, and know its limits: what most runs do without. */
export async function openRun(run: ActiveRun): Promise<void> {
  const { session, results, approvals, stateSecret, maxTokens, maxCost } = run.options;
  if (session) await (await import("../session/session-record.ts")).openSession(run, session);
  if (results) (await import("./external-results.ts")).takeResults(run);
  const asked = [approvals, stateSecret, run.resumed?.approvals, run.resumed?.signature];
  if (asked.some((part) => part !== undefined)) await (await import("./open-state.ts")).openState(run);
  if (maxTokens !== undefined || maxCost !== undefined)
    run.budget = new (await import("../budget.ts")).Budget(run.options);
}
