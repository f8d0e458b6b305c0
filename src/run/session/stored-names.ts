import { printStep } from "../../message/step-key.ts";
import { callerOf } from "../../message/unanswered-calls.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { leadOf } from "../state/open-work.ts";
import { isStoredWaiting } from "../steps/stored-call.ts";

/**
 * Settles whose tools the calls of a run are of which only the step is stored in which they came to wait: a tool of a toolset does not
 * get their names.
 * @param steps - What the session has of the turn.
 */
export function settleStoredNames(run: ActiveRun, steps: Iterable<readonly [string, unknown]>): void {
  const { parent } = run.config;
  const caller = callerOf(run.conversation.messages) ?? leadOf(run);
  const start = parent ? `${printStep(parent)}/` : "";
  for (const [key, value] of steps) {
    // Those of an agent within are that agent's.
    if (!key.startsWith(start) || key.slice(start.length).includes("/run/")) continue;
    if (isStoredWaiting(value)) run.toolNames.settle(caller, value.waiting.toolCall.toolName, value.origin);
  }
}
