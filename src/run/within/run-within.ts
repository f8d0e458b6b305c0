import type { Agent } from "../../agent/agent.ts";
import { asAgent } from "../../agent/handoff.ts";
import { AgentNotFoundError, GuardError, SkeinError } from "../../errors.ts";
import type { AgentRequest, PausedAgent, WorkWithin } from "../../executor/types.ts";
import type { RunState } from "../../message/run-state.ts";
import { callsOf, callsWithin, decidableCalls, requestId, takenResults } from "../../message/nested-work.ts";
import { clearedIn } from "../../message/cleared.ts";
import { printStep, type StepKey } from "../../message/step-key.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { warn } from "../events/emit.ts";
import { requestsOf } from "../resume/requests-of.ts";
import type { AgentRun, RunResult } from "../result-types.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { outermost } from "../state/may-have-begun.ts";
import { noteFailure } from "../state/step-failures.ts";
import { stateOf } from "../state/report.ts";
import { storedChanges, storedContext } from "../state/stored-context.ts";
import type { AroundSteps } from "../steps/around-steps.ts";
import { CallWork } from "./call-work.ts";
import { changesOf } from "./context-changes.ts";
import { isFailureWithin } from "./leave-open.ts";
import { settleStoredNames } from "../session/stored-names.ts";
import { canContinue, type Continuation, continuationOf, startWithin } from "./start-within.ts";

export { assertOwnName } from "../../agent/own-name.ts";
export { leaveOpen } from "./leave-open.ts";

/** Notes what the tool of a call of this run does by other tools and agents. */
export function startWork(run: ActiveRun, key: StepKey): WorkWithin {
  return new CallWork(run, key);
}

/** How deep agents may call each other as tools within one run. */
const deepestRun = 8;

/** Drives a run to its end. */
type Drive = (run: ActiveRun) => Promise<RunResult>;

/** Passes an agent that waits by what remembers steps: only what a step returns is kept. */
class Waiting extends Error {}

/**
 * Runs an agent for a tool of a run. Its default model, and limits that it does not set itself, are those of the run. What there is of
 * it from before the run paused is continued.
 * @param drive - Drives the agent's run to its end.
 * @param steps - Present where something remembers steps: an agent that has its answer is not run again.
 */
export async function runAgent(
  outer: ActiveRun,
  request: AgentRequest,
  drive: Drive,
  steps: AroundSteps | undefined,
): Promise<string | PausedAgent> {
  if (request.unclear) throw notRun(outer, request, request.unclear);
  const earlier = outer.config.decided?.steps.get(printStep(request.step));
  if (earlier && "value" in earlier && typeof earlier.value === "string") return earlier.value;
  if (earlier && "error" in earlier) throw new Error(earlier.error);
  const stored = outermost(outer.config).record?.steps;
  const continued =
    earlier && "state" in earlier
      ? continuationOf(earlier, outer.config.decided?.approvals, outer.config.options.results, stored)
      : undefined;
  const results = earlier ? takenResults([earlier], stored) : [];
  if (continued && results.length === 0 && !canContinue(continued))
    return { state: continued.state, requests: requestsOf(callsOf(continued.state)) };
  // Its own run warns of those that it does not come to.
  if (earlier && continued)
    for (const call of callsWithin({ toolCallId: "", steps: [earlier] }))
      outer.config.decided?.use.add(requestId(call));
  let answer: string | undefined;
  let waiting: PausedAgent | undefined;
  const perform = async (): Promise<string> => {
    const ended = await runWithin(outer, request, drive, continued);
    if (typeof ended === "string") return (answer = ended);
    waiting = ended;
    throw new Waiting("The agent waits for a decision.");
  };
  try {
    return await (steps ? steps.rememberText(outer, request.step, perform) : perform());
  } catch (error) {
    if (waiting) return waiting;
    // That its answer cannot be stored fails the run around it.
    if (answer !== undefined && failureOf(outer, request.step)) return answer;
    throw error;
  }
}

/** Fails the run, since it is not certain whether an agent has begun in another build: what that has done is kept for one that knows. */
function notRun(
  { config: { stepFailures } }: ActiveRun,
  { agent: { name }, step }: AgentRequest,
  earlier: readonly string[],
): AgentNotFoundError {
  const toolCallId = step.parent?.id ?? "";
  const error = new AgentNotFoundError(
    `The call "${toolCallId}" is to run the agent "${name}", and another version of its tool has begun ${earlier.join(", ")} in it: whether that is the same agent with the same input is not certain. Resume with a tool that runs its agent as it did.`,
    { agent: name, toolCallId },
  );
  noteFailure(stepFailures, step, error);
  return error;
}

/** Performs a step of a tool, unless it was performed before: then it returns what that returned. */
export async function rememberText(
  run: ActiveRun,
  key: StepKey,
  perform: () => Promise<string>,
  steps: AroundSteps | undefined,
): Promise<string> {
  const earlier = run.config.decided?.steps.get(printStep(key));
  if (earlier && "value" in earlier && typeof earlier.value === "string") return earlier.value;
  if (earlier && "error" in earlier) throw new Error(earlier.error);
  return steps ? steps.rememberText(run, key, perform) : perform();
}

/** Why something that remembers steps could not store one, or one within it. */
function failureOf({ config: { stepFailures } }: ActiveRun, step: StepKey): Error | undefined {
  return stepFailures.get(printStep(step));
}

async function runWithin(
  outer: ActiveRun,
  request: AgentRequest,
  drive: Drive,
  continued: Continuation | undefined,
): Promise<string | PausedAgent> {
  const { step } = request;
  const agent = asAgent(request.agent);
  if (outer.config.depth >= deepestRun)
    throw new Error(`${agent.name} was not run: agents have called each other ${deepestRun} deep.`);
  let run: ActiveRun | undefined;
  let result: RunResult | undefined;
  try {
    run = startWithin(outer, agent, request, continued);
    settleStoredNames(run, outermost(outer.config).record?.steps ?? []);
    result = await drive(run);
    if (result.status === "completed") return result.text;
    if (result.status === "paused") return pausedAgent(outer, run, result.state);
    if (result.status === "blocked") outer.block(result.blocked);
    throw new Error(describeEnd(request, result, run.config.limits.isOwnReached));
  } catch (error) {
    if (error instanceof GuardError) {
      outer.guardError ??= error;
      noteFailure(outer.config.stepFailures, step, error);
    }
    const failed = await failedAgent(outer, run, step, continued, error);
    if (failed) return failed;
    // The run goes on with what its model reads of it: a missing key would only be known to that model.
    if (!result && !request.signal.aborted) warn(outer, `${agent.name} failed: ${errorMessage(error)}`);
    throw error;
  } finally {
    if (run) {
      // A mistake in a tool of the agent is in the same program; the event for it was emitted already.
      for (const warning of run.warnings) outer.addWarning(`${agent.name}: ${warning}`);
      outer.addAgentRun(agentRunOf(run, agent, step));
    }
  }
}

function pausedAgent(outer: ActiveRun, { requests, config }: ActiveRun, state: RunState): PausedAgent {
  const changed = changesOf(state.context, outer.context);
  const context = storedContext(outer, changed) ?? {};
  // The budget of the run around it counts by itself.
  const modelCalls = config.budget === outer.config.budget ? undefined : config.budget?.calls;
  const changes = state.changes && { changes: storedChanges(outer, state.changes) };
  return {
    state: { ...state, context, ...clearedIn(changed), ...changes, ...(modelCalls && { modelCalls }) },
    requests,
  };
}

/**
 * An agent whose run failed for what neither the tool nor the model can do anything about: a step that could not be stored, a guard
 * that failed, or the mistake of the program in a decision, or in a state; or before it came to what a person has decided. What it has
 * done is kept.
 */
async function failedAgent(
  outer: ActiveRun,
  run: ActiveRun | undefined,
  step: StepKey,
  continued: Continuation | undefined,
  error: unknown,
): Promise<PausedAgent | undefined> {
  const stepFailure = failureOf(outer, step);
  const failure = stepFailure ?? (continued && error instanceof SkeinError ? error : undefined);
  if (!failure) return undefined;
  if (!run?.isOpen) return continued && { state: continued.state, requests: [], failure };
  if (!stepFailure && !isFailureWithin(error) && !isUndone(run)) return undefined;
  return { ...pausedAgent(outer, run, await stateOf(run)), failure };
}

/** Whether a run has not come to what was decided on one of its calls. */
function isUndone({ config, conversation: { pending, nested } }: ActiveRun): boolean {
  const decided = new Set(config.decided?.approvals.map(({ approvalId }) => approvalId));
  return decidableCalls(pending, nested).some(({ approvalId = "" }) => decided.has(approvalId));
}

function agentRunOf(run: ActiveRun, { name }: Agent, step: StepKey): AgentRun {
  const { config, conversation, meters, agentRuns, outcome } = run;
  return {
    agent: name,
    parentToolCallId: step.parent?.id ?? "",
    runId: config.runId,
    status: outcome?.status ?? "failed",
    messages: conversation.added,
    usage: meters.usage,
    turns: meters.turns,
    agentRuns,
  };
}

/** Why an agent has no answer, for the model that called it. */
function describeEnd(
  { agent, signal, options }: AgentRequest,
  result: RunResult,
  isOwnLimit: boolean,
): string {
  const text = result.text.trim();
  const partial = text === "" ? "" : ` Its last text: ${text}`;
  const { status } = result;
  // Over all its pauses, as the limit counts.
  const turns = result.state.turn;
  if (status === "max-turns")
    return `${agent.name} reached its limit of ${turns} model ${turns === 1 ? "call" : "calls"} before it finished.${partial}`;
  if (status === "max-tool-calls")
    return isOwnLimit
      ? `${agent.name} reached its limit of ${options.maxToolCalls} tool ${options.maxToolCalls === 1 ? "call" : "calls"} before it finished.${partial}`
      : `${agent.name} was stopped before it finished: the run around it reached its limit of tool calls.${partial}`;
  if (status === "budget")
    return `${agent.name} reached its limit of tokens or money before it finished.${partial}`;
  if (status === "blocked") return `${agent.name} was blocked.`;
  if (status === "cancelled" && !signal.aborted && options.timeout !== undefined)
    return `${agent.name} did not finish within ${options.timeout} ms.${partial}`;
  return `${agent.name} ended without an answer (${status}).`;
}
