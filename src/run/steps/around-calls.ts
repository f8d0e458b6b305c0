import { asAgent } from "../../agent/handoff.ts";
import type { ConfigurationError } from "../../errors.ts";
import { cancelledBeforeStart } from "../../executor/execute-call.ts";
import { textResult, thrownResult } from "../../executor/finalize.ts";
import { stepOfCall } from "../../executor/step-of-call.ts";
import type { AroundCall, CallOutcome, ExecutionScope, SettledCall } from "../../executor/types.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { StepKey } from "../../message/step-key.ts";
import { isSameCall, notExecuted } from "../../message/unanswered-calls.ts";
import type { StepInfo } from "../../tool/step-middleware.ts";
import { sleep } from "../../base/util/sleep.ts";
import { mergeOwn } from "../../base/util/snapshot.ts";
import { RunCancelled } from "../cancel.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { type BatchFailure, withoutResult } from "./batch-failure.ts";
import { problemOfResult } from "./check-result.ts";
import { placeOf } from "./check-step.ts";
import { middlewaresWith } from "./middleware-chain.ts";
import { callWithNext, guardNext } from "./next-guard.ts";
import { hasTexts } from "./shapes.ts";

type Next = (call: ToolCall) => Promise<ToolResult>;

/** What one `next` led to, and the result that the middleware received. */
interface Performed {
  readonly outcome: CallOutcome;
  readonly result: ToolResult;
  /** The result as it was: a middleware may write into its own. */
  readonly original: ToolResult;
}

/**
 * What stands around a run's calls; `undefined` where no middleware does.
 * @param failure - Notes what middlewares do that their contract does not allow.
 */
export function aroundCalls(run: ActiveRun, failure: BatchFailure): AroundCall | undefined {
  const middlewares = middlewaresWith(run, "tool");
  if (middlewares.length === 0) return undefined;
  return async (call, scope, perform) => {
    if (scope.signal?.aborted) return cancelledBeforeStart(call);
    const started: Promise<CallOutcome>[] = [];
    // In the order in which `next` was called, whichever is done first.
    const slots: (Performed | undefined)[] = [];
    const execute: Next = async (changed) => {
      const slot = slots.push(undefined) - 1;
      const performing = Promise.resolve(perform({ ...changed, toolCallId: call.toolCallId }));
      started.push(performing);
      const outcome = await performing;
      const original = resultOf(call, outcome);
      const result = { ...original };
      slots[slot] = { outcome, result, original };
      return result;
    };
    const info = callInfo(run, call, scope);
    let mistake: ConfigurationError | undefined;
    const note = (problem: string): ConfigurationError => (mistake = failure.note(problem));
    const within = (open: Next): Next =>
      middlewares.reduceRight<Next>(
        (next, each) => async (changed) => {
          const place = placeOf(run, each, "tool");
          const checked: Next = async (other) => {
            if (hasTexts(other, "toolName", "arguments")) return next(other);
            throw note(`${place} must call next with a call.`);
          };
          const result = await callWithNext(guardNext(run, place), checked, (guarded) =>
            each.tool({ ...changed }, info, guarded),
          );
          const problem = problemOfResult(result);
          if (problem === undefined) return result;
          throw note(`${place} ${problem}`);
        },
        open,
      );
    // An inner function may call next when an outer one has returned.
    const whole = guardNext(run, `A middleware of the call "${call.toolCallId}" of ${call.toolName}`);
    const performed = (): Performed[] => slots.filter((slot) => slot !== undefined);
    const work = callWithNext(whole, execute, (open) => within(open)(call));
    try {
      return outcomeOf(call, await run.config.scope.race(work), performed());
    } catch (error) {
      if (error instanceof RunCancelled && performed().length > 0) {
        // A function that returns right after the cancellation still counts.
        const result = await Promise.race([work.catch(() => undefined), sleep(0)]);
        if (result) return outcomeOf(call, result, performed());
        const outcomes = performed().map(({ outcome }) => outcome);
        return withoutResult(call, outcomes, error);
      }
      if (!mistake || scope.signal?.aborted) return failedCall(call, scope, error);
      // A function may have returned before the call that it began was done.
      return withoutResult(call, await Promise.all(started), mistake);
    }
  };
}

function resultOf(call: ToolCall, outcome: CallOutcome): ToolResult {
  return "result" in outcome ? outcome.result : notExecuted(call, "it needs a person's approval.");
}

/** What a call led to, of which nothing takes effect that its middlewares rejected. */
function outcomeOf(call: ToolCall, returned: ToolResult, performed: readonly Performed[]): CallOutcome {
  const match = performed.find(({ result }) => result === returned);
  const { outcome } = match ?? performed.at(-1) ?? {};
  if (outcome && "waiting" in outcome && returned.outcome === "not-executed")
    return isSameCall(outcome.waiting.toolCall, call) ? outcome : { ...outcome, isChanged: true };
  const { toolCallId, toolName } = call;
  const result = { ...returned, toolCallId, toolName };
  const isUnchanged = match !== undefined && isSameResult(returned, match.original);
  if (returned.isError && !isUnchanged) {
    const error = outcome && "result" in outcome ? outcome.error : undefined;
    return { result, ...(error !== undefined && { error }) };
  }
  const context = mergedContext(performed);
  const settled = outcome && "result" in outcome ? effectsOf(outcome, isUnchanged) : {};
  return { ...settled, result, ...(context && { context }) };
}

/** What a performed call asked of the run, less what a changed result takes back. */
function effectsOf(settled: SettledCall, isUnchanged: boolean): Omit<SettledCall, "result"> {
  const { result, ...effects } = settled;
  if (isUnchanged) return effects;
  const { value: _value, error: _error, ...others } = effects;
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
  if (!(error instanceof RunCancelled) && !scope.signal?.aborted)
    return { result: thrownResult(call, error), error };
  const text = `The run was cancelled before ${call.toolName} finished. It may or may not have taken effect.`;
  return { result: textResult(call, text, "cancelled") };
}

function callInfo(run: ActiveRun, call: ToolCall, scope: ExecutionScope): StepInfo {
  const agent = scope.agent ? asAgent(scope.agent) : run.agent;
  const { signal } = run.config.scope;
  return { key: keyOfCall(run, call, scope), agent, context: scope.context, signal };
}

/** The key of a call. One on which a person has decided is another step than the one that asked for the decision. */
export function keyOfCall(
  { config: { decided } }: ActiveRun,
  call: ToolCall,
  scope: ExecutionScope,
): StepKey {
  const key = stepOfCall(call, scope);
  return key.parent === undefined && decided?.toolCallIds.has(call.toolCallId)
    ? { ...key, decided: true }
    : key;
}
