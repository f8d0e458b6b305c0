import { Budget } from "../budget.ts";
import { loadDecisions, loadSessions } from "../features.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { RunWithin } from "../state/run-config.ts";
import { callingAgent, toolsForTurn } from "../turn/tools-for-turn.ts";
import { takeResults } from "./external-results.ts";

/** Completes the configuration of a run: from its session, with results and decisions from elsewhere, and with its limits. */
export async function openRun(run: ActiveRun, runWithin: RunWithin): Promise<void> {
  const { session, results, approvals, stateSecret, maxTokens, maxCost } = run.config.options;
  run.configure({ runWithin });
  if (session) await (await loadSessions()).openSession(run, session);
  if (results) takeResults(run, results);
  const { resumed } = run.config;
  const decisive = [approvals, stateSecret, resumed?.approvals, resumed?.signature];
  if (decisive.some((part) => part !== undefined)) {
    const { openState } = await loadDecisions();
    await openState(run, async () => toolsForTurn(run, callingAgent(run)));
  }
  if (maxTokens !== undefined || maxCost !== undefined)
    run.configure({ budget: new Budget(run.config.options) });
  run.markOpen();
}
