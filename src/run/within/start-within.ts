import type { Agent } from "../../agent/agent.ts";
import { mergeOwn } from "../../base/util/snapshot.ts";
import type { AgentRequest } from "../../executor/types.ts";
import { changeOf } from "../../message/cleared.ts";
import { idWithin, takenByAgent } from "../../message/nested-work.ts";
import type { ApprovalDecision, NestedStep, RunState } from "../../message/run-state.ts";
import { runIdWithin } from "../../message/step-key.ts";
import { startRun } from "../start.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { chosenModel } from "../turn/chosen-model.ts";
import type { ExternalResult, RunOptions } from "../types.ts";
import { agentListener } from "./agent-events.ts";

/** A step of a call that is an agent which has paused. */
export type AgentStep = Extract<NestedStep, { readonly state: unknown }>;

/** An agent that goes on, with what was decided on its calls, and their results from elsewhere. */
export interface Continuation {
  readonly state: RunState;
  readonly approvals: readonly ApprovalDecision[];
  readonly results: readonly ExternalResult[];
}

/**
 * What there is of an agent from before its run paused, with those of the decisions and results that are for its calls.
 * @param stored - What the session has of steps: results that the agent has taken are there.
 */
export function continuationOf(
  { step, state }: AgentStep,
  approvals: readonly ApprovalDecision[] = [],
  results: readonly ExternalResult[] = [],
  stored?: ReadonlyMap<string, unknown>,
): Continuation {
  const used = takenByAgent({ step, state }, stored);
  const ids = new Set(state.pending.map(({ approvalId }) => approvalId));
  const calls = new Map(state.pending.map((call) => [idWithin(step, call), call]));
  const passed = results.flatMap((result) => {
    const call = calls.get(result.toolCallId);
    return call?.approvalId === undefined && call ? [{ ...result, toolCallId: call.toolCallId }] : [];
  });
  return {
    state,
    approvals: approvals.filter(({ approvalId }) => ids.has(approvalId)),
    results: [
      ...passed.filter(({ toolCallId }) => !used.includes(toolCallId)),
      // What is stored takes the place of the content.
      ...used.map((toolCallId) => ({ toolCallId, content: "" })),
    ],
  };
}

/** Whether something that an agent waits for is there. */
export function hasAnswers({ approvals, results }: Continuation): boolean {
  return approvals.length + results.length > 0;
}

/** Whether an agent has something to go on with. One whose run failed does not wait. */
export function canContinue(continued: Continuation): boolean {
  return continued.state.status !== "paused" || hasAnswers(continued);
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

function withContext({ cleared, ...state }: RunState, outer: unknown): RunState {
  const changed = changeOf({ context: Object(state.context), ...(cleared && { cleared }) });
  const isUnchanged = Object.keys(Object(changed)).length === 0;
  return { ...state, context: isUnchanged ? outer : mergeOwn([outer, changed]) };
}

function optionsWithin(
  outer: ActiveRun,
  { signal, options }: AgentRequest,
  continued: Continuation | undefined,
): RunOptions {
  const { model, maxTurns, maxCorrections, maxRepeats, concurrency, compaction, stateSecret } =
    outer.config.options;
  const { events: _events, detached: _detached, ...limits } = options;
  return {
    ...(continued
      ? {
          approvals: continued.approvals,
          ...(continued.results.length > 0 && { results: continued.results }),
        }
      : { context: outer.context }),
    signal,
    ...(model !== undefined && { model }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxCorrections !== undefined && { maxCorrections }),
    ...(maxRepeats !== undefined && { maxRepeats }),
    ...(concurrency !== undefined && { concurrency }),
    ...(compaction && { compaction }),
    ...(stateSecret !== undefined && { stateSecret }),
    ...limits,
  };
}
