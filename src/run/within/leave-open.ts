import type { SuspendedCall } from "../../executor/types.ts";
import { isSameCall, unansweredCalls, unfinished } from "../../message/unanswered-calls.ts";
import type { ToolCall } from "../../message/messages.ts";
import { emit } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { appendResults } from "../turn/append-results.ts";
import { isError } from "../../base/util/is-error.ts";

/** Errors of decisions within a call, which are the outer run's own, too. */
const failures = new WeakSet<Error>();

/** Whether a run failed for decisions on calls within one of its calls. */
export function isFailureWithin(error: unknown): error is Error {
  return isError(error) && failures.has(error);
}

/**
 * Keeps what calls have done that wait for calls within them. They get results instead if the run is cancelled.
 * @returns what the run fails with: a decision within a call that cannot be carried out.
 */
export function leaveOpen(run: ActiveRun, calls: readonly SuspendedCall[]): Error | undefined {
  const originals = new Map(
    unansweredCalls(run.conversation.messages).map((call) => [call.toolCallId, call]),
  );
  for (const { suspended, requests } of calls) {
    const { toolCallId, toolCall, ...work } = suspended;
    const original = originals.get(toolCallId);
    if (!original) throw new TypeError(`the call ${toolCallId} is not open`);
    if (run.config.scope.isCancelled) {
      cancel(run, original);
      continue;
    }
    const parent = { parentToolCallId: toolCallId };
    const isChanged = toolCall && !isSameCall(toolCall, original);
    run.conversation.suspend({ toolCallId, ...work, ...(isChanged && { toolCall }) }, original);
    for (const request of requests) {
      run.addRequest({ ...request, ...parent });
      emit(run, { type: "approval-request", ...request, ...parent });
    }
  }
  const error = calls.find(({ failure }) => failure)?.failure;
  if (!error) return undefined;
  // The state of the run within, which this run's own takes the place of.
  Reflect.deleteProperty(error, "state");
  failures.add(error);
  return error;
}

function cancel(run: ActiveRun, toolCall: ToolCall): void {
  const result = unfinished(toolCall, "The run was cancelled");
  appendResults(run, [result]);
  emit(run, { type: "tool-end", agent: run.agent.name, result, durationMs: 0 });
}
