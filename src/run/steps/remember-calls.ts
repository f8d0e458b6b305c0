import { findAgent } from "../../agent/handoff.ts";
import { stepOfCall } from "../../executor/step-of-call.ts";
import type { CallOutcome, Execute, ExecutionScope, SettledCall, WaitingCall } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { StepKey } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { rememberStep } from "./middleware-chain.ts";

/** What is kept of a call: plain JSON, so an agent by its name. */
type StoredCall =
  | (Omit<SettledCall, "agent" | "error" | "value"> & {
      readonly agent?: string;
      /** Its value is not for histories, and is not kept. */
      readonly isMasked?: true;
    })
  | WaitingCall;

/** Executes calls whose outcomes the run's middlewares remember. */
export function rememberCalls(run: ActiveRun, execute: Execute): Execute {
  return async (call, scope, depth) => {
    let live: CallOutcome | undefined;
    const stored = await rememberStep(run, keyOf(run, call, scope), async (): Promise<StoredCall> => {
      live = await execute(call, scope, depth);
      return toStoredCall(live);
    });
    if (live) return live;
    // The tool that made the call needs what nobody else may see.
    if (!("waiting" in stored) && stored.isMasked && scope.step) return execute(call, scope, depth);
    return outcomeOf(run, stored);
  };
}

/** A call on which a person has decided is another step than the one that asked for the decision. */
function keyOf({ config: { decided } }: ActiveRun, call: ToolCall, scope: ExecutionScope): StepKey {
  const key = stepOfCall(call, scope);
  return key.parent === undefined && decided?.toolCallIds.has(call.toolCallId)
    ? { ...key, decided: true }
    : key;
}

function toStoredCall(outcome: CallOutcome): StoredCall {
  if ("waiting" in outcome) return outcome;
  const { agent, error: _error, value, ...rest } = outcome;
  return { ...rest, ...(agent && { agent: agent.name }), ...(value !== undefined && { isMasked: true }) };
}

function outcomeOf(run: ActiveRun, stored: StoredCall): CallOutcome {
  if ("waiting" in stored) return stored;
  const { agent: name, isMasked: _, ...rest } = stored;
  const agent = name === undefined ? undefined : findAgent(name, [run.agent, ...run.config.roots]);
  return { ...rest, ...(agent && { agent }) };
}
