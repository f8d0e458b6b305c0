import type { PendingCall, RunStatus } from "../../message/run-state.ts";

/** How a run ends. */
export interface Outcome {
  readonly status: RunStatus;
  /** The answer, where it is not the text of the last model call. */
  readonly text?: string;
  /** The parsed and validated answer. */
  readonly output?: unknown;
  /** What the run waits for itself, where it has paused before its model answered. */
  readonly wait?: PendingCall;
}

/** What comes after a turn: the next one, or the end of the run. */
export type Next = { readonly next: "continue" } | { readonly stop: Outcome };

/** The run goes on with another turn. */
export const goOn: Next = { next: "continue" };

/** The run ends. */
export function stop(outcome: Outcome): Next {
  return { stop: outcome };
}
