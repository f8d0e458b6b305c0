import { asAgent } from "../../agent/handoff.ts";
import { type ConfigurationError, GuardError, type SkeinError } from "../../errors.ts";
import { cancelledBeforeStart } from "../../executor/refusal.ts";
import { resultText, thrownResult } from "../../executor/finalize.ts";
import { usedTool } from "../../executor/policies/deprecated.ts";
import { stepOfCall } from "../../executor/step-of-call.ts";
import type { AroundCall, CallOutcome, ExecutionScope, SettledCall } from "../../executor/types.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { StepKey } from "../../message/step-key.ts";
import { isSameCall, unfinished } from "../../message/unanswered-calls.ts";
import type { StepMiddleware, ToolStepInfo } from "../../tool/step-middleware.ts";
import { sleep } from "../../base/util/sleep.ts";
import { mergeOwn } from "../../base/util/snapshot.ts";
import { RunCancelled } from "../cancel.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { noteFailure } from "../state/step-failures.ts";
import { type BatchFailure, withoutResult } from "./batch-failure.ts";
import { problemOfResult } from "./check-result.ts";
import { placeOf } from "./check-step.ts";
import { HeldWarnings } from "./held-warnings.ts";
import { middlewaresWith } from "./middleware-chain.ts";
import { callWithNext, guardNext } from "./next-guard.ts";
import { type NextCall, type Performed, PerformedCalls } from "./performed-calls.ts";
import { readInput } from "./read-input.ts";
import { readOutput } from "./read-output.ts";
import { hasTexts } from "./shapes.ts";
import { isThrown } from "../../base/util/is-error.ts";

/**
 * What stands around a run's calls; `undefined` where no middleware does.
 * @param failure - Notes what middlewares do that their contract does not allow.
 */
export function aroundCalls(run: ActiveRun, failure: BatchFailure): AroundCall | undefined {
  const around = aroundByMiddlewares(run, failure);
  const steps = run.watch?.steps;
  if (!steps) return around;
  const { signal } = run.config.scope;
  return (call, scope, perform) => {
    const { toolTable, step: parent } = scope;
    const tool = toolTable.get(withNameInUse(call, scope).toolName);
    return steps.call(call, { tool, signal, parent }, async () =>
      around ? around(call, scope, perform) : perform(call, scope),
    );
  };
}

function aroundByMiddlewares(run: ActiveRun, failure: BatchFailure): AroundCall | undefined {
  const middlewares = middlewaresWith(run, "tool");
  if (middlewares.length === 0) return undefined;
  return async (call, scope, perform) => {
    if (scope.signal?.aborted) return cancelledBeforeStart(call, scope);
    const { approved } = scope;
    const warnings = new HeldWarnings(scope.observer);
    const watched = { ...scope, observer: warnings };
    const performed = new PerformedCalls(call, (next) =>
      perform(approved?.asPermitted(next) ?? next, watched),
    );
    const info = callInfo(run, call, scope, performed);
    let mistake: SkeinError | undefined;
    const notes: Notes = {
      problem: (problem) => (mistake = failure.note(problem)),
      guard: (error) => {
        failure.add((mistake = error));
        // What is around the call must not take it for the tool's own: it is made again once the run is resumed.
        noteFailure(run.config.stepFailures, stepOfCall(call, scope), error);
      },
    };
    const within = (open: NextCall): NextCall =>
      middlewares.reduceRight<NextCall>((next, each) => wrapNext(run, each, info, next, notes), open);
    // An inner function may call next when an outer one has returned.
    const whole = guardNext(run, `A middleware of the call "${call.toolCallId}" of ${call.toolName}`);
    const current = withNameInUse(call, scope);
    // Under its own name again: what is approved and kept of it goes by that.
    const execute: NextCall = (next) =>
      performed.execute(next.toolName === current.toolName ? { ...next, toolName: call.toolName } : next);
    const work = callWithNext(whole, execute, (open) => within(open)(current));
    let isWithheld = true;
    try {
      const returned = await run.config.scope.race(work);
      isWithheld = performed.done.some(({ original }) => isRefused(returned, original));
      const outcome = outcomeOf(call, returned, performed.done);
      // Whatever other middlewares made of the result: what remembers the call knows that the run ends with it.
      return run.blocked && "result" in outcome ? { ...outcome, blocked: run.blocked } : outcome;
    } catch (error) {
      if (isThrown(error, RunCancelled) && performed.done.length > 0)
        return cancelledWithin(call, work, performed.done, error);
      if (!mistake || scope.signal?.aborted) return failedCall(call, scope, error);
      return withoutResult(call, await performed.outcomes(), mistake);
    } finally {
      warnings.release(isWithheld);
    }
  };
}

/** The call under the name of the tool that it goes to, so that no deprecated name leads around a middleware. */
function withNameInUse(call: ToolCall, { toolTable }: ExecutionScope): ToolCall {
  const tool = toolTable.get(call.toolName);
  if (!tool?.annotations.deprecated) return call;
  return { ...call, toolName: usedTool(tool, toolTable).name };
}

/** Where it is noted what the run fails with. */
interface Notes {
  /** Notes a mistake of a middleware, and returns its error. */
  readonly problem: (problem: string) => ConfigurationError;
  /** Notes that a guard could not decide: a tool, or another middleware, may not pass over that. */
  readonly guard: (error: GuardError) => void;
}

/** A `next` that calls one middleware, which calls the `next` within. */
function wrapNext(
  run: ActiveRun,
  middleware: Required<Pick<StepMiddleware, "tool">>,
  info: ToolStepInfo,
  next: NextCall,
  notes: Notes,
): NextCall {
  const place = placeOf(run, middleware, "tool");
  const checked: NextCall = async (call) => {
    if (hasTexts(call, "toolName", "arguments")) return next(call);
    throw notes.problem(`${place} must call next with a call.`);
  };
  return async (call) => {
    const result = await callWithNext(guardNext(run, place), checked, (guarded) =>
      middleware.tool({ ...call }, info, guarded),
    ).catch((error: unknown) => {
      if (isThrown(error, GuardError)) notes.guard(error);
      throw error;
    });
    const problem = problemOfResult(result);
    if (problem === undefined) return result;
    throw notes.problem(`${place} ${problem}`);
  };
}

/** The outcome of an executed call whose middlewares had not returned when the run was cancelled. */
async function cancelledWithin(
  call: ToolCall,
  work: Promise<ToolResult>,
  done: readonly Performed[],
  error: RunCancelled,
): Promise<CallOutcome> {
  // A function that returns right after the cancellation still counts.
  const result = await Promise.race([work.catch(() => undefined), sleep(0)]);
  if (result) return outcomeOf(call, result, done);
  const outcomes = done.map(({ outcome }) => outcome);
  return withoutResult(call, outcomes, error);
}

/** What a call led to, of which nothing takes effect that its middlewares rejected. */
function outcomeOf(call: ToolCall, returned: ToolResult, performed: readonly Performed[]): CallOutcome {
  const match = performed.find(({ result }) => result === returned);
  const { outcome } = match ?? performed.at(-1) ?? {};
  if (outcome && "suspended" in outcome && returned.outcome === "not-executed") return outcome;
  if (outcome && "waiting" in outcome && returned.outcome === "not-executed")
    return isSameCall(outcome.waiting.toolCall, call) ? outcome : { ...outcome, isChanged: true };
  const { toolCallId, toolName } = call;
  // That a run ends with a result is for the tool to say.
  const { final: _, ...plain } = returned;
  const result = { ...plain, toolCallId, toolName };
  const isUnchanged = match !== undefined && isSameResult(returned, match.original);
  if (returned.isError && !isUnchanged) {
    const isShown = outcome && "result" in outcome && !isRefused(returned, outcome.result);
    const error = isShown ? outcome.error : undefined;
    return { result, ...(error !== undefined && { error }) };
  }
  const context = mergedContext(performed);
  const settled = outcome && "result" in outcome ? effectsOf(outcome, isUnchanged) : {};
  return { ...settled, result, ...(context && { context }) };
}

/** Whether a result stands in place of one that it has nothing of: then nobody reads what the tool threw, or a warning about it. */
function isRefused(returned: ToolResult, original: ToolResult): boolean {
  return (returned.isError || original.isError) && !resultText(returned).includes(resultText(original));
}

/** What a performed call asked of the run, less what a changed result takes back. */
function effectsOf(settled: SettledCall, isUnchanged: boolean): Omit<SettledCall, "result"> {
  const { result, ...effects } = settled;
  if (isUnchanged) return effects;
  const { value: _value, cut: _cut, error: _error, meta: _meta, ...others } = effects;
  return result.isError ? {} : others;
}

function isSameResult(returned: ToolResult, original: ToolResult): boolean {
  const before = Object.entries(original);
  const after = new Map<string, unknown>(Object.entries(returned));
  return before.length === after.size && before.every(([name, value]) => after.get(name) === value);
}

function mergedContext(performed: readonly Performed[]): SettledCall["context"] {
  const changes = performed.flatMap(({ outcome }) =>
    "result" in outcome && outcome.context ? [outcome.context] : [],
  );
  return changes.length === 0 ? undefined : mergeOwn(changes);
}

function failedCall(call: ToolCall, scope: ExecutionScope, error: unknown): CallOutcome {
  if (!isThrown(error, RunCancelled) && !scope.signal?.aborted)
    return { result: thrownResult(call, error), error };
  return { result: unfinished(call, "The run was cancelled") };
}

function callInfo(
  run: ActiveRun,
  call: ToolCall,
  scope: ExecutionScope,
  performed: PerformedCalls,
): ToolStepInfo {
  const agent = scope.agent ? asAgent(scope.agent) : run.agent;
  const { signal } = run.config.scope;
  const { toolCallId } = call;
  return {
    key: keyOfCall(run, call, scope),
    agent,
    context: scope.context,
    signal,
    readOutput: (text) => readOutput(run, text),
    readInput: (of) => readInput(scope, of),
    metaOf: (result) => performed.metaOf(result),
    block: (reason) => run.block({ ...reason, agent: agent.name, toolCallId }),
    count: (calls) => calls.forEach((each) => run.meters.addModelCall(each)),
  };
}

/** The key of a call. One on which a person has decided is another step than the one that asked for the decision. */
export function keyOfCall(
  { config: { decided } }: ActiveRun,
  call: ToolCall,
  scope: ExecutionScope,
): StepKey {
  const key = stepOfCall(call, scope);
  const isDecided = decided?.turn === key.turn && decided.toolCallIds.has(call.toolCallId);
  return isDecided ? { ...key, decided: true } : key;
}
