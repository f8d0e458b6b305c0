import { SkeinError } from "../../../errors.ts";

/** A memory could not do what was asked for: the model reads why. */
export class MemoryError extends SkeinError {
  static override readonly name: string = "MemoryError";

  constructor(message: string, cause?: unknown) {
    super(message, { code: "memory-failed", cause });
  }
}
