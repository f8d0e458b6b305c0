import type { PendingCall } from "../../message/run-state.ts";

/** What a stream has of a call. */
export interface StreamedCall {
  readonly toolName: string;
  readonly arguments: string;
  /** The agent that makes it, where the stream names one. */
  readonly agent?: string | undefined;
}

/**
 * How much a call of a stream is like one that waits and has its id: agents number their calls alike, at each depth. A person may have
 * edited the arguments, a handoff changed the agent, a new version the name: what is equal counts. 0 is another call.
 */
export function likeness(pending: PendingCall, call: StreamedCall): number {
  const hasArguments = pending.arguments === call.arguments ? 4 : 0;
  const hasAgent = pending.agent === call.agent ? 2 : 0;
  return hasArguments + hasAgent + (pending.toolName === call.toolName ? 1 : 0);
}
