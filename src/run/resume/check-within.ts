import type { AnyAgent } from "../../agent/agent.ts";
import { asAgent, findAgent } from "../../agent/handoff.ts";
import { InvalidInputError } from "../../errors.ts";
import type { ApprovalDecision, NestedWork, PendingCall } from "../../message/run-state.ts";
import { calleeOfStep, idOfStep, isOfToolAgent, type StepKey } from "../../message/step-key.ts";
import type { ToolCall } from "../../message/messages.ts";
import { callerOf } from "../../message/unanswered-calls.ts";
import { usedTool } from "../../executor/policies/deprecated.ts";
import { type AgentLike, toolAgentOf } from "../../tool/agent-like.ts";
import type { ToolTable } from "../../tool/table.ts";
import type { Tool } from "../../tool/types.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { beginOf } from "../state/earlier-steps.ts";
import {
  type AgentStep,
  hasAnswers,
  type Continuation,
  continuationOf,
  startWithin,
} from "../within/start-within.ts";

/** What the check of decisions on the calls of agents within a run needs. */
export interface CheckWithin {
  /** The run's own open calls, as the model made them. */
  readonly originals: ReadonlyMap<string, ToolCall>;
  readonly approvals: readonly ApprovalDecision[];
  /** Whether they were made before, when they fitted: an agent that is not found refuses nothing then. */
  readonly isEarlier?: true;
  /** Agents that tools may run by their own code: those that `run` got. */
  readonly roots: readonly AnyAgent[];
  /** Loads the tools of the agent that made a run's open calls. */
  readonly loadTools: (run: ActiveRun) => Promise<ToolTable>;
  /** Opens a run, which checks what was decided on its own calls. */
  readonly open: (run: ActiveRun, loadTools: CheckWithin["loadTools"]) => Promise<void>;
}

/**
 * Opens the runs within a run that are to go on, at any depth, and executes nothing: a decision that one of them refuses is refused
 * before another one is carried out.
 * @throws InvalidInputError for a decision that cannot be carried out, and for arguments that nobody can check.
 */
export async function checkWithin(run: ActiveRun, check: CheckWithin): Promise<void> {
  for (const { work, step } of agentSteps(run)) {
    const continued = continuationOf(step, check.approvals, run.config.options.results);
    if (!hasAnswers(continued)) continue;
    const agent = await agentOfStep(run, work, step, check);
    if (agent) await checkAgent(run, agent, continued, check);
    else if (!check.isEarlier) assertUnedited(step, continued);
  }
}

/** The agents within a run that have paused. */
export function agentSteps({ conversation }: ActiveRun): readonly { work: NestedWork; step: AgentStep }[] {
  return conversation.nested.flatMap((work) =>
    work.steps.flatMap((step) => ("state" in step ? [{ work, step }] : [])),
  );
}

/** The agent that will go on: that of a tool for certain, or one of that name, which a tool's own code may run. */
export async function agentOfStep(
  run: ActiveRun,
  { toolCallId, toolCall }: NestedWork,
  { step, state }: AgentStep,
  { originals, loadTools, roots }: Pick<CheckWithin, "originals" | "loadTools" | "roots">,
): Promise<AnyAgent | undefined> {
  const name = calleeOfStep(step);
  const table = await loadTools(run);
  const called = table.get((toolCall ?? originals.get(toolCallId))?.toolName ?? "");
  const own = isOfToolAgent(step)
    ? agentOfTool(toolAround(step, toolCallId, called, table), table)
    : undefined;
  if (own) return asAgent(own);
  for (const tool of called ? [called, ...table.tools] : table.tools) {
    const agent = toolAgentOf(tool);
    if (agent && agent.name === name) return asAgent(agent);
  }
  const agents = [...run.config.roots, ...roots];
  // What cannot have led to where the state is, is another agent of that name.
  const names = [state.agent, callerOf(state.messages) ?? state.agent];
  const canLead = (from: readonly AnyAgent[]): boolean =>
    names.every((each) => findAgent(each, from) !== undefined);
  // A tool that a middleware renames is not found by its call.
  const agent =
    name === undefined
      ? (agentsOfTools(table).find((each) => canLead([each])) ?? findAgent(beginOf(state).agent, agents))
      : findAgent(name, agents);
  return agent && canLead([agent, ...agents]) ? agent : undefined;
}

function agentsOfTools({ tools }: ToolTable): readonly AnyAgent[] {
  return tools.flatMap((tool) => {
    const agent = toolAgentOf(tool);
    return agent ? [asAgent(agent)] : [];
  });
}

/** The tool whose call runs the agent of a step: that of the run's own call, or of one within it. */
function toolAround(
  step: string,
  toolCallId: string,
  called: Tool | undefined,
  table: ToolTable,
): Tool | undefined {
  const around = step.slice(0, step.lastIndexOf("/run/"));
  if (idOfStep(around) === toolCallId) return called;
  return table.get(calleeOfStep(around)?.split("/").at(-1) ?? "");
}

/** The agent that is run where a tool is called. */
function agentOfTool(tool: Tool | undefined, table: ToolTable): AgentLike | undefined {
  return tool && toolAgentOf(usedTool(tool, table));
}

async function checkAgent(
  outer: ActiveRun,
  agent: AnyAgent,
  continued: Continuation,
  check: CheckWithin,
): Promise<void> {
  const run = runOfStep(outer, agent, continued);
  try {
    const originals = new Map(run.conversation.pending.map((call) => [call.toolCallId, call]));
    await check.open(run, check.loadTools);
    await checkWithin(run, { ...check, originals });
  } finally {
    run.config.scope.dispose();
  }
}

/** The run of an agent within a run as it would go on, for checks alone. Its scope is to be disposed of. */
export function runOfStep(outer: ActiveRun, agent: AnyAgent, continued: Continuation): ActiveRun {
  const { runId, scope } = outer.config;
  const step: StepKey = { runId, turn: outer.meters.turn, kind: "run", id: agent.name };
  const request = { agent, input: "", options: { events: false }, step, signal: scope.signal };
  return startWithin(outer, asAgent(agent), request, continued);
}

/** @throws InvalidInputError for arguments that a person wrote, and that no tool can be found for. */
function assertUnedited({ step, state }: AgentStep, { approvals }: Continuation): void {
  const edited = approvals.find(
    ({ decision, arguments: text }) => decision === "approve" && text !== undefined,
  );
  if (!edited) return;
  const call: PendingCall | undefined = state.pending.find(
    ({ approvalId }) => approvalId === edited.approvalId,
  );
  throw new InvalidInputError(
    `The arguments that options.approvals gives to ${call?.toolName} cannot be checked before the agent ${calleeOfStep(step) ?? state.agent} is run, which only a tool's code can do. Pass that agent in options.agents.`,
    { approvalId: edited.approvalId },
  );
}
