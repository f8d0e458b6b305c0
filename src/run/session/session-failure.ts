import { SkeinError } from "../../errors.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { longestSilence, unlessSilent } from "../../base/util/unless-silent.ts";

/** @throws SkeinError (`session-failed`) for whatever a store throws that is not a SkeinError. */
export async function orFail<T>(what: "read" | "written", work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkeinError) throw error;
    throw new SkeinError(`The session could not be ${what}: ${safeMessage(error)}`, {
      code: "session-failed",
      cause: withoutSecrets(error),
    });
  }
}

/** Whether a store has refused an entry for good: the session has changed since the run has read it. */
export function isConflict(error: unknown): error is SkeinError {
  return error instanceof SkeinError && error.code === "session-conflict";
}

/**
 * What a store answers. A run that is cancelled waits a little for it: what was written is better known than not.
 * @throws SkeinError (`session-failed`) if the store has not answered some seconds after the signal was aborted.
 */
export function orUnanswered<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return unlessSilent(work, signal, unanswered);
}

function unanswered(): SkeinError {
  return new SkeinError(
    `The session could not be written: its store did not answer within ${longestSilence} seconds, and the run had to end. The last entries may or may not be stored. Read the session before you continue it.`,
    { code: "session-failed" },
  );
}
