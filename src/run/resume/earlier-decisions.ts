import { InvalidInputError } from "../../errors.ts";
import { isThrown } from "../../base/util/is-error.ts";
import type { ApprovalDecision, PendingCall } from "../../message/run-state.ts";
import type { ToolTable } from "../../tool/table.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { assertDecision, type DecidableCalls, toDecision } from "./decisions.ts";

/** What checks the arguments of earlier decisions. */
export interface EarlierChecks {
  readonly loadTools: () => Promise<ToolTable>;
  /** Has the agents within the run check a decision on a call of theirs. */
  readonly checkWithin: (decision: ApprovalDecision) => Promise<void>;
}

/**
 * What was decided before the run was resumed, by approval ids: its session has it, or its state. Arguments that a person wrote for a tool
 * which has changed since are left out: the call waits for another decision.
 * @throws InvalidInputError for an entry of the state that is not a decision.
 */
export async function earlierDecisions(
  run: ActiveRun,
  { ofTools, ofAgents }: DecidableCalls,
  checks: EarlierChecks,
): Promise<ReadonlyMap<string, ApprovalDecision>> {
  const stored = storedDecisions(run);
  const own = new Map(ofTools.map((call) => [call.approvalId, call]));
  const foreign = new Map(ofAgents.map((call) => [call.approvalId, call]));
  const fitting = new Map(stored);
  for (const [approvalId, decision] of stored) {
    const call = own.get(approvalId) ?? foreign.get(approvalId);
    if (!call || decision.decision === "deny" || (decision.arguments ?? undefined) === undefined) continue;
    try {
      if (foreign.has(approvalId)) await checks.checkWithin(decision);
      else await toDecision(run, checks.loadTools, decision, call);
    } catch (error) {
      if (!isThrown(error, InvalidInputError)) throw error;
      fitting.delete(approvalId);
      warnOfChange(run, call);
    }
  }
  return fitting;
}

function storedDecisions({ config: { record, resumed } }: ActiveRun): ReadonlyMap<string, ApprovalDecision> {
  if (record) return record.decisions;
  const { decisions = [] } = resumed ?? {};
  return new Map(decisions.map((each) => [assertDecision(each, "state.decisions").approvalId, each]));
}

function warnOfChange(run: ActiveRun, { toolName, toolCallId }: PendingCall): void {
  warn(
    run,
    `The decision "approve" on ${toolName} (call "${toolCallId}") has no effect: the tool has changed, and does not take the arguments that a person wrote. The call waits for another decision.`,
  );
}
