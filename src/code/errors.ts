import { SkeinError } from "../errors.ts";

/** A program of a model did not come to its end: the model reads why. */
export class ProgramError extends SkeinError {
  static override readonly name: string = "ProgramError";

  constructor(message: string, cause?: unknown) {
    super(message, { code: "program-failed", cause });
  }
}

/** An interpreter gave a program up, or could not read it. */
export class InterpreterError extends SkeinError {
  static override readonly name: string = "InterpreterError";

  /** @param reason - What the program ran into; `"syntax"` also for other errors in the program before it could be caught. */
  constructor(message: string, reason: "timeout" | "memory" | "syntax" | "busy" | "output") {
    super(message, { code: `program-${reason}` });
  }
}
