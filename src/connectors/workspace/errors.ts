import { SkeinError } from "../../errors.ts";

/** A workspace could not do what was asked for: the model reads why. */
export class WorkspaceError extends SkeinError {
  static override readonly name: string = "WorkspaceError";

  constructor(message: string, cause?: unknown) {
    super(message, { code: "workspace-failed", cause });
  }
}
