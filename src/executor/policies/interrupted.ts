import { textResult } from "../finalize.ts";
import { refusal } from "../refusal.ts";
import type { CallOutcome, Perform, Policy, ReadyCall, SettledCall } from "../types.ts";
import { askOrPerform } from "./approval.ts";
import { CallMarks } from "./call-marks.ts";

/** Asks a person about a call that may have been under way when its process died, or tells the model. */
export const interrupted: Policy =
  (next, { policy }) =>
  async (ready) => {
    const { call, scope } = ready;
    if (policy.interrupted === "repeat") return next(ready);
    const isAssumed = scope.isInterrupted?.(call.toolCallId) === true;
    // What nothing remembers has no marks: such calls begin at once, in their order.
    if (!scope.isRemembering && !isAssumed) return next(ready);
    const marks = new CallMarks(ready);
    const isAllowed = policy.interrupted === "ask" && isRepeatable(ready);
    if (isAllowed || !isAssumed) {
      const begin = await noteBeginning(marks, ready);
      if (typeof begin === "object") return begin;
      if (isAllowed || begin === "certain") return noteStop(next, marks)(ready);
    }
    // One that goes on since something within it was decided has no decision of its own.
    if (policy.interrupted === "ask" && !scope.isContinued)
      return askOrPerform(noteStop(next, marks), ready, () => Promise.resolve(true));
    const text = `${call.toolName} was interrupted: it may or may not have taken effect. It is not called again by itself. Find out what it did before you call it again.`;
    return { result: textResult(call, text, "cancelled") };
  };

/** Whether a person has approved the call itself, which is asked for once: the approval around this is being carried out. */
function isRepeatable({ scope, tool }: ReadyCall): boolean {
  const mayBeUnasked = scope.isContinued === true && tool.policy.approval !== true;
  return scope.approved?.isUsed === true && !mayBeUnasked;
}

/** Has it noted that a call begins; an outcome where that cannot be stored: then it must not begin. */
async function noteBeginning(
  marks: CallMarks,
  { call, scope }: ReadyCall,
): Promise<"certain" | "interrupted" | SettledCall> {
  try {
    return (await marks.begin()) ? "certain" : "interrupted";
  } catch (error) {
    if (scope.signal?.aborted) throw error;
    // The run fails with what cannot be stored.
    const result = refusal(call, "that it begins could not be stored.", "not-executed", scope);
    return { isUnstarted: true, isLeftOpen: true, result };
  }
}

/** Performs a call, and has it noted where it stops by itself. */
function noteStop(next: Perform, marks: CallMarks): Perform {
  return async (ready) => {
    const outcome = await next(ready);
    // Where that cannot be stored, the run fails with it, and the call counts as interrupted.
    if (hasStopped(outcome, ready)) await marks.stop().catch(() => {});
    return outcome;
  };
}

/** Whether a call is open still: something within it waits, or a limit was reached before it. */
function hasStopped(outcome: CallOutcome, { start }: ReadyCall): boolean {
  return !("result" in outcome) || (outcome.isUnstarted === true && start?.hasBegun !== true);
}
