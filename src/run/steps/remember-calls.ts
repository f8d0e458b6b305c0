import { stepOfCall } from "../../executor/step-of-call.ts";
import type { CallOutcome, Execute, ExecutionScope, SuspendedCall } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { printStep, type StepKey } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { keyOfCall } from "./around-calls.ts";
import { type BatchFailure, leftOpen } from "./batch-failure.ts";
import { rememberStep } from "./middleware-chain.ts";
import { remembersSteps } from "./perform-step.ts";
import { outcomeOf, type StoredCall, toStoredCall } from "./stored-call.ts";
import { restoreCounts } from "./remember-text.ts";
import { isThrown } from "../../base/util/is-error.ts";

/** Passes an outcome by what remembers steps: only what a step returns is kept. */
class Unfinished extends Error {}

/** Executes calls whose outcomes the run's middlewares remember. */
export function rememberCalls(run: ActiveRun, execute: Execute, batchFailure: BatchFailure): Execute {
  const isRemembering = remembersSteps(run);
  return async (call, scope, depth) => {
    const isOfBatch = scope.step === run.config.parent;
    if (isOfBatch && batchFailure.first) return leftOpen(call, batchFailure.first.error);
    if (!isRemembering) return batchFailure.check(call, await execute(call, scope, depth));
    if (isFinished(run, call, scope)) return execute(call, scope, depth);
    const key = keyOfCall(run, call, scope);
    let live: CallOutcome | undefined;
    const perform = async (): Promise<StoredCall> => {
      live = batchFailure.check(call, await execute(call, scope, depth));
      const failure = run.config.stepFailures.get(printStep(stepOfCall(call, scope)));
      // A call whose result a guard failed to judge is not made again.
      if (failure && !isEndOf(live, failure)) throw failure;
      if (!isKept(live, key)) throw new Unfinished("The call is not done.");
      return toStoredCall(run, live, scope.step !== undefined, run.config.limits.counts);
    };
    try {
      const stored = await rememberStep(run, key, perform);
      if (live) return live;
      if ("waiting" in stored)
        run.toolNames.settle(run.agent.name, stored.waiting.toolCall.toolName, stored.origin);
      // It may wait for another decision by now.
      if ("waiting" in stored && isWaiting(run, call, scope)) return await execute(call, scope, depth);
      run.config.decided?.use.addStored(call.toolCallId, printStep(stepOfCall(call, scope)), stored);
      if ("waiting" in stored) return outcomeOf(run, stored);
      const isCounted = stored.counts !== undefined;
      restoreCounts(run, stored.counts);
      // The tool that made the call needs what nobody else may see.
      if (stored.isMasked && !stored.isNotRepeated && scope.step)
        return await execute(call, { ...scope, isCounted }, depth);
      return outcomeOf(run, stored);
    } catch (error) {
      if (isThrown(error, Unfinished) && live && !isKept(live, key)) return live;
      // What the call of a tool came to is kept with what the tool does, whose own step fails as well.
      if (!isOfBatch && live && !run.config.scope.isCancelled) return live;
      if (!isOfBatch) throw error;
      // The run ends once the whole batch is done: what was executed must be in its history.
      if (!run.config.scope.isCancelled) batchFailure.add(error);
      return live ?? leftOpen(call, error);
    }
  };
}

/** Says of a call that nothing remembers its outcome. */
class NotThere extends Error {}

/** The calls of a batch that something which remembers steps has results of, also where a program executes the others. */
export async function finishedCalls<T extends ToolCall>(
  run: ActiveRun,
  calls: readonly T[],
  scope: ExecutionScope,
): Promise<readonly T[]> {
  const finished = await Promise.all(
    calls.map(async (call) => ((await isRemembered(run, call, scope)) ? [call] : [])),
  );
  return finished.flat();
}

async function isRemembered(run: ActiveRun, call: ToolCall, scope: ExecutionScope): Promise<boolean> {
  try {
    const stored = await rememberStep(run, keyOfCall(run, call, scope), () =>
      Promise.reject<StoredCall>(new NotThere("The call is not done.")),
    );
    return "result" in stored;
  } catch (error) {
    if (isThrown(error, NotThere)) return false;
    throw error;
  }
}

/** Whether a call was executed, and has the error as its outcome. */
function isEndOf(outcome: CallOutcome, failure: Error): boolean {
  return "result" in outcome && !outcome.isUnstarted && outcome.error === failure;
}

/** Whether the state that is resumed has what came of a call: something that remembers steps may have only that it waited. */
function isFinished({ config: { decided } }: ActiveRun, call: ToolCall, scope: ExecutionScope): boolean {
  const step = decided?.steps.get(printStep(stepOfCall(call, scope)));
  return step !== undefined && "value" in step;
}

/** Whether a call waits for a decision in the state that is resumed. */
function isWaiting({ config, conversation }: ActiveRun, call: ToolCall, scope: ExecutionScope): boolean {
  const step = config.decided?.steps.get(printStep(stepOfCall(call, scope)));
  if (scope.step !== config.parent) return step !== undefined && "waiting" in step;
  return conversation.pending.some(
    ({ toolCallId, approvalId }) => toolCallId === call.toolCallId && approvalId !== undefined,
  );
}

/**
 * A run that is started again makes the calls that this one did not come to, and goes on with those that wait for calls within
 * them. A decided call that waits again is decided again.
 */
function isKept(outcome: CallOutcome, { decided }: StepKey): outcome is Exclude<CallOutcome, SuspendedCall> {
  if ("suspended" in outcome) return false;
  return "waiting" in outcome ? !decided : !outcome.isUnstarted;
}
