import type { ActiveRun } from "../state/active-run.ts";
import type { RunClaim } from "../state/run-config.ts";
import { SessionBusyError } from "./busy.ts";
import { addWriter, hasWriter, removeWriter } from "./claim.ts";

/**
 * Claims the run that a state resumes, in this process: without a session, nothing is shared with others. What has completed
 * does nothing again, and with `executeTools: false` nothing is executed here.
 * @throws SessionBusyError if another run was resumed from a state of the same run, and has not ended.
 */
export function claimResumed({ config }: ActiveRun): RunClaim | undefined {
  const { runId, resumed, options, durable } = config;
  if (!resumed || resumed.status === "completed" || options.executeTools === false) return undefined;
  const plain = `state:${runId}`;
  const ofStore = `durable:${runId}`;
  // Durable runs are claimed in their store: those of two stores may have one id.
  if (hasWriter(plain) || (!durable && hasWriter(ofStore)))
    throw new SessionBusyError(
      'Another run has been resumed from this state and has not ended. Wait for its result, or use a session with busy: "wait".',
      { runId },
    );
  const key = durable ? ofStore : plain;
  addWriter(key);
  return { release: async () => removeWriter(key) };
}
