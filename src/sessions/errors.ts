import { SkeinError } from "../errors.ts";

/**
 * Two runs wrote in one session at once: what this one wrote is not kept. Its `state` has what it did. Have one run after
 * another in a conversation, or begin this one again.
 */
export class SessionConflictError extends SkeinError {
  static override readonly name: string = "SessionConflictError";

  /** @param sequence the number that another run's entry has. */
  constructor(sequence: number) {
    super(
      `The session has changed since this run read it: its entry ${sequence} is another run's. Have one run at a time in a session.`,
      { code: "session-conflict", data: { sequence } },
    );
  }
}
