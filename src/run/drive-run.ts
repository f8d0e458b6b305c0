import type { MaybePromise } from "../base/util/maybe-promise.ts";
import { InvalidInputError, SkeinError } from "../errors.ts";
import type { AgentRequest, PausedAgent } from "../executor/types.ts";
import type { RunState } from "../message/run-state.ts";
import { safeMessage } from "../base/util/error-message.ts";
import { withoutSecrets } from "../model/secrets.ts";
import { emit, warn } from "./events/emit.ts";
import { openRun } from "./resume/open-run.ts";
import type { ActiveRun } from "./state/active-run.ts";
import { abandonedResult } from "./state/may-have-begun.ts";
import { stateBefore } from "./state/open-work.ts";
import type { SessionRecorder } from "./state/run-config.ts";
import { resultOf, stateOf } from "./state/report.ts";
import { appendResults } from "./turn/append-results.ts";
import { RunCancelled } from "./cancel.ts";
import { loadAgentRuns, loadDecisions, loadSessions, loadSteps } from "./features.ts";
import { runLoop } from "./loop.ts";
import type { Outcome } from "./state/outcome.ts";
import type { AroundSteps } from "./steps/around-steps.ts";
import { hasMiddleware } from "./steps/perform-step.ts";
import type { RunResult } from "./result-types.ts";
import type { RunEventBody } from "./types.ts";
import { isError, isThrown } from "../base/util/is-error.ts";

/** Drives a run to its one end. Rejects with the error that ended it, which carries the state reached. */
export async function driveRun(run: ActiveRun): Promise<RunResult> {
  let result: RunResult;
  try {
    result = await (hasMiddleware(run) ? driveWithin(run) : driveOpened(run, open(run)));
  } catch (error) {
    run.refuseMessages();
    return await fail(run, error);
  } finally {
    run.config.scope.dispose();
  }
  // A middleware may have answered itself.
  if (run.config.claim) await run.config.claim.release();
  emit(run, endOf(run, result));
  return result;
}

function endOf(run: ActiveRun, result: RunResult): RunEventBody {
  const end = { type: "run-end", agent: run.nextAgent.name } as const;
  if (result.status === "paused") return { ...end, status: result.status, result };
  if (result.status === "blocked") return { ...end, status: result.status, result };
  return { ...end, status: result.status, result };
}

/** Drives a run within its middlewares. A run that is started again under a journal keeps its id. */
async function driveWithin(run: ActiveRun): Promise<RunResult> {
  const steps = await loadSteps();
  const failure = await takeRunId(run, steps);
  // Before the middlewares: the session determines the run's id and agent.
  const ended = (await open(run)) ?? (failure && closeCancelled(run, failure.error));
  let driven: Promise<RunResult> | undefined;
  let isSettled = false;
  const next = (): Promise<RunResult> => (driven = driveOpened(run, ended).finally(() => (isSettled = true)));
  try {
    return await steps.aroundRun(run, next);
  } finally {
    // A run that its middleware did not wait for must not continue after its end.
    if (driven && !isSettled) {
      run.config.scope.cancel();
      await driven.catch(() => undefined);
    }
  }
}

/** Takes over the id of the run that was started before under this journal. Returns what failed after the run was cancelled. */
async function takeRunId(
  run: ActiveRun,
  { rememberRun }: AroundSteps,
): Promise<{ readonly error: unknown } | undefined> {
  const { resumed, parent, options, scope } = run.config;
  if (resumed || parent || options.session) return undefined;
  try {
    const started = await rememberRun(run);
    if (options.runId !== undefined && options.runId !== started.runId)
      throw new InvalidInputError(
        `The journal has the run "${started.runId}", but options.runId is "${options.runId}". Pass the journal of that run, or leave runId out.`,
      );
    run.configure({ runId: started.runId });
    return undefined;
  } catch (error) {
    if (!scope.isCancelled || error instanceof SkeinError) throw error;
    return { error };
  }
}

/** @param ended - How the run ended while it was being opened. */
async function driveOpened(run: ActiveRun, ended: MaybePromise<Outcome | undefined>): Promise<RunResult> {
  const endedEarly = ended instanceof Promise ? await ended : ended;
  const { record } = run.config;
  const outcome = endedEarly ?? (await (record ? record.within(() => outcomeOf(run)) : outcomeOf(run)));
  run.end(outcome);
  if (record) await endRecord(run, record);
  return resultOf(run, outcome);
}

/** Opens a run. Returns how it ended if it was cancelled meanwhile. */
function open(run: ActiveRun): MaybePromise<Outcome | undefined> {
  const cancelled = (error: unknown): Outcome => {
    // Nobody knows what a store that failed has stored, so the run fails.
    if (!run.config.scope.isCancelled || isStoreFailure(error)) throw error;
    return closeCancelled(run, error);
  };
  try {
    const opening = openRun(run, (request) => runAgentStep(run, request));
    return opening instanceof Promise ? opening.then(() => undefined, cancelled) : undefined;
  } catch (error) {
    return cancelled(error);
  }
}

async function outcomeOf(run: ActiveRun): Promise<Outcome> {
  try {
    const outcome = await runLoop(run);
    return outcome.status === "cancelled" ? closeCancelled(run, run.config.scope.signal.reason) : outcome;
  } catch (error) {
    if (!run.config.scope.isCancelled) throw error;
    return closeCancelled(run, error);
  }
}

/** A run that was cancelled before it has gone on leaves what it was to resume as it stands: its calls wait still. */
function closeCancelled(run: ActiveRun, error: unknown): Outcome {
  run.refuseMessages();
  if (!stateBefore(run)) completeHistory(run);
  const reason: unknown = run.config.scope.signal.reason;
  if (reason instanceof DOMException && reason.name === "TimeoutError") warn(run, reason.message);
  if (!isThrown(error, RunCancelled) && error !== reason && !isAbort(error)) {
    warn(run, `While the run was being cancelled: ${safeMessage(error)}`);
  }
  return { status: "cancelled" };
}

/** Leaves a history that is valid for the next request: every call has a result. */
function completeHistory(run: ActiveRun): void {
  appendResults(
    run,
    run.conversation.pending.map((call) => abandonedResult(run, call, "cancelled")),
  );
  const text = run.unfinishedText;
  // A reader has seen it, and may refer to it.
  if (text !== "")
    run.conversation.append({
      role: "assistant",
      content: [{ type: "text", text }],
      toolCalls: [],
      agent: run.agent.name,
      truncated: true,
    });
}

function isStoreFailure(error: unknown): boolean {
  return error instanceof SkeinError && error.code === "session-failed";
}

function isAbort(error: unknown): boolean {
  return isError(error) && error.name === "AbortError";
}

/** Errors that carry the state of a run within another, which the state of that other takes the place of. */
const errorsWithin = new WeakSet<Error>();

async function fail(run: ActiveRun, error: unknown): Promise<never> {
  run.hasFailed = true;
  // Before another run can have the session: it goes on from there.
  await saveProgress(run, error);
  if (run.config.claim) await run.config.claim.release();
  // A session has more than a state of what was stored: what was done within calls that a process did not finish.
  const value = isStillStored(run) ? undefined : await stateReached(run);
  const thrown = error instanceof SkeinError ? ownError(error) : runFailed(error);
  // Not enumerable: a logged error must not show the whole history and the context.
  Object.defineProperty(thrown, "state", { value, configurable: true, writable: true });
  if (run.config.parent) errorsWithin.add(thrown);
  else errorsWithin.delete(thrown);
  emit(run, { type: "run-end", agent: run.nextAgent.name, status: "failed", error: thrown });
  throw thrown;
}

/** The error, or a copy of one that has the state of a run which this one is not around: a store may fail several with one error. */
function ownError(error: SkeinError): SkeinError {
  if (errorsWithin.has(error) || (!error.state && Object.isExtensible(error))) return error;
  const { state: _, ...fields } = Object.getOwnPropertyDescriptors(error);
  const copy = new SkeinError(error.message, error);
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  return Object.defineProperties(copy, fields);
}

/** What a run has done before it failed is in its session: resuming must not do it once more. */
async function saveProgress(run: ActiveRun, error: unknown): Promise<void> {
  const { record, notRefused } = run.config;
  // What was refused as a whole leaves the session as it was.
  if (!record || !(run.isOpen || notRefused)) return;
  try {
    const { unlessUnanswered } = await loadSessions();
    await unlessUnanswered(endRecord(run, record));
  } catch (failure) {
    if (failure !== error) warn(run, `The session could not be written: ${safeMessage(failure)}`);
  }
}

/** Keeps in its session what is new of a run, and the decisions of one that was never open, and gives the session back. */
async function endRecord(run: ActiveRun, record: SessionRecorder): Promise<void> {
  if (!run.isOpen && run.config.notRefused) await (await loadDecisions()).storeDecisions(run);
  await record.end();
}

/** Whether the run was to resume that of its session, and has not begun: where it stands is in the session. */
function isStillStored({ config, isOpen }: ActiveRun): boolean {
  return !isOpen && config.isFromSession === true;
}

async function stateReached(run: ActiveRun): Promise<RunState> {
  const state = await stateOf(run);
  if (run.config.options.stateSecret === undefined) return state;
  return (await loadDecisions()).signUnopened(run, state);
}

function runFailed(error: unknown): SkeinError {
  return new SkeinError(`The run failed: ${safeMessage(error)}`, {
    code: "run-failed",
    cause: withoutSecrets(error),
  });
}

/** Runs an agent for a tool of a run. */
async function runAgentStep(run: ActiveRun, request: AgentRequest): Promise<string | PausedAgent> {
  const { runAgent } = await loadAgentRuns();
  return runAgent(run, request, driveRun, hasMiddleware(run) ? await loadSteps() : undefined);
}
