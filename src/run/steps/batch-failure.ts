import { ConfigurationError } from "../../errors.ts";
import { textResult } from "../../executor/finalize.ts";
import type { CallOutcome, SettledCall } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { isCorrection } from "../../message/is-correction.ts";
import { notExecuted } from "../../message/unanswered-calls.ts";
import { invalidMiddleware } from "./check-step.ts";

/** What runs within other runs failed with for a mistake of a middleware. */
const errorsOfAgents = new WeakSet<Error>();

/** What a run fails with. */
interface Failure {
  readonly error: unknown;
}

/** Why a run fails after a batch of calls: a mistake in the program, or a step that cannot be kept. The model cannot do anything about it. */
export class BatchFailure {
  #first: Failure | undefined;

  /** The first failure. */
  get first(): Failure | undefined {
    return this.#first;
  }

  /** Notes what the run fails with. */
  add(error: unknown): void {
    this.#first ??= { error };
  }

  /** Notes a mistake of a middleware, and returns its error. */
  note(problem: string): ConfigurationError {
    const error = invalidMiddleware(problem);
    this.add(error);
    return error;
  }

  /** The outcome, unless the run of an agent within the call failed for such a mistake. */
  check(call: ToolCall, outcome: CallOutcome): CallOutcome {
    if (!("result" in outcome)) return outcome;
    const { error } = outcome;
    if (!(error instanceof ConfigurationError) || !errorsOfAgents.has(error)) return outcome;
    // Another error: that of the agent carries the state of its own run.
    return withoutResult(call, [outcome], this.note(error.message));
  }

  /** Notes that a run fails so on behalf of a tool: the run around it must not take the error for the tool's own. */
  failAgent(): void {
    const error = this.#first?.error;
    if (error instanceof ConfigurationError) errorsOfAgents.add(error);
  }
}

/** The outcome of a call whose result nobody has. One that was not executed is left open, and so is one that waits for calls within it. */
export function withoutResult(
  call: ToolCall,
  performed: readonly CallOutcome[],
  error: unknown,
): CallOutcome {
  const suspended = performed.find((outcome) => "suspended" in outcome);
  if (suspended) return suspended;
  if (!performed.some(isExecuted)) return leftOpen(call, error);
  return { result: textResult(call, "The call was executed; its result is not available.", "error"), error };
}

/** The outcome of a call that is not executed since the run is about to fail. */
export function leftOpen(call: ToolCall, error: unknown): SettledCall {
  return { isUnstarted: true, isLeftOpen: true, result: notExecuted(call, "the run failed."), error };
}

function isExecuted(outcome: CallOutcome): boolean {
  if (!("result" in outcome) || outcome.isUnstarted) return false;
  const { outcome: end } = outcome.result;
  return !isCorrection(end) && end !== "denied" && end !== "not-executed";
}
