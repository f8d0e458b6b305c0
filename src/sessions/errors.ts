import { SkeinError } from "../errors.ts";

/** What has happened to a session since a run has read it, in a sentence and what to do. */
const causes = {
  changed: (sequence: number) =>
    `The session has changed since this run read it: its entry ${sequence} is another run's. Have one run at a time in a session.`,
  cleared: () =>
    "The session was cleared while this run worked in it, so nothing more of the run is stored. Clear a session when no run is in it.",
  shortened: (sequence: number) =>
    `The session was deleted or shortened while this run worked in it: it has no entry ${sequence}, so nothing more of the run is stored. Delete a session when no run is in it.`,
} as const;

/**
 * A session is not as a run has left it: two runs wrote in it at once, or it was cleared or deleted meanwhile. What this run wrote
 * last is not kept. Its `state` has what it did. Have one run after another in a conversation, or begin this one again.
 */
export class SessionConflictError extends SkeinError {
  static override readonly name: string = "SessionConflictError";

  /**
   * @param sequence the number of the entry that is another run's, or missing.
   * @param cause what happened to the session.
   */
  constructor(sequence: number, cause: keyof typeof causes = "changed") {
    super(causes[cause](sequence), { code: "session-conflict", data: { sequence, cause } });
  }
}
