import { SkeinError } from "../errors.ts";

/**
 * Thrown by a model whose answer is not there yet, in a run that can be left until then. What wraps a model lets it through: the model
 * has not failed, and it is asked again later.
 */
export class AnswerLaterError extends SkeinError {
  static override readonly name: string = "AnswerLaterError";

  /** When to ask again, in milliseconds since 1970. */
  readonly until: number;

  constructor(until: number) {
    super(`The answer is not there yet. Ask again at ${new Date(until).toISOString()}.`, {
      code: "answer-later",
      data: { until },
    });
    this.until = until;
  }
}

/** Lets a model of a durable run answer later than the process that asks it lives. */
export interface AnswerLater {
  /**
   * What the model has noted of this request.
   * @param slot - The model's own: lower-case letters, digits, dots and hyphens.
   */
  read(slot: string): string | undefined;
  /**
   * Notes up to 1,000 characters, which are on the disk once this resolves, or nothing any more.
   * @throws SkeinError (`session-failed`) where nobody knows what is stored.
   */
  note(slot: string, text: string | undefined): Promise<void>;
  /**
   * Leaves the run until a time, in milliseconds since 1970: then the model is asked again, perhaps by another process.
   * @throws AnswerLaterError always. Let it through.
   */
  leave(until: number): never;
  /** The answer is read: what the model is asked next in the same turn is another request. */
  end(): void;
}
