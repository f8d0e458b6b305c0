import { SkeinError } from "../errors.ts";

/** A skill does not have what a call names: the model reads why. */
export class SkillError extends SkeinError {
  static override readonly name: string = "SkillError";

  constructor(message: string, cause?: unknown) {
    super(message, { code: "skill-failed", cause });
  }
}
