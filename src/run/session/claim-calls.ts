import type { ActiveRun } from "../state/active-run.ts";
import type { RunClaim } from "../state/run-config.ts";
import { SessionBusyError } from "./busy.ts";
import { addWriter, hasWriter, removeWriter } from "./claim.ts";

/**
 * Claims the pending calls of the state that a run resumes, in this process: without a session, nothing is shared with others.
 * @throws SessionBusyError if another run was resumed from the state, and still runs.
 */
export function claimCalls({ config: { runId }, meters: { turn } }: ActiveRun): RunClaim {
  const key = `state:${runId}:${turn}`;
  if (hasWriter(key))
    throw new SessionBusyError(
      'Another run has been resumed from this state and has not ended. Wait for its result, or use a session with busy: "wait".',
      { runId },
    );
  addWriter(key);
  return { release: async () => removeWriter(key) };
}
