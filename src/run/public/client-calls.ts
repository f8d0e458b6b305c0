import type { PendingCall } from "../../message/run-state.ts";
import { isOwnWait, runOf } from "../../message/waits.ts";

/** Those of the calls that wait which a client may see and answer: what a tool waits for, and its token, are the program's alone. */
export function clientCalls(pending: readonly PendingCall[]): readonly PendingCall[] {
  return pending.filter((call) => !isOwnWait(call));
}

/** Whether a run waits for what no client has: a time, a webhook, or another run that does not wait for a client itself. */
export function waitsForOthers(pending: readonly PendingCall[]): boolean {
  const calls = new Set(clientCalls(pending).map(({ parentToolCallId }) => parentToolCallId));
  return pending.some(
    (call) => isOwnWait(call) && (runOf(call) === undefined || !calls.has(call.parentToolCallId)),
  );
}
