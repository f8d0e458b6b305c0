import type { AnyAgent } from "../../agent/agent.ts";
import { ConfigurationError } from "../../errors.ts";
import { usedTool } from "../../executor/policies/deprecated.ts";
import { requestId } from "../../message/nested-work.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { isWait } from "../../message/waits.ts";
import type { ToolOriginPath, ToolTable } from "../../tool/table.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { callingAgent } from "./agents-of-state.ts";
import { agentOfStep, agentSteps, runOfStep } from "./check-within.ts";

/** Lists all tools of an agent of a run. */
type LoadTools = (run: ActiveRun, agent: AnyAgent) => Promise<ToolTable>;

/** A call that waits, for its tool. */
type WaitingCall = Pick<PendingCall, "toolCallId" | "toolName" | "approvalId">;

/**
 * Makes sure that the calls which wait for a decision or a result have their tools, those within calls and of agents within the run
 * too: a program without them must leave the run to one that has them.
 * @param answered - The calls that need none, by the ids of approvals or, for a result, their own.
 * @throws ConfigurationError (`tool-missing`)
 */
export async function assertToolsOfWaiting(
  run: ActiveRun,
  loadTools: LoadTools,
  answered: ReadonlySet<string> = new Set<string>(),
): Promise<void> {
  const isOpen = (call: WaitingCall): boolean => !answered.has(requestId(call));
  const own = ownCalls(run).filter(isOpen);
  const waiting = [...own, ...callsOfTools(run).filter(isOpen)];
  if (waiting.length === 0) return;
  const agent = callingAgent(run);
  // What was called without a toolset is the agent's own: a set has it by another name now.
  for (const { toolName } of waiting) run.toolNames.assume(agent.name, toolName);
  const toolTable = await loadTools(run, agent);
  for (const call of waiting)
    assertTool(call, agent, toolTable, run.toolNames.originOf(agent.name, call.toolName));
  for (const call of own) if (call.approvalId !== undefined) assertExecuted(call, toolTable);
  const check = {
    originals: new Map(run.conversation.pending.map((call) => [call.toolCallId, call])),
    roots: run.config.roots,
    loadTools: async () => toolTable,
  };
  for (const { work, step } of agentSteps(run)) {
    const within = await agentOfStep(run, work, step, check);
    if (!within) continue;
    const inner = runOfStep(run, within, { state: step.state, approvals: [], results: [] });
    inner.conversation.continueWork(step.state.nested ?? []);
    try {
      await assertToolsOfWaiting(inner, loadTools, answered);
    } finally {
      inner.config.scope.dispose();
    }
  }
}

/** The model's own calls that wait. */
function ownCalls({ conversation: { pending, nested }, config }: ActiveRun): readonly WaitingCall[] {
  const approvals = new Map(config.resumed?.approvals?.map((each) => [each.toolCallId, each]));
  const suspended = new Map(nested.map((work) => [work.toolCallId, work]));
  return pending.flatMap(({ toolCallId, toolName, input }) => {
    const approval = approvals.get(toolCallId);
    const work = suspended.get(toolCallId);
    if (!approval && !work && input === undefined) return [];
    const approvalId = approval?.approvalId;
    return {
      toolCallId,
      // A middleware may have renamed the call.
      toolName: (approval ?? work)?.toolCall?.toolName ?? toolName,
      ...(approvalId !== undefined && { approvalId }),
    };
  });
}

/** Calls that wait within those of tools. */
function callsOfTools({ conversation: { nested } }: ActiveRun): readonly WaitingCall[] {
  return nested.flatMap(({ steps }) =>
    steps.flatMap((step) => ("waiting" in step && !isWait(step.waiting) ? step.waiting : [])),
  );
}

function assertTool(
  { toolCallId, toolName }: WaitingCall,
  agent: AnyAgent,
  toolTable: ToolTable,
  origin: ToolOriginPath = [],
): void {
  if (toolTable.has(toolName)) return;
  // Another tool of the name is none that the call is for.
  const [toolset] = origin;
  const where = toolset === undefined ? "" : `, from the toolset "${toolset}"`;
  throw new ConfigurationError(
    `The call "${toolCallId}" waits for the tool "${toolName}" of ${agent.name}${where}, which this program does not have. Its tools are ${toolTable.names.join(", ") || "none"}.`,
    { code: "tool-missing", data: { toolCallId, toolName, agent: agent.name } },
  );
}

/**
 * Makes sure that a call on which a person decides can be made: a tool without `execute` asks for no approval.
 * @throws ConfigurationError (`tool-missing`)
 */
export function assertExecuted({ toolCallId, toolName }: WaitingCall, toolTable: ToolTable): void {
  const tool = toolTable.get(toolName);
  if (!tool || usedTool(tool, toolTable).execute) return;
  throw new ConfigurationError(
    `The call "${toolCallId}" waits for an approval, and its tool "${toolName}" has no execute in this program, so that nothing can be made of a decision. Resume where it has one.`,
    { code: "tool-missing", data: { toolCallId, toolName } },
  );
}
