import type { PendingCall } from "../../message/run-state.ts";
import { isOwnWait } from "../../message/waits.ts";

/** Those of the calls that wait which a client may see and answer: what a tool waits for, and its token, are the program's alone. */
export function clientCalls(pending: readonly PendingCall[]): readonly PendingCall[] {
  return pending.filter((call) => !isOwnWait(call));
}

/**
 * Whether a run waits for what no client has: a time, a webhook, or another run that does not wait for a client itself.
 * @param runs - The other runs, by the calls that wait for them.
 */
export function waitsForOthers(
  pending: readonly PendingCall[],
  runs: readonly { readonly toolCallId: string }[],
): boolean {
  const callers = new Set(clientCalls(pending).map(({ parentToolCallId }) => parentToolCallId));
  return pending.some(isOwnWait) || runs.some(({ toolCallId }) => !callers.has(toolCallId));
}
