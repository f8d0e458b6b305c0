import { ConfigurationError, SkeinError } from "../errors.ts";

/** A sandbox could not do what was asked for: the model reads why. */
export class SandboxError extends SkeinError {
  static override readonly name: string = "SandboxError";

  constructor(message: string, cause?: unknown) {
    super(message, { code: "sandbox-failed", cause });
  }
}

/** The error where there can be no sandbox: nothing runs without one. */
export function unavailable(reason: string, fix: string): ConfigurationError {
  return new ConfigurationError(`skein/sandbox cannot run programs here: ${reason} ${fix}`, {
    code: "sandbox-unavailable",
  });
}
