import type { Agent } from "../../agent/agent.ts";
import { mergeOwn } from "../../base/util/snapshot.ts";
import type { AgentRequest } from "../../executor/types.ts";
import type { ApprovalDecision, RunState } from "../../message/run-state.ts";
import { runIdWithin } from "../../message/step-key.ts";
import { startRun } from "../start.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { chosenModel } from "../turn/chosen-model.ts";
import type { RunOptions } from "../types.ts";
import { agentListener } from "./agent-events.ts";

/** An agent that goes on, and what was decided on its calls. */
export interface Continuation {
  readonly state: RunState;
  readonly approvals: readonly ApprovalDecision[];
}

/** What there is of an agent from before its run paused, with those of the decisions that are on its calls. */
export function continuationOf(state: RunState, approvals: readonly ApprovalDecision[] = []): Continuation {
  const ids = new Set(state.pending.map(({ approvalId }) => approvalId));
  return { state, approvals: approvals.filter(({ approvalId }) => ids.has(approvalId)) };
}

/**
 * Starts the run of an agent within another, or continues it.
 * @throws InvalidInputError, AgentNotFoundError, ConfigurationError
 */
export function startWithin(
  outer: ActiveRun,
  agent: Agent,
  request: AgentRequest,
  continued: Continuation | undefined,
): ActiveRun {
  const { step } = request;
  const input = continued ? withContext(continued.state, outer.context) : request.input;
  return startRun(agent, input, optionsWithin(outer, request, continued), {
    listener: agentListener(outer, request),
    runId: runIdWithin(step),
    middlewares: outer.config.middlewares,
    parent: step,
    callersModel: outer.model ?? chosenModel(outer),
    depth: outer.config.depth + 1,
    outer,
  });
}

function withContext(state: RunState, outer: unknown): RunState {
  const isUnchanged = Object.keys(Object(state.context)).length === 0;
  return { ...state, context: isUnchanged ? outer : mergeOwn([outer, state.context]) };
}

function optionsWithin(
  outer: ActiveRun,
  { signal, options }: AgentRequest,
  continued: Continuation | undefined,
): RunOptions {
  const { model, maxTurns, maxCorrections, concurrency, compaction, stateSecret } = outer.config.options;
  const { events: _events, ...limits } = options;
  return {
    ...(continued ? { approvals: continued.approvals } : { context: outer.context }),
    signal,
    ...(model !== undefined && { model }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxCorrections !== undefined && { maxCorrections }),
    ...(concurrency !== undefined && { concurrency }),
    ...(compaction && { compaction }),
    ...(stateSecret !== undefined && { stateSecret }),
    ...limits,
  };
}
