import { findAgent } from "../../agent/handoff.ts";
import type { CallOutcome, Execute, SettledCall, WaitingCall } from "../../executor/types.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { keyOfCall } from "./around-calls.ts";
import { rememberStep } from "./middleware-chain.ts";

/** What is kept of a call: plain JSON, so an agent by its name. */
type StoredCall =
  | (Omit<SettledCall, "agent" | "error" | "value"> & {
      readonly agent?: string;
      /** Its value is not for histories, and is not kept. */
      readonly isMasked?: true;
    })
  | WaitingCall;

/** Passes an outcome by what remembers steps: only what a step returns is kept. */
class Unstarted extends Error {}

/** Executes calls whose outcomes the run's middlewares remember. */
export function rememberCalls(run: ActiveRun, execute: Execute): Execute {
  return async (call, scope, depth) => {
    let live: CallOutcome | undefined;
    const perform = async (): Promise<StoredCall> => {
      live = await execute(call, scope, depth);
      // A run that is started again must make the calls that this one did not come to.
      if ("result" in live && live.isUnstarted) throw new Unstarted("The call did not begin.");
      return toStoredCall(live);
    };
    try {
      const stored = await rememberStep(run, keyOfCall(run, call, scope), perform);
      if (live) return live;
      // The tool that made the call needs what nobody else may see.
      if (!("waiting" in stored) && stored.isMasked && scope.step) return await execute(call, scope, depth);
      return outcomeOf(run, stored);
    } catch (error) {
      if (live && "result" in live && live.isUnstarted) return live;
      throw error;
    }
  };
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
