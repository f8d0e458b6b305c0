import type { Message } from "../message/messages.ts";
import type { ToolStep } from "./records.ts";
import type { Open, RunRecord } from "./run-record.ts";
import { textOfResult } from "./text-of-result.ts";

/**
 * Notes what came of calls that waited, as far as messages have their results: a call that a person has denied is not made again.
 * @param isTheirs - Whether the messages are those of the run, or of the agent within it, that has made a call.
 * @param pending - The calls that wait still: an earlier call of the same id may have a result.
 */
export function settleCalls(
  { steps, outcomes }: RunRecord,
  messages: readonly Message[],
  isTheirs: (step: ToolStep) => boolean,
  pending: readonly { readonly toolCallId: string }[] = [],
): void {
  for (const step of steps) {
    if (step.kind !== "tool" || !step.waits || !isTheirs(step)) continue;
    if (pending.some(({ toolCallId }) => toolCallId === step.toolCallId)) continue;
    const message = messages.findLast(
      (each) => each.role === "tool" && each.result.toolCallId === step.toolCallId,
    );
    if (message?.role !== "tool") continue;
    const { result } = message;
    delete step.waits;
    step.outcome = result.outcome;
    step.result = textOfResult(result);
    if (result.outcome === "denied") step.decided = true;
    else step.answered = true;
    outcomes.set(step.id, { result });
  }
}

/** Notes that calls do not wait any more, though nothing says what came of them: all of them, or those of one id. */
export function endWaiting({ steps }: RunRecord, isMeant: (step: ToolStep) => boolean = () => true): void {
  for (const step of steps) if (step.kind === "tool" && step.waits && isMeant(step)) passOn(step);
}

function passOn(step: Open<ToolStep>): void {
  delete step.waits;
  step.wasAsked = true;
}
